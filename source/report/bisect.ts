import type { BisectRecord } from '../bisect/record.js';
import type { Usage } from '../model/types.js';
import { activeTime } from '../tally/tally.js';
import type { RunTally } from '../tally/types.js';
import { hunkLines } from './bisect-diff.js';
import { type BisectDigest, digestBisect } from './bisect-digest.js';
import { takenBackLine } from './bisect-said.js';
import { formatBelief } from './bisect-words.js';
import { cacheLine, countOf, formatCount, formatDuration, formatTokens, inline } from './format.js';

/**
 * What stays on the page when a bisect is over, or was left: the finding, what it rests on, the words of the hunks that
 * were found, and what it took. One line at a time, safe to print.
 */
export function* bisectLines(record: BisectRecord, tally: RunTally): Generator<string> {
  const { found } = tally;
  const digest = digestBisect(record, found);
  if (found) {
    yield inline(found.headline);
    for (const reason of found.reasons) yield `  ${inline(reason)}`;
    yield* foundLines(digest, record);
  } else yield* unfinishedLines(digest);
  if (digest.takenBack) {
    yield '';
    yield takenBackLine(digest.takenBack);
  }
  yield '';
  yield spentLine(tally, digest);
}

/** The words of the hunks that are blamed. */
function* foundLines({ hunks, narrowed }: BisectDigest, { planned }: BisectRecord): Generator<string> {
  const guilty = hunks.filter(({ isGuilty }) => isGuilty);
  for (const { number, hunk } of guilty) {
    yield '';
    yield inline(`hunk ${number}, ${hunk.kind}: ${hunk.title}`);
    for (const line of hunkLines(hunk, { good: planned.good.name, bad: planned.bad.name })) yield `  ${line}`;
  }
  const also = narrowed?.reverted.filter((number) => !guilty.some((one) => one.number === number)) ?? [];
  if (also.length > 0) {
    yield '';
    yield `with it goes what cannot be without it: ${also.map((number) => `hunk ${number}`).join(', ')}`;
  }
}

/** How far it came. */
function* unfinishedLines({ belief, spent, budget }: BisectDigest): Generator<string> {
  yield `NOT FINISHED: ${formatCount(spent)} of at most ${countOf(budget, 'trial')} spent`;
  if (!belief) return;
  const { leader } = belief;
  const what =
    leader.hunks.length === 0
      ? 'not the prompt'
      : `hunk ${leader.hunks.map((hunk) => hunk + 1).join(' and ')}`;
  yield `  most believed so far: ${what}, ${formatBelief(leader.belief)}`;
}

function agentText(agent: Usage, isPartial: boolean): string {
  const sum = agent.input + agent.output;
  if (isPartial && sum === 0) return 'tokens unknown: the product reports none';
  return `agent ${isPartial ? 'over ' : ''}${formatTokens(sum)} tokens (${cacheLine(agent)})`;
}

/** What it took: trials, conversations, time and tokens. */
export function spentLine(tally: RunTally, { spent }: Pick<BisectDigest, 'spent'>): string {
  const { agent, judge, user, isAgentPartial } = tally.tokens;
  const judged = judge.input + judge.output;
  const played = user ? user.input + user.output : 0;
  const parts = [
    `spent ${countOf(spent, 'trial')}`,
    countOf(tally.trials.done, 'conversation'),
    formatDuration(activeTime(tally, tally.lastAt)),
    agentText(agent, isAgentPartial === true),
    judged > 0 && `judge ${formatTokens(judged)}`,
    played > 0 && `simulated user ${formatTokens(played)}`,
  ];
  return parts.filter((part) => part !== false).join(', ');
}
