import { contentHash } from '../base/hash.js';
import type { CheckEvidence, Evidence, ScenarioEvidence } from './types.js';

/** Of almost all scenarios and checks; a comparison goes through thousands. */
const nothing: readonly string[] = [];

type Judges = Pick<Evidence, 'judge' | 'user' | 'condition'>;

/** What of a scenario differs between two sides, so that nothing of it can be compared; empty: nothing. */
export function scenarioDifferences(
  [base, from]: readonly [Judges, ScenarioEvidence],
  [candidate, to]: readonly [Judges, ScenarioEvidence],
): readonly string[] {
  const isLive = base.condition.liveTools === true && candidate.condition.liveTools === true;
  const isSimulated = from.isSimulatedUser === true || to.isSimulatedUser === true;
  if (!isSimulated && isSameConversation(from, to)) return nothing;
  return [
    from.parts.turns !== to.parts.turns && 'turns',
    // Fixtures answer nothing where tools are called for real.
    !isLive && from.parts.fixtures !== to.parts.fixtures && 'fixtures',
    from.parts.persona !== to.parts.persona && 'persona',
    isSimulated && base.user?.model !== candidate.user?.model && 'user model',
    isSimulated && base.user?.prompt !== candidate.user?.prompt && 'user prompt',
  ].filter((part) => part !== false);
}

/** Whether two scenarios lead to the same conversation: turns, fixtures and persona are the same. */
export function isSameConversation(a: ScenarioEvidence, b: ScenarioEvidence): boolean {
  const { turns, fixtures, persona } = a.parts;
  return turns === b.parts.turns && fixtures === b.parts.fixtures && persona === b.parts.persona;
}

/** What of a check differs between two sides: its own content, and who judged it and how. */
export function checkDifferences(
  [base, from]: readonly [Judges, CheckEvidence],
  [candidate, to]: readonly [Judges, CheckEvidence],
): readonly string[] {
  const isJudged = from.kind === 'judged' || to.kind === 'judged';
  const isSameCheck = from.type === to.type && from.kind === to.kind && from.hash === to.hash;
  if (isSameCheck && !isJudged) return nothing;
  return [
    !isSameCheck && 'the check',
    isJudged && base.judge?.promptSha256 !== candidate.judge?.promptSha256 && 'judge prompt',
    isJudged && base.judge?.model !== candidate.judge?.model && 'judge model',
  ].filter((part) => part !== false);
}

/**
 * Names what a check asks, of which conversation, and who judges it: where two sides of the same condition have the same
 * one, `scenarioDifferences` and `checkDifferences` find nothing between them.
 */
export function criterionHash(
  { judge, user, condition }: Judges,
  { parts, isSimulatedUser }: Pick<ScenarioEvidence, 'parts' | 'isSimulatedUser'>,
  { type, kind, hash }: Pick<CheckEvidence, 'type' | 'kind' | 'hash'>,
): string {
  const { turns, fixtures, persona } = parts;
  return contentHash({
    turns,
    ...(!condition.liveTools && { fixtures }),
    persona,
    ...(isSimulatedUser && { user: [user?.model, user?.prompt] }),
    check: [type, kind, hash],
    ...(kind === 'judged' && { judge: [judge?.promptSha256, judge?.model] }),
  });
}
