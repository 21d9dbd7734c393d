import type { Clock } from '../../base/clock.js';
import { defaultPriors } from '../../bisect/hypotheses.js';
import { playBisect, type Simulated, type Simulation, sumUp } from '../../bisect/simulate.js';
import type { Project } from '../../project/config.js';
import type { BisectPlan, ExpectedRate } from '../../report/bisect-plan.js';
import { figuresOf, knownRuns, type Seen, seenInBaseline, seenInRuns } from './bisect-plan-known.js';
import { trialsAtOnce } from './make-bisect.js';
import type { PreparedBisect } from './prepare-bisect.js';
import { listSuiteRuns } from './suite-runs.js';

/** Bisects that are played to see what it takes, unless that takes too long. */
const mostPlays = 40;
const fewestPlays = 8;
/** Milliseconds after which no further bisect is played; where fewer than those few were. */
const playFor = 2000;
const playFewFor = 5000;
/** Milliseconds after which not even the first is played to its end. */
const playOneFor = 15_000;
/** Milliseconds that the thread is held at most, but for one step. */
const holdFor = 10;

/** What the trials of an end are expected to do where nothing is known of it. */
const usualRates = { good: 0.95, bad: 0.3 };

export interface PlanQuestion {
  project: Project;
  env: NodeJS.ProcessEnv;
  prepared: PreparedBisect;
  concurrency: number;
  seed: string | undefined;
  clock: Clock;
}

/**
 * What a bisect will take: played at the pass rates that earlier runs and the baseline show, with the tokens and the time
 * that conversations took there. A run that cannot be read tells nothing.
 */
export async function planOfBisect(question: PlanQuestion): Promise<BisectPlan> {
  const { project, env, prepared, concurrency, clock } = question;
  const { planned } = prepared;
  const { suite, conditions } = prepared.prepared;
  const entries = await listSuiteRuns(project, env, suite.name).catch(() => []);
  // The red run that it looks into may be on screen still, its last trial over.
  const ended = entries.filter(({ isRunning, runId }) => !isRunning || runId === planned.of);
  const runs = knownRuns(ended, suite.name);
  const [good, bad] = conditions.map(({ condition }) => condition);
  if (!good || !bad) throw new Error('a bisect has two ends');
  const expected = {
    good: expectedRate(
      planned.good.name,
      defaultPriors.rates.good,
      usualRates.good,
      (await seenInBaseline(project, suite.name, good, planned.watched)) ??
        (await seenInRuns(runs, good, planned)),
    ),
    bad: expectedRate(
      planned.bad.name,
      defaultPriors.rates.bad,
      usualRates.bad,
      await seenInRuns(runs, bad, planned),
    ),
  };
  const { played, roundsATrial } = await play(
    {
      strategy: planned.strategy,
      hunks: planned.hunks.length,
      guilty: 'single',
      rates: { good: expected.good.rate, bad: Math.min(expected.good.rate, expected.bad.rate) },
      seed: question.seed ?? '1',
      budget: planned.budget,
      repeats: planned.repeats,
      parallel: trialsAtOnce(concurrency, planned.watched),
      ...(planned.history && { history: planned.history }),
    },
    clock,
  );
  const watchedIds = new Set(planned.watched.map(({ scenario }) => scenario));
  const rest = suite.scenarios.map(({ id }) => id).filter((id) => !watchedIds.has(id));
  const figures = await figuresOf(runs, bad, planned, rest);
  return {
    suite: suite.name,
    hunks: planned.hunks.length,
    split: planned.split,
    strategy: planned.strategy,
    budget: planned.budget,
    repeats: planned.repeats,
    watched: planned.watched,
    ...(planned.of !== undefined && { of: planned.of }),
    ...expected,
    played,
    roundsATrial,
    restOfSuite: planned.skipsCure ? undefined : rest.length,
    concurrency,
    ...(figures && { figures }),
  };
}

/**
 * Plays bisects as long as there is time: none that was begun is left, for the long ones would be missing, unless it is the
 * first and takes for ever; then none is played.
 */
export async function play(simulation: Simulation, clock: Clock) {
  const bisects: Simulated[] = [];
  const begunAt = clock.now();
  const hasTime = () => clock.now() - begunAt < (bisects.length < fewestPlays ? playFewFor : playFor);
  while (bisects.length < mostPlays && hasTime()) {
    const seed = `${simulation.seed} ${bisects.length}`;
    const until = bisects.length > 0 ? Number.POSITIVE_INFINITY : begunAt + playOneFor;
    const played = await playToEnd({ ...simulation, seed }, until, clock);
    if (!played) break;
    bisects.push(played);
  }
  const sum = (of: 'trials' | 'rounds') => bisects.reduce((total, one) => total + one[of], 0);
  return {
    played: sumUp(simulation.strategy, bisects),
    roundsATrial: sum('rounds') / Math.max(1, sum('trials')),
  };
}

/** One bisect, with others having their turn: a person who presses a key is heard. Undefined where the time was over before. */
async function playToEnd(
  simulation: Simulation,
  until: number,
  clock: Clock,
): Promise<Simulated | undefined> {
  const playing = playBisect(simulation);
  for (let heldSince = clock.now(); clock.now() < until; ) {
    const { done, value } = playing.next();
    if (done) return value;
    if (clock.now() - heldSince < holdFor) continue;
    await new Promise((resolve) => setImmediate(resolve));
    heldSince = clock.now();
  }
  return undefined;
}

/** What was seen of an end, together with what is believed of ends before anything is seen: a Beta distribution's mean. */
function expectedRate(
  name: string,
  [passes, fails]: readonly [number, number],
  usual: number,
  known: Seen | undefined,
): ExpectedRate {
  if (!known) return { name, rate: usual };
  const { rates, ...shown } = known;
  // Conversations are independent of each other under one prompt.
  const rate = rates.reduce(
    (product, { passed, of }) => product * ((passed + passes) / (of + passes + fails)),
    1,
  );
  return { name, rate, known: shown };
}
