import { describe, expect, it } from 'vitest';
import type { RecordedTrial } from '../../../../source/bisect/recorded-trials.js';
import { cellLines } from '../../../../source/ui/screens/bisect/evidence.js';
import type { BisectRow } from '../../../../source/ui/screens/bisect/rows.js';
import { lookAtBisect } from '../../../../source/ui/screens/bisect/view.js';
import { lineWidth } from '../../../../source/ui/segments.js';
import { begun } from '../../bisected-run.js';

/** What was found, with a rest of the suite of so many scenarios, the last of which fails. */
async function foundWith(scenarios: number) {
  const { app, play } = await begun();
  app.press('A');
  await play(2);
  const look = lookAtBisect(app.model);
  if (look?.row.kind !== 'end') throw new Error('the marker is not on what was found');
  const others = look.row.trials.filter(({ purpose }) => purpose.kind !== 'suite');
  const cells = Array.from({ length: scenarios }, (_, at): RecordedTrial['cells'][number] => ({
    key: { scenario: `scenario-${at + 1}`, condition: 'narrowed', repeat: 1 },
    state: 'ended',
    checks: new Map([['polite', at + 1 === scenarios ? 'fail' : 'pass']]),
  }));
  const suite = look.row.trials.find(({ purpose }) => purpose.kind === 'suite');
  if (!suite) throw new Error('the rest of the suite was not run');
  const row: BisectRow = { ...look.row, trials: [...others, { ...suite, cells }] };
  const count = row.trials.flatMap((trial) => trial.cells).length;
  return (width: number, cell = count - 1) =>
    cellLines(look.standing, row, { width, theme: app.model.theme, now: 0, cell });
}

const textOf = (line: readonly { text: string }[]) => line.map(({ text }) => text).join('');

describe('the trials of what was found', () => {
  it('stand by the prompt and by what they were for, a sign each where there is room', async () => {
    const lines = (await foundWith(5))(78);
    expect(lines.map(textOf)).toEqual([
      expect.stringMatching(/^v2 without 3: confirmed ● ● {3}cure check (?:● )+$/),
      'v2 without 3: the rest of the suite ● ● ● ● ✖ ',
    ]);
    expect(lines[1]?.filter(({ isChosen }) => isChosen).map(({ text }) => text)).toEqual(['✖']);
  });

  it('are counted where there is none, and the chosen one is named', async () => {
    const at = await foundWith(40);
    const [, line = []] = at(78);
    expect(textOf(line)).toBe('v2 without 3: the rest of the suite 39 of 40 pass, chosen: ✖ scenario-40');
    expect(line.filter(({ isChosen }) => isChosen)).toHaveLength(1);
    // The chosen one may stand on the other line.
    expect(textOf(at(78, 0)[1] ?? [])).toBe('v2 without 3: the rest of the suite 39 of 40 pass');
    for (let width = 56; width <= 120; width++)
      for (const one of at(width)) expect(lineWidth(one)).toBeLessThanOrEqual(width + 1);
  });
});
