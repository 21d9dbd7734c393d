import { type Known, measureEnds, search, settle, understand } from './conclude.js';
import { nextGuided } from './guided.js';
import type { Next, Proposal } from './next.js';
import { nextBinary, nextOneByOne } from './plain.js';
import { currentStrategy, type Session } from './session.js';

/**
 * What to do next in a session, and what is believed so far. Pure: it runs nothing, and the same session always gives the
 * same. The screen, the command and the simulator all go by it.
 */
export function propose(session: Session): Proposal {
  const strategy = currentStrategy(session);
  switch (strategy) {
    case 'auto':
      return withBelief(session, nextAuto);
    case 'guided':
      return withBelief(session, nextGuided);
    case 'one-by-one':
      return { next: nextOneByOne(session) };
    case 'binary':
      return { next: nextBinary(session) };
  }
}

function withBelief(session: Session, decide: (known: Known) => Next): Proposal {
  const known = understand(session);
  return { next: decide(known), belief: known.belief };
}

/** Both ends first, then always the trial that says most. */
function nextAuto(known: Known): Next {
  const settled = settle(known);
  const isOver = settled?.kind === 'finish' && settled.finding.kind === 'inconclusive';
  return (isOver ? undefined : measureEnds(known)) ?? settled ?? search(known);
}
