/**
 * How long a screen stands still when a run ends and is judged: ROWS scenarios with three checks each, three trials, run
 * under two conditions and held against each other, suspects and verdict included. `npm run bench -- judge`
 */
import { performance } from 'node:perf_hooks';
import { createRandom } from '../source/base/random.js';
import { judgeRun, rerunsOf } from '../source/compare/judge-run.js';
import { noUsage } from '../source/model/types.js';
import { defaultGate } from '../source/project/gate-settings.js';
import { feedOf, finished, plannedCondition, plannedScenario, runStarted } from '../test/tally/support.js';

const rows = 5000;
const repeat = 3;
/** Milliseconds each may take; more is seen. */
const limit = 100;
const checks = ['routes', 'offers', 'polite'].map((id) => ({
  id,
  type: id === 'polite' ? 'judge' : 'pattern_present',
  kind: id === 'polite' ? ('judged' as const) : ('hard' as const),
  absolute: false,
  hash: id,
}));

const scenarios = Array.from({ length: rows }, (_, index) => ({
  ...plannedScenario(`scenario-${index}`),
  checks,
}));
const feed = feedOf({
  ...runStarted(scenarios, repeat, [plannedCondition('a'), plannedCondition('b')]),
  base: { kind: 'condition', condition: 'b' },
});
const random = createRandom('bench judge');
for (const { id: scenario } of scenarios) {
  for (const condition of ['a', 'b']) {
    for (let trial = 1; trial <= repeat; trial++) {
      const key = { scenario, condition, repeat: trial };
      feed.tell({ type: 'trial-started', at: 2000, trial: key, attempt: 1 });
      for (const { id: checkId, type, kind } of checks) {
        const verdict = random.next() < 0.97 ? 'pass' : 'fail';
        const score = kind === 'judged' && { score: verdict === 'pass' ? 5 : 2 };
        const result = { checkId, type, kind, verdict, reason: 'as drawn', ...score } as const;
        feed.tell({ type: 'check-finished', at: 2001, trial: key, attempt: 1, result });
      }
      const tokens = { agent: { ...noUsage, input: 1000 }, judge: noUsage };
      const end = { kind: 'completed' as const };
      feed.tell({
        type: 'trial-finished',
        at: 2002,
        trial: key,
        attempt: 1,
        end,
        unsent: [],
        ms: 1,
        tokens,
      });
    }
  }
}
feed.tell(finished());

/** The shortest of several times: what else the machine does is not meant. */
function shortest(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 10; round++) {
    const start = performance.now();
    work();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

const judging = { gate: defaultGate };
const times = {
  'which suspects are to be run again': shortest(() => rerunsOf(feed.tally, judging)),
  'comparison and verdict': shortest(() => judgeRun(feed.tally, judging)),
};
for (const [what, ms] of Object.entries(times))
  console.log(`${what.padEnd(36)} ${ms.toFixed(0).padStart(4)} ms`);
console.log(`${rows} scenarios with ${checks.length} checks; at most ${limit} ms each`);
process.exitCode = Object.values(times).some((ms) => ms > limit) ? 1 : 0;
