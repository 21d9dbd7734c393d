import { expect, it } from 'vitest';
import { createLog } from '../../source/report/log.js';

function holdLog() {
  const lines: string[] = [];
  const held = { now: 0 };
  const clock = { now: () => held.now, wait: async () => {} };
  return { log: createLog({ print: (line) => lines.push(line), clock }), lines, held };
}

it('how far it is stands in a log only where nothing else does for a while, and not the same twice', () => {
  const { log, lines, held } = holdLog();
  log.progress(() => 'running  1 of 9');
  held.now = 4000;
  log.print('PASS     one');
  held.now = 8999;
  expect(log.isFresh()).toBe(true);
  log.progress(() => 'running  2 of 9');
  held.now = 9000;
  log.progress(() => 'running  3 of 9');
  held.now = 20_000;
  log.progress(() => 'running  3 of 9');
  log.progress(() => 'running  4 of 9');
  expect(lines).toEqual(['PASS     one', 'running  3 of 9', 'running  4 of 9']);
});

it('one request that is sent again speaks for those that come with it, and says how many', () => {
  const { log, lines, held } = holdLog();
  const retry = (message: string) =>
    log.retry({ type: 'request-retried', at: 0, model: 'm', kind: 'rate-limit', message, waitMs: 2000 });
  retry('busy');
  retry('busy');
  held.now = 4999;
  retry('busy');
  held.now = 5000;
  retry('slow\u001b[31m');
  held.now = 10_000;
  retry('busy');
  expect(lines).toEqual([
    'waits    m  rate-limit: busy; again in 2.0 s',
    'waits    m  rate-limit: slow␛[31m; again in 2.0 s (and 2 before it)',
    'waits    m  rate-limit: busy; again in 2.0 s',
  ]);
});
