import { textWidth } from '../base/width.js';
import { type Rate, type RunScores, rateInterval, scoresOf } from '../tally/scores.js';
import type { RunTally } from '../tally/types.js';
import { formatShare, inline } from './format.js';
import { conditionLabel, testedConditions } from './run-facts.js';

/**
 * The scores of a run per axis and per tag, a table a condition that is tested; nothing where no check has an axis. Safe to print, one
 * line at a time.
 */
export function* scoreLines(tally: RunTally): Generator<string> {
  const tested = testedConditions(tally.started);
  for (const condition of tested) {
    const scores = scoresOf(tally, condition.id);
    if (scores.axes.length === 0) continue;
    const label = conditionLabel(condition, tested);
    yield '';
    yield* tableLines(scores, label === '' ? 'scores' : `scores (${label})`);
  }
}

function* tableLines({ all, axes, tags }: RunScores, title: string): Generator<string> {
  const rows: { name: string; rate: Rate; note: string }[] = [
    { name: 'all trials', rate: all, note: '' },
    ...axes.map((axis) => ({ name: `axis ${inline(axis.axis)}`, rate: axis, note: partText(axis) })),
    ...tags.map((tag) => ({
      name: `tag ${inline(tag.tag)}`,
      rate: tag,
      note: tag.axes.map(({ axis, passed, of }) => `${inline(axis)} ${passed}/${of}`).join('  '),
    })),
  ];
  const width = Math.min(40, Math.max(...rows.map(({ name }) => textWidth(name)), title.length));
  const most = Math.max(...rows.map(({ rate }) => `${rate.passed}/${rate.of}`.length));
  yield `${title.padEnd(width)}  ${'passed'.padStart(most)}        95 % interval over scenarios`;
  for (const { name, rate, note } of rows) {
    const cells = [
      name + ' '.repeat(Math.max(0, width - textWidth(name))),
      `${rate.passed}/${rate.of}`.padStart(Math.max(most, 6)),
      (rate.of === 0 ? '-' : formatShare(rate.passed / rate.of)).padStart(5),
      intervalText(rate).padEnd(9),
      note,
    ];
    yield cells.join('  ').trimEnd();
  }
}

function intervalText(rate: Rate): string {
  if (rate.of === 0) return '';
  const { low, high } = rateInterval(rate);
  return `${low.toFixed(2)}–${high.toFixed(2)}`;
}

/** What an axis has beyond its trials that were right in all. */
function partText({ passed, of, share }: RunScores['axes'][number]): string {
  return share > passed / of ? `${formatShare(share)} of its parts` : '';
}

/** The scores of a run for machines, one object a condition. */
export function scoreFacts(tally: RunTally) {
  return tally.conditions.map(({ id }) => {
    const { condition, all, axes, tags, judged, meanJudged } = scoresOf(tally, id);
    return {
      condition,
      all: withInterval(all),
      axes: axes.map(withInterval),
      tags: tags.map((tag) => ({ ...withInterval(tag), axes: tag.axes.map(withInterval) })),
      judged,
      meanJudged: meanJudged ?? null,
    };
  });
}

function withInterval<R extends Rate>(rate: R): R & { interval: [number, number] } {
  const { low, high } = rateInterval(rate);
  return { ...rate, interval: [low, high] };
}
