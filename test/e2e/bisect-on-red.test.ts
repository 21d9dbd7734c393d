import { expect, it } from 'vitest';
import { startUnderShell } from './driver.js';

it('bisects a red run in lines when its screen has closed, and ends as red as it was', async () => {
  const line = 'run tiny --candidate --baseline v1 --scenario "refuses*" --seed 3 --bisect-on-red';
  const app = startUnderShell(`"$NODE" "$EVALRUN" ${line}`, { columns: 160, rows: 50 });
  await app.waitFor(/FAIL +completed/);
  app.press('q');
  await app.waitFor('shell-is-back');
  expect(app.isAlternate()).toBe(false);
  expect(app.bytes).toContain('note: the gate is red: bisecting v1 → v2 by "refuses-late-refund"');
  const told = app.bytes.slice(app.bytes.indexOf('watched  refuses-late-refund / names-window'));
  expect(told).toMatch(/PASS +#1 {2}v1 {2}both ends/);
  expect(told).toMatch(/\r\n\r\ntiny {3}v2 on simulated:tiny/);
  expect(told).toMatch(/bisected refuses-late-refund \/ names-window, v1 → v2: FOUND: hunk 1 of 1/);
  expect(app.screen()).toContain('exit=1');
});
