import { describe, expect, it } from 'vitest';
import { main } from '../../source/cli.js';
import { createIo } from './io.js';

async function bisect(...flags: string[]): Promise<{ code: number; printed: string }> {
  const { io, printed } = createIo(process.cwd(), { LC_ALL: 'C.UTF-8' });
  const code = await main(['bisect', ...flags], io);
  return { code, printed: printed() };
}

describe('evalrun bisect --simulate', () => {
  it('prints who is right with how many trials, a row a strategy', async () => {
    const { code, printed } = await bisect('--simulate', '--rates', '1,0', '--hunks', '8', '--runs', '5');
    expect(code).toBe(0);
    const lines = printed.split('\n');
    expect(lines[0]).toBe('8 hunks, one guilty hunk, pass rates 1 → 0: 5 bisects each, seed 1');
    expect(lines.slice(2, 6).map((line) => line.split(/\s+/).slice(0, 3).join(' '))).toEqual([
      'auto 100 %',
      'guided 100 %',
      'one-by-one 100 %',
      'binary 100 %',
    ]);
    expect(lines[6]).toContain('no method that is right 95 times of 100');
  });

  it('gives the same as JSON, and the same again for the same seed', async () => {
    const flags = [
      '--simulate',
      '--hunks',
      '4',
      '--runs',
      '5',
      '--strategy',
      'auto',
      '--guilty',
      'none',
      '--json',
    ];
    const first = await bisect(...flags, '--seed', 'x');
    expect(JSON.parse(first.printed)).toMatchObject({
      hunks: 4,
      guilty: 'none',
      rates: { good: 0.95, bad: 0.3 },
      seed: 'x',
      strategies: [{ strategy: 'auto', runs: 5 }],
    });
    expect(await bisect(...flags, '--seed', 'x')).toEqual(first);
  });

  it('says which value of a flag is wrong', async () => {
    for (const [flags, message] of [
      [['--rates', '.3,.9'], '--rates: expected two pass rates'],
      [['--hunks', '0'], '--hunks: expected a whole number from 1 to 64, found "0"'],
      [['--hunks', '2', '--guilty', 'any-of-three'], '--guilty any-of-three takes at least 3 hunks'],
      [['--guilty', 'me'], '--guilty: expected one of single, both'],
      [['--strategy', 'ddmin'], '--strategy: expected one of all, auto'],
      [
        ['--good', 'v14', '--plain'],
        '--simulate plays bisects of drawn prompts; it does not go with --good or --plain',
      ],
      [['--runs', '1e3'], '--runs: expected a whole number'],
      [['--budget', '2000'], '--budget: expected a whole number from 1 to 1000'],
    ] as const) {
      const { code, printed } = await bisect('--simulate', ...flags);
      expect(code).toBe(2);
      expect(printed).toContain(message);
    }
  });
});
