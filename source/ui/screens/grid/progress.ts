import { makeVisible } from '../../../base/text.js';
import { cacheHitRate, effectiveInput } from '../../../model/types.js';
import { formatDuration, formatKnownTokens, formatRemaining, formatShare } from '../../../report/format.js';
import { activeTime } from '../../../tally/tally.js';
import { fitLine, joinFitting, type Segment, segment } from '../../segments.js';
import type { Theme } from '../../theme.js';
import { type HeadFacts, isUntouched } from './head.js';

/** The bar and the figures of the run. The most important come first, the last fall off where it is narrow. */
export function progressLine(facts: HeadFacts, theme: Theme, width: number): Segment[] {
  const { tally, now } = facts;
  const { done, total, running } = tally.trials;
  const share = total > 0 ? done / total : 0;
  const { agent, isAgentPartial = false } = tally.tokens;
  const cache = cacheHitRate(agent);
  const figures = isUntouched(tally)
    ? [`0/${total}`]
    : [
        `${done}/${total}  ${formatShare(share)}`,
        running > 0 ? `${running} in flight` : undefined,
        timeText(facts, now),
        `${formatKnownTokens(agent.input + agent.output, isAgentPartial)} tok`,
        cache === undefined ? undefined : `cache ${formatShare(cache)}`,
        `effective ${formatKnownTokens(effectiveInput(agent), isAgentPartial)}`,
      ].filter((figure) => figure !== undefined);
  const barWidth = Math.max(10, Math.min(34, Math.floor(width * 0.28)));
  const waits = facts.waits.map((text) => [segment(makeVisible(text), 'warn')]);
  const groups = figures.map((figure, index) => [segment(figure, index === 0 ? 'strong' : 'plain')]);
  return fitLine(
    [
      segment(' '),
      ...bar(share, barWidth, theme),
      segment('  '),
      ...joinFitting([...groups.slice(0, 1), ...waits, ...groups.slice(1)], width - barWidth - 4, 3),
    ],
    width,
  );
}

function timeText({ tally, pace, isLive, isPaused, isStopping }: HeadFacts, now: number): string | undefined {
  const { done, total } = tally.trials;
  if (tally.state !== 'running' || !isLive) {
    return `took ${formatDuration(activeTime(tally, tally.lastAt))}`;
  }
  if (isPaused || isStopping || done >= total) return undefined;
  const left = pace.remaining(total - done, now);
  return left === undefined ? undefined : `${formatRemaining(left)} left`;
}

function bar(share: number, width: number, { glyphs }: Theme): Segment[] {
  const filled = Math.floor(share * width);
  const isFull = filled >= width;
  const hasTip = !isFull && filled > 0;
  const done = glyphs.barDone.repeat(hasTip ? filled - 1 : filled) + (hasTip ? glyphs.barTip : '');
  return [segment(done, 'accent'), segment(glyphs.barLeft.repeat(width - filled), 'faint')];
}
