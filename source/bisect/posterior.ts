import type { Needs } from './candidate.js';
import type { Evidence, Tested } from './evidence.js';
import { answerPriors, type Priors, type Together } from './hypotheses.js';
import { type Counts, createRateModel, type LevelEvidence, type RateModel } from './rates.js';

/** A possible cause, how much it is believed, and the pass rates that it expects. */
export interface Hypothesis {
  /** The guilty hunks in ascending order; none: it is not the prompt. */
  hunks: readonly number[];
  /** Probability, from 0 to 1. */
  belief: number;
  /** Expected pass rate by how many of the guilty hunks are applied, from none to all. */
  levels: readonly number[];
  /** Share of the belief in which the rate falls only where all of them are applied, so that reverting one cures. */
  needsAll: number;
  /** The rates of that case: not all of them applied, and all. */
  needsAllLevels: readonly [number, number];
}

/** Beliefs over all hypotheses; they sum to 1. */
export type Posterior = readonly Hypothesis[];

export interface PosteriorQuestion {
  needs: Needs;
  evidence: Evidence;
  priors: Priors;
  /** How suspicious each hunk is before any trial, relative to the others. */
  weights?: readonly number[];
}

/** A person's word weighs as much as evidence of this ratio. */
const wordWeight = 19;
/** Sets of three and four are looked at once there are this many graded trials. */
const largerAfter = 10;
/** How many of the best pairs grow into larger sets, and half as many of the best triples. */
const grownPairs = 16;

/**
 * What trials and words say about the hunks, by Bayes' rule: each hypothesis is weighed by its prior, by how well it
 * explains passes and fails (rates integrated over a grid) and by what the person said. Depends on how often which
 * candidate passed and failed, never on the order.
 */
export function computePosterior({ needs, evidence, priors, weights }: PosteriorQuestion): Posterior {
  const { tested, words } = evidence;
  const { hunks } = needs;
  const model = createRateModel(priors.rates);
  const prior = answerPriors(hunks, priors, weights);
  const all = tested.reduce(
    (sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }),
    { passed: 0, failed: 0 },
  );
  const weigh = createWeigher(model, tested, needs, priors.together);
  const spoken = Array.from({ length: hunks }, (_, hunk) => {
    const word = words.get(hunk);
    return word === undefined ? 1 : word === 'guilty' ? wordWeight : 1 / wordWeight;
  });
  const hypothesis = (set: readonly number[]): Hypothesis => {
    const { weight, levels, needsAll, needsAllLevels } = weigh(set);
    let belief = prior.of(set) * weight;
    for (const hunk of set) belief *= spoken[hunk] ?? 1;
    return { hunks: set, belief, levels, needsAll, needsAllLevels };
  };

  const none = model.constant(all);
  const found: Hypothesis[] = [
    {
      hunks: [],
      belief: prior.notThePrompt * none.weight,
      levels: none.levels,
      needsAll: 0,
      needsAllLevels: [0, 0],
    },
  ];
  for (let hunk = 0; hunk < hunks; hunk++) found.push(hypothesis([hunk]));
  const pairs: Hypothesis[] = [];
  for (let one = 0; one < hunks; one++)
    for (let other = one + 1; other < hunks; other++) pairs.push(hypothesis([one, other]));
  // Of hundreds of hunks there are more pairs than one call takes arguments.
  for (const pair of pairs) found.push(pair);
  if (hunks > 2 && priors.larger > 0 && all.passed + all.failed >= largerAfter)
    found.push(...largerSets(pairs, hunks, hypothesis, sumOf(found)));
  const total = sumOf(found);
  for (const one of found) one.belief /= total;
  return found;
}

function sumOf(hypotheses: readonly Hypothesis[]): number {
  return hypotheses.reduce((sum, { belief }) => sum + belief, 0);
}

/** Sets of three grown from the best pairs, and of four from the best of those: all of them would be too many. */
function largerSets(
  pairs: readonly Hypothesis[],
  hunks: number,
  hypothesis: (set: readonly number[]) => Hypothesis,
  total: number,
): Hypothesis[] {
  const seen = new Set<string>();
  const grow = (sets: readonly Hypothesis[]) =>
    sets.flatMap(({ hunks: set }) =>
      Array.from({ length: hunks }, (_, hunk) => hunk).flatMap((hunk) => {
        if (set.includes(hunk)) return [];
        const grown = [...set, hunk].sort((a, b) => a - b);
        const key = grown.join();
        if (seen.has(key)) return [];
        seen.add(key);
        return [hypothesis(grown)];
      }),
    );
  const triples = grow(best(pairs, grownPairs));
  const promising = best(triples, grownPairs / 2).filter(({ belief }) => belief > 1e-5 * total);
  return [...triples, ...(hunks > 3 ? grow(promising) : [])];
}

