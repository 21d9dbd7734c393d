/** The app, and a mistake somewhere else in the process while it is open: `throw` or `reject`. */
import { systemClock } from '../../source/base/clock.js';
import { openApp } from '../../source/ui/open.js';
import { createFakeRun, fakeScenario } from '../ui/fake-run.js';

const kind = process.argv[2];
setTimeout(() => {
  if (kind === 'throw') throw new Error('a mistake that throws');
  void Promise.reject(new Error('a mistake that rejects'));
}, 500);

await openApp({
  runs: [createFakeRun({ scenarios: [fakeScenario('refund-request-past-window')] }).run],
  settings: { get: () => undefined, set() {} },
  stdin: process.stdin,
  stdout: process.stdout,
  env: process.env,
  clock: systemClock,
});
