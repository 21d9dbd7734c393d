import { expect, it } from 'vitest';
import { createDriver } from '../../source/bisect/driver.js';
import { createBisectReporter } from '../../source/report/bisect-plain.js';
import { type CellEnd, createFakeRun, fail, pass, play, settle } from '../bisect/fake-run.js';

/** The lines of a bisect whose first trials end so, and the others by the second hunk. */
async function linesOf(ends: CellEnd[]): Promise<string[]> {
  const fake = createFakeRun();
  const driver = createDriver(fake.options());
  const lines: string[] = [];
  const clock = { now: () => 0, wait: async () => {} };
  const print = (line: string) => lines.push(line);
  const reporter = createBisectReporter({ print, clock, record: fake.record, proposal: driver.proposal });
  fake.options().run.subscribe(({ event }) => reporter.hear(event));
  const over = driver.start();
  await play(fake, (candidate) => ends.shift() ?? (candidate[1] === '1' ? fail : pass));
  await settle();
  await over;
  return lines;
}

it('says of a trial that is no evidence what spoilt it, not which check failed', async () => {
  const lines = await linesOf([{ fallback: true }, { error: 'rate-limit' }]);
  const errors = lines.filter((line) => line.startsWith('ERROR'));
  expect(errors).toHaveLength(2);
  expect(errors[0]).toMatch(/^ERROR {4}#1 {2}v1 {2}.*refund {2}fallback: .*fell back to its defaults$/);
  expect(errors[1]).toMatch(/^ERROR {4}#2 .*refund {2}rate-limit: /);
});

it('says of a trial that failed which check did, and what is believed every few trials', async () => {
  const lines = await linesOf([]);
  expect(lines.find((line) => line.startsWith('FAIL'))).toMatch(/ v2 {2}.*refund {2}agrees: /);
  expect(lines.some((line) => line.startsWith('believed '))).toBe(true);
  expect(lines.some((line) => line.startsWith('ERROR'))).toBe(false);
});
