import { describe, expect, it } from 'vitest';
import { pass } from '../../../bisect/fake-run.js';
import { begun, holdBisect } from '../../bisected-run.js';
import { keys } from '../../model-fixture.js';

/** Ends that no trial tells apart. */
async function alike(columns: number, rows: number) {
  const held = await holdBisect({}, { columns, rows });
  held.app.press(keys.enter);
  for (let trial = 0; trial < 4; trial++) await held.end(pass);
  return held.app.lines()[1] ?? '';
}

describe('what the head says of both ends', () => {
  it.each([
    [60, 15, 'not clearly apart'],
    [80, 24, 'v1 2/2, v2 2/2: they do not separate clearly'],
    [120, 30, 'v1 passes 2/2, v2 2/2: they do not separate clearly, it goes on by belief'],
  ])(
    'is said in fewer words where there is less room, and never cut: %i columns',
    async (columns, rows, text) => {
      expect(await alike(columns, rows)).toMatch(new RegExp(`^ ${text} +guided   . measuring both ends$`));
    },
  );

  it.each([60, 80])('keeps both of their names, each cut in its middle: %i columns', async (columns) => {
    const { app, fake } = await begun({}, { columns });
    const { good, bad } = fake.record.planned;
    good.name = 'support-agent-of-last-october@origin/main';
    bad.name = 'support-agent-shorter-replies@HEAD';
    app.model.resize(app.model.state.size);
    expect(app.lines()[0]).toMatch(/^ bisect {3}sup\S*…\S* → sup\S*…\S* {3}\S.* 4 of 200 trials/);
    bad.name = 'v2';
    app.model.resize(app.model.state.size);
    expect(app.lines()[0]).toMatch(/^ bisect {3}sup\S*…\S* → v2 {3}\S.* 4 of 200 trials/);
  });
});