function best(hypotheses: readonly Hypothesis[], most: number): Hypothesis[] {
  return [...hypotheses].sort((a, b) => b.belief - a.belief).slice(0, most);
}

interface Weighed extends Pick<Hypothesis, 'levels' | 'needsAll' | 'needsAllLevels'> {
  weight: number;
}

/** Weighs sets of guilty hunks by how they explain the trials; what was counted the same is worked out once. */
function createWeigher(
  model: RateModel,
  tested: readonly Tested[],
  needs: Needs,
  together: Together,
): (set: readonly number[]) => Weighed {
  const base = 1 + tested.reduce((sum, { passed, failed }) => sum + passed + failed, 0);
  /** Used again for each set: most are counted the same as one before. */
  const counted = Array.from({ length: 5 }, () => ({ passed: 0, failed: 0 }));
  const known = new Map<number, Weighed>();
  const halves = new Map<number, LevelEvidence>();
  const twoLevels = (up: Counts, down: Counts) => {
    // What is not on one side is on the other, so one side is key enough.
    const key = down.passed * base + down.failed;
    const before = halves.get(key);
    if (before) return before;
    const evidence = model.twoLevels(up, down);
    halves.set(key, evidence);
    return evidence;
  };
  return (set) => {
    countBySize(set, tested, counted);
    const isBound = set.length === 2 && needs.isBinding && isBoundPair(set, needs);
    const key = keyOf(counted, set.length, base) * 2 + (isBound ? 1 : 0);
    // Counts too large for one number are worked out anew.
    const isKey = Number.isSafeInteger(key);
    const before = isKey ? known.get(key) : undefined;
    if (before) return before;
    const at = counted.slice(0, set.length + 1).map(({ passed, failed }) => ({ passed, failed }));
    const weighed = set.length === 1 ? alone(at) : several(at, isBound);
    if (isKey) known.set(key, weighed);
    return weighed;
  };

  function alone([without = none, applied = none]: readonly Counts[]): Weighed {
    const { weight, levels } = twoLevels(without, applied);
    return { weight, levels, needsAll: 1, needsAllLevels: [levels[0] ?? 0, levels[1] ?? 0] };
  }

  function several(at: readonly Counts[], isBound: boolean): Weighed {
    const size = at.length - 1;
    const both = twoLevels(sumCounts(at, 0, size), at[size] ?? none);
    const either = twoLevels(at[0] ?? none, sumCounts(at, 1, size + 1));
    const additive = model.steps(at);
    const bothWeight = isBound ? 0 : together.both * both.weight;
    const eitherWeight = isBound ? 0 : together.either * either.weight;
    const additiveWeight = together.additive * additive.weight;
    const weight = bothWeight + eitherWeight + additiveWeight;
    const [bothGood = 0, bothBad = 0] = both.levels;
    const [eitherGood = 0, eitherBad = 0] = either.levels;
    const needsAllLevels = [bothGood, bothBad] as const;
    if (!(weight > 0)) return { weight: 0, levels: additive.levels, needsAll: 0, needsAllLevels };
    const levels = additive.levels.map(
      (level, count) =>
        (bothWeight * (count === size ? bothBad : bothGood) +
          eitherWeight * (count === 0 ? eitherGood : eitherBad) +
          additiveWeight * level) /
        weight,
    );
    return { weight, levels, needsAll: bothWeight / weight, needsAllLevels };
  }
}

/** Where one hunk of a pair needs the other, "both" and "either" say the same as one of the two alone. */
function isBoundPair([one = 0, other = 0]: readonly number[], { of }: Needs): boolean {
  return of[one]?.includes(other) === true || of[other]?.includes(one) === true;
}

const none: Counts = { passed: 0, failed: 0 };

/** One number for counts by size, sizes told apart; without the first, which is what the others leave. */
function keyOf(at: readonly Counts[], sizes: number, base: number): number {
  let key = sizes;
  for (let size = sizes; size > 0; size--) {
    const { passed, failed } = at[size] ?? none;
    key = (key * base + passed) * base + failed;
  }
  return key;
}

function sumCounts(counts: readonly Counts[], from: number, to: number): Counts {
  const sum = { passed: 0, failed: 0 };
  for (let index = from; index < to; index++) {
    const { passed, failed } = counts[index] ?? none;
    sum.passed += passed;
    sum.failed += failed;
  }
  return sum;
}

/** Counts passes and fails by how many of a set's hunks were applied, from none to all. */
function countBySize(set: readonly number[], tested: readonly Tested[], counts: readonly Counts[]): void {
  for (const count of counts) {
    count.passed = 0;
    count.failed = 0;
  }
  for (let index = 0; index < tested.length; index++) {
    const { applied, passed, failed } = tested[index] as Tested;
    let size = 0;
    for (let place = 0; place < set.length; place++) size += applied[set[place] as number] as number;
    const count = counts[size] as Counts;
    count.passed += passed;
    count.failed += failed;
  }
}
