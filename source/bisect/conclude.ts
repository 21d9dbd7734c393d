import { incompleteBeta } from '../base/statistics.js';
import type { BisectAnswer, BisectFinding, BisectPurpose, WhyInconclusive } from '../run/bisect-events.js';
import { type Belief, beliefOf } from './answer.js';
import { badEnd, badWithout, type Candidate, closeNeeds, goodEnd, type Needs } from './candidate.js';
import { type Choice, chooseCandidate } from './choose.js';
import { countsOf, countTrials, type Evidence, isUntestable, readEvidence } from './evidence.js';
import { defaultPriors } from './hypotheses.js';
import { entropy } from './information.js';
import type { Next } from './next.js';
import { computePosterior, type Posterior } from './posterior.js';
import type { Counts } from './rates.js';
import { currentBudget, liveTrials, mostErrors, type Session, spentTrials } from './session.js';

/** An answer holds from here on, once it is confirmed. */
const sure = 0.95;
/** From here on an answer is confirmed. */
const worthConfirming = 0.9;
/** Trials of each of two prompts, at the ends and in a confirmation. */
const trialsASide = 2;

/** A session with all that follows from it. */
export interface Known {
  session: Session;
  needs: Needs;
  evidence: Evidence;
  posterior: Posterior;
  belief: Belief;
}

export function understand(session: Session): Known {
  const needs = closeNeeds(session.hunks, session.dependencies);
  const evidence = readEvidence(session);
  const { history, weights } = session;
  const priors = history ? { ...defaultPriors, rates: { ...defaultPriors.rates, history } } : defaultPriors;
  const posterior = computePosterior({ needs, evidence, priors, ...(weights && { weights }) });
  return { session, needs, evidence, posterior, belief: beliefOf(posterior, session.hunks) };
}

/** Both ends, in turns, until each was graded twice. Undefined when that is done. */
export function measureEnds(known: Known): Next | undefined {
  const { session, evidence } = known;
  const ends = [goodEnd(session.hunks), badEnd(session.hunks)];
  return inTurns(known, ends, { kind: 'ends' }, (candidate) => countsOf(evidence, candidate));
}

/**
 * Whether the bisect ends here, or an answer is to be confirmed: an answer that is believed enough ends it after its
 * confirmation, errors in a row and the budget end it at once. Undefined: the search goes on.
 */
export function settle(known: Known): Next | undefined {
  const { session, evidence, belief } = known;
  const { leader } = belief;
  if (leader.hunks.length === 0 && leader.belief >= 0.8 && goodFails(known))
    return finish({ kind: 'good-fails-too', belief: leader.belief });
  const confirmation = openConfirmation(known);
  if (leader.belief >= sure && !confirmation && isConfirmed(known, leader)) {
    const { hunks, belief: probability } = leader;
    return finish(
      hunks.length === 0
        ? { kind: 'not-the-prompt', belief: probability }
        : { kind: 'hunks', hunks, belief: probability },
    );
  }
  if (evidence.errorsInARow >= mostErrors) return inconclusive(known, 'errors');
  if (spentTrials(session) >= currentBudget(session)) return inconclusive(known, 'budget');
  if (confirmation) return confirmation;
  if (leader.belief >= worthConfirming && !isConfirmed(known, leader)) return confirm(known, leader.hunks);
  return undefined;
}

/** The trial that says most, whatever it is. */
export function search(known: Known): Next {
  const choice = choose(known);
  if (!choice) return inconclusive(known, 'ungradable');
  return { kind: 'try', candidate: choice.candidate, purpose: { kind: 'search' }, trials: 1 };
}

function choose({ session: { seed }, posterior, belief, needs, evidence }: Known): Choice | undefined {
  return chooseCandidate({ posterior, belief, needs, evidence, seed });
}

export function finish(finding: BisectFinding): Next {
  return { kind: 'finish', finding };
}

export function inconclusive(known: Known, why: WhyInconclusive): Next {
  const { leader } = known.belief;
  const wouldTake = trialsToSettle(known);
  return finish({ kind: 'inconclusive', why, leader, ...(wouldTake !== undefined && { wouldTake }) });
}

/**
 * About how many more trials it takes until an answer is sure, if each says as much as the best does now: the
 * uncertainty that is too much, over the gain of a trial. Undefined where no trial says anything.
 */
function trialsToSettle(known: Known): number | undefined {
  const { leader, hunks } = known.belief;
  const choice = choose(known);
  if (!choice || !(choice.gain > 1e-6)) return undefined;
  const isAboutLeader = leader.belief >= 0.5;
  const open = isAboutLeader
    ? entropy(leader.belief)
    : known.posterior.reduce((sum, { belief }) => sum - (belief > 0 ? belief * Math.log2(belief) : 0), 0);
  const rest = entropy(sure) + (isAboutLeader ? 0 : (1 - sure) * Math.log2(Math.max(1, hunks.length)));
  return Math.ceil(Math.max(0, open - rest) / choice.gain) + 2 * trialsASide;
}

/** The pass rate of A is below 0.6, with 95 % probability under a uniform prior. */
function goodFails({ session: { hunks }, evidence }: Known): boolean {
  const { passed, failed } = countsOf(evidence, goodEnd(hunks));
  return passed + failed > 0 && incompleteBeta(0.6, passed + 1, failed + 1) >= 0.95;
}

/** What a finding is confirmed with against B: B without it; A for the finding that it is not the prompt. */
function cured({ session, needs }: Known, hunks: readonly number[]): Candidate {
  return hunks.length === 0 ? goodEnd(session.hunks) : badWithout(hunks, needs);
}

function isConfirmed(known: Known, { hunks }: BisectAnswer): boolean {
  return confirm(known, hunks) === undefined;
}

/** A confirmation that was begun goes on even when another answer leads meanwhile. */
function openConfirmation(known: Known): Next | undefined {
  const last = liveTrials(known.session).at(-1);
  return last?.purpose.kind === 'confirm' ? confirm(known, last.purpose.hunks) : undefined;
}

function confirm(known: Known, hunks: readonly number[]): Next | undefined {
  const { session } = known;
  const key = hunks.join();
  const sides = [cured(known, hunks), badEnd(session.hunks)];
  return inTurns(known, sides, { kind: 'confirm', hunks }, (candidate) =>
    countTrials(
      session,
      ({ candidate: tried, purpose }) =>
        tried === candidate && purpose.kind === 'confirm' && purpose.hunks.join() === key,
    ),
  );
}

/**
 * What is left of two prompts until each was graded twice, as `countsOn` counts: the one with more trials left, the first
 * of two that have as many. Undefined when nothing is left.
 */
function inTurns(
  { evidence }: Known,
  candidates: readonly Candidate[],
  purpose: BisectPurpose,
  countsOn: (candidate: Candidate) => Counts,
): Next | undefined {
  const sides = candidates.map((candidate) => {
    const { passed, failed } = countsOn(candidate);
    return { candidate, left: isUntestable(evidence, candidate) ? 0 : trialsASide - passed - failed };
  });
  const inTurn: Candidate[] = [];
  for (;;) {
    const most = sides.reduce((one, side) => (side.left > one.left ? side : one));
    if (most.left <= 0) break;
    most.left--;
    inTurn.push(most.candidate);
  }
  const [candidate] = inTurn;
  return candidate === undefined
    ? undefined
    : { kind: 'try', candidate, purpose, trials: inTurn.length, inTurn };
}
