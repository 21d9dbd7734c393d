/**
 * What one does without a posterior, to compare with: a fixed number of trials of each prompt, and each verdict is
 * believed. Unknown trials are run again.
 */

import { toleratedFailures } from '../tally/verdict.js';
import { badEnd, badWithout, type Candidate, closeNeeds, goodEnd, goodWith } from './candidate.js';
import { countsOf, type Evidence, isUntestable, readEvidence } from './evidence.js';
import type { Next } from './next.js';
import { currentBudget, mostErrors, type Session, spentTrials } from './session.js';

/** Reverts hunks from B one by one and names the first without which it recovers. */
export function nextOneByOne(session: Session): Next {
  return withinMeans(session, oneByOne);
}

function oneByOne(session: Session, evidence: Evidence): Next {
  const needs = closeNeeds(session.hunks, session.dependencies);
  const before = precondition(session, evidence);
  if (before) return before;
  for (let hunk = 0; hunk < session.hunks; hunk++) {
    const measured = measure(session, evidence, badWithout([hunk], needs));
    if ('next' in measured) return measured.next;
    if (measured.passed >= session.repeats - toleratedFailures(session.repeats))
      return { kind: 'finish', finding: { kind: 'hunks', hunks: [hunk] } };
  }
  return { kind: 'finish', finding: { kind: 'inconclusive', why: 'no-recovery' } };
}

/** Halves the prefix of hunks at whose end it breaks; a prompt is bad when at most half of its trials pass. */
export function nextBinary(session: Session): Next {
  return withinMeans(session, binary);
}

/** The next step, unless it is a trial that nothing is left for. */
function withinMeans(session: Session, decide: (session: Session, evidence: Evidence) => Next): Next {
  const evidence = readEvidence(session);
  const next = decide(session, evidence);
  if (next.kind !== 'try') return next;
  const why = evidence.errorsInARow >= mostErrors ? 'errors' : 'budget';
  const isOver = why === 'errors' || spentTrials(session) >= currentBudget(session);
  return isOver ? { kind: 'finish', finding: { kind: 'inconclusive', why } } : next;
}

function binary(session: Session, evidence: Evidence): Next {
  const needs = closeNeeds(session.hunks, session.dependencies);
  const before = precondition(session, evidence);
  if (before) return before;
  let good = 0;
  let bad = session.hunks;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    const prefix = Array.from({ length: middle }, (_, hunk) => hunk);
    const measured = measure(session, evidence, goodWith(prefix, needs));
    if ('next' in measured) return measured.next;
    if (measured.passed * 2 <= session.repeats) bad = middle;
    else good = middle;
  }
  return { kind: 'finish', finding: { kind: 'hunks', hunks: [bad - 1] } };
}

/** A has to pass more often than B, or there is nothing to find. */
function precondition(session: Session, evidence: Evidence): Next | undefined {
  const good = measure(session, evidence, goodEnd(session.hunks));
  if ('next' in good) return good.next;
  const bad = measure(session, evidence, badEnd(session.hunks));
  if ('next' in bad) return bad.next;
  return good.passed > bad.passed ? undefined : { kind: 'finish', finding: { kind: 'not-the-prompt' } };
}

/** How often a prompt passed, or the trial that is missing to say so. */
function measure(
  session: Session,
  evidence: Evidence,
  candidate: Candidate,
): { passed: number } | { next: Next } {
  const { passed, failed } = countsOf(evidence, candidate);
  const trials = session.repeats - passed - failed;
  if (trials <= 0) return { passed };
  if (isUntestable(evidence, candidate))
    return { next: { kind: 'finish', finding: { kind: 'inconclusive', why: 'ungradable' } } };
  return { next: { kind: 'try', candidate, purpose: { kind: 'search' }, trials } };
}
