import { toleratedFailures } from '../tally/verdict.js';
import { appliedOf, badEnd, badWithout, type Candidate, goodEnd, type Needs } from './candidate.js';
import { type Known, measureEnds, search, settle } from './conclude.js';
import { countsOf, countTrials, isUntestable } from './evidence.js';
import { createProbe } from './information.js';
import type { Attempt, Next, StepVerdict } from './next.js';
import type { Counts } from './rates.js';
import { currentStrategy, isTakenBack, lastOfSteps, liveEntries, type Session } from './session.js';

/** Trials of both ends at most, while it is more likely than not that they do not differ. */
const mostOfEnds = 20;

/**
 * Hunks are reverted from B one by one, the most suspicious first, several trials each, and a person has the word on
 * each. A step stops as soon as its trials are decided. What no step settled is searched for as `auto` does.
 */
export function nextGuided(known: Known): Next {
  const settled = settle(known);
  if (settled?.kind === 'finish' && settled.finding.kind === 'inconclusive') return settled;
  return (
    measureEnds(known) ??
    // Nothing is concluded in the middle of a step: the person asked for it and gets its verdict.
    openStep(known) ??
    settled ??
    endsAgain(known) ??
    nextStep(known) ??
    search(known)
  );
}

/**
 * Whether a guided bisect would begin another step by a trial: in the midst of one it goes on by itself. What was taken
 * back is not tried again unasked, whatever it was for.
 */
export function beginsStep(session: Session, { purpose }: Pick<Attempt, 'purpose'>): boolean {
  if (currentStrategy(session) !== 'guided') return false;
  if (purpose.kind === 'search' || isTakenBack(session)) return true;
  if (purpose.kind !== 'step') return false;
  const last = lastOfSteps(session);
  return !(last?.kind === 'trial' && last.purpose.kind === 'step' && last.purpose.hunk === purpose.hunk);
}

/** The step that the last trial belongs to, until it is decided upon. */
function openStep(known: Known): Next | undefined {
  const last = lastOfSteps(known.session);
  return last?.kind === 'trial' && last.purpose.kind === 'step' ? step(known, last.purpose.hunk) : undefined;
}

function nextStep(known: Known): Next | undefined {
  const hunk = mostSuspicious(known);
  return hunk === undefined ? undefined : step(known, hunk);
}

function step(known: Known, hunk: number): Next {
  const { session, needs, evidence, posterior } = known;
  const candidate = badWithout([hunk], needs);
  const { passed, failed } = stepCounts(session, candidate);
  const verdict = stepVerdict(passed, failed, session.repeats);
  if (verdict !== undefined) return { kind: 'decide', hunk, verdict };
  if (isUntestable(evidence, candidate)) return { kind: 'decide', hunk, verdict: 'unknown' };
  const probe = createProbe(posterior, session.hunks);
  probe.set(appliedOf(candidate));
  const trials = expectedTrials(passed, failed, session.repeats, probe.passes());
  return { kind: 'try', candidate, purpose: { kind: 'step', hunk }, trials };
}

/**
 * What so many trials of a step say, by the verdict of `repeats` trials: undefined while the rest could turn it. Stopping
 * here never changes the verdict.
 */
export function stepVerdict(passed: number, failed: number, repeats: number): StepVerdict | undefined {
  const tolerated = toleratedFailures(repeats);
  if (failed > tolerated) return 'still-fails';
  return passed >= repeats - tolerated ? 'recovered' : undefined;
}

/** Trials that a step is expected to take from here, at a pass rate. */
export function expectedTrials(passed: number, failed: number, repeats: number, rate: number): number {
  const tolerated = toleratedFailures(repeats);
  const passes = repeats - tolerated - passed;
  const fails = tolerated + 1 - failed;
  if (passes <= 0 || fails <= 0) return 0;
  /** By how many fails are missing until it is decided; first where no pass is, then where one is, … */
  let expected = new Array<number>(fails + 1).fill(0);
  for (let missing = 1; missing <= passes; missing++) {
    const row = [0];
    for (let left = 1; left <= fails; left++)
      row.push(1 + rate * (expected[left] ?? 0) + (1 - rate) * (row[left - 1] ?? 0));
    expected = row;
  }
  return expected[fails] ?? 0;
}

/** What the trials of a hunk's step say so far. */
export function verdictOfStep(session: Session, hunk: number, needs: Needs): StepVerdict | undefined {
  const { passed, failed } = stepCounts(session, badWithout([hunk], needs));
  return stepVerdict(passed, failed, session.repeats);
}

/** Graded trials of a candidate that were run for a step. */
function stepCounts(session: Session, candidate: Candidate): Counts {
  return countTrials(session, (trial) => trial.purpose.kind === 'step' && trial.candidate === candidate);
}

/** Does it reproduce at all? Before the first hunk is reverted the ends are measured on while "not the prompt" leads. */
function endsAgain({ session, evidence, belief }: Known): Next | undefined {
  const { leader } = belief;
  if (leader.hunks.length > 0 || leader.belief < 0.5) return undefined;
  const entries = liveEntries(session);
  if (entries.some((entry) => 'hunk' in entry && entry.kind !== 'note')) return undefined;
  const trials = entries.filter((entry) => entry.kind === 'trial' && entry.purpose.kind === 'ends');
  if (trials.length >= mostOfEnds) return undefined;
  const [good, bad] = [goodEnd(session.hunks), badEnd(session.hunks)].map((candidate) => {
    const { passed, failed } = countsOf(evidence, candidate);
    return {
      candidate,
      trials: isUntestable(evidence, candidate) ? Number.POSITIVE_INFINITY : passed + failed,
    };
  });
  if (!good || !bad || Math.min(good.trials, bad.trials) === Number.POSITIVE_INFINITY) return undefined;
  const { candidate } = bad.trials < good.trials ? bad : good;
  return { kind: 'try', candidate, purpose: { kind: 'ends' }, trials: 1 };
}

/** The hunk that is most believed guilty of those that no word has been given on. */
function mostSuspicious({ session, belief }: Known): number | undefined {
  const done = new Set(
    liveEntries(session).flatMap((entry) =>
      entry.kind === 'accept' || entry.kind === 'skip' || entry.kind === 'override' ? [entry.hunk] : [],
    ),
  );
  let most: number | undefined;
  for (const [hunk, guilt] of belief.hunks.entries()) {
    if (done.has(hunk)) continue;
    // Beliefs of hunks that nothing tells apart differ by rounding only.
    if (most === undefined || guilt > (belief.hunks[most] ?? 0) + 1e-9) most = hunk;
  }
  return most;
}
