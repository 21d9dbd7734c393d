import { UserError } from '../../base/errors.js';
import { listed, quote } from '../../base/quote.js';
import type { Condition } from '../../run/planned.js';
import { isSimulatedUser } from '../../suite/turns.js';
import type { Suite } from '../../suite/types.js';

/** Two conditions that are to be compared. */
export interface WantedComparison {
  from: Condition;
  to: Condition;
  /** Somebody asked for the comparison: it is refused rather than left out. */
  isAsked: boolean;
  /** `--compare-simulated-users` was given. */
  isAllowed: boolean;
}

/**
 * What is known before trials are spent: a model that plays the user answers to what the agent said, so what differs
 * between two conditions may be its doing. Says whether anything is left to compare, and what a person should know.
 * Throws UserError where nothing is left of a comparison that was asked for.
 */
export function compareWithUsers(
  suite: Suite,
  { from, to, isAsked, isAllowed }: WantedComparison,
): { isCompared: boolean; notes: string[] } {
  const simulated = from.hash === to.hash ? [] : suite.scenarios.filter(isSimulatedUser);
  if (simulated.length === 0) return { isCompared: true, notes: [] };
  const ids = simulated.map(({ id }) => quote(id));
  const shown = listed(ids.length > 5 ? [...ids.slice(0, 5), `${ids.length - 5} more`] : ids);
  if (isAllowed) {
    return {
      isCompared: true,
      notes: [`confounded: a simulated user speaks in ${shown}, and what differs there may be its doing`],
    };
  }
  if (simulated.length < suite.scenarios.length) {
    return {
      isCompared: true,
      notes: [
        `a simulated user speaks in ${shown}: run, and not compared, for what differs may be its doing; --compare-simulated-users compares them all the same`,
      ],
    };
  }
  const why = `a simulated user speaks in every scenario of ${quote(suite.name)}, and what differs may be its doing`;
  if (isAsked) {
    throw new UserError(
      `${why}; compare all the same with --compare-simulated-users, or run without a comparison with --no-baseline`,
    );
  }
  return { isCompared: false, notes: [`compared with nothing: ${why}; --compare-simulated-users compares`] };
}
