import { makeVisible } from '../../../base/text.js';
import { fitToWidth, textWidth } from '../../../base/width.js';
import type { GateVerdict } from '../../../compare/gate.js';
import type { Comparison } from '../../../compare/types.js';
import { cacheHitRate, effectiveInput } from '../../../model/types.js';
import {
  countOf,
  formatDuration,
  formatKnownTokens,
  formatRemaining,
  formatShare,
} from '../../../report/format.js';
import { vendorNoticeOf } from '../../../report/run-facts.js';
import type { Condition, QuarantineEntry } from '../../../run/events.js';
import { activeTime } from '../../../tally/tally.js';
import type { RunState, RunTally, Verdict } from '../../../tally/types.js';
import { gateWords } from '../../gate-words.js';
import type { Pace } from '../../pace.js';
import {
  fitLine,
  joinFitting,
  type Line,
  lineWidth,
  type Segment,
  segment,
  spreadLine,
} from '../../segments.js';
import { spinnerFrame, type Theme } from '../../theme.js';
import type { Tone } from '../../tone.js';
import { groupNumbers } from './cells.js';
import { type GridColumns, gap, markerWidth } from './columns.js';
import { fitName } from './name.js';
import type { SortName } from './sort.js';

/** What the lines above the rows tell. */
export interface HeadFacts {
  tally: RunTally;
  title: string | undefined;
  pace: Pace;
  isLive: boolean;
  isPaused: boolean;
  isStopping: boolean;
  /** Criteria that are being run again before anything is said of them. */
  confirming: number;
  comparison: Comparison | undefined;
  /** The gate's word about a run that has ended; undefined where there is none. */
  verdict: GateVerdict | undefined;
  /** By how many trials each check of the baseline is known. */
  knownTrials: string | undefined;
  /** What is to be said of provider accounts that hold requests back. */
  waits: readonly string[];
  /** How many notes there are on its files, which the help shows. */
  notes: number;
  /** Position from 1 among `of` runs. */
  run: number;
  of: number;
  now: number;
}

/** Suite, prompt versions, model, repeats; at the other end what the run is doing. */
export function headerLine(facts: HeadFacts, theme: Theme, width: number): Segment[] {
  const { tally, title, run, of } = facts;
  const { plan, suite, regradeOf } = tally.started;
  const ran = plan.conditions.filter(({ standby }) => standby !== true);
  const vendor = vendorNoticeOf(tally.started)?.kind;
  const isExtended = tally.trials.total > plan.scenarios.length * ran.length * plan.repeat;
  const repeats = `${countOf(plan.repeat, 'repeat')}${isExtended ? ', some more' : ''}`;
  const state = stateSegments(facts, theme);
  const room = Math.max(0, width - lineWidth(state) - 2);
  const name = makeVisible(title ?? suite);
  const parts: Line[] = [
    [segment(fitToWidth(name, Math.min(textWidth(name), room)), 'title')],
    ...(of > 1 ? [[segment(`suite ${run}/${of}`, 'faint')]] : []),
    [segment(makeVisible(distinct(ran, ({ promptName }) => promptName).join(' vs ')), 'accent')],
    ...baseParts(facts, width),
    // No agent was asked: that is to be seen before whose answers these are.
    ...(regradeOf ? [[segment(regradeText(regradeOf.runId, width), 'warn')]] : []),
    [segment(makeVisible(distinct(ran, ({ model }) => model).join(', ')))],
    [segment(repeats, 'faint')],
    ...(plan.conditions.some(({ liveTools }) => liveTools === true) ? [[segment('live tools', 'warn')]] : []),
    ...(vendor === 'same' ? [[segment('judge of the same vendor', 'warn')]] : []),
    ...(vendor === 'unknown' ? [[segment("judge's vendor not known", 'faint')]] : []),
  ];
  const left = joinFitting(parts, room, 3);
  return spreadLine([segment(' '), ...left], state, width);
}

/** Of a base that is not run: which baseline it is, and how well it is known. */
function baseParts({ tally, comparison, knownTrials }: HeadFacts, width: number): Line[] {
  const { base, plan } = tally.started;
  const name = comparison?.base.condition.promptName ?? plan.conditions.at(-1)?.promptName ?? '';
  if (comparison?.base.kind !== 'baseline' && base?.kind !== 'baseline') {
    // A run of another time is named too: the conditions of this one say nothing of it.
    const isOther = comparison !== undefined && comparison.base.runId !== tally.started.runId;
    return isOther
      ? [[segment('vs ', 'faint'), segment(makeVisible(`${name} of ${comparison.base.runId}`), 'accent')]]
      : [];
  }
  const known = knownTrials === undefined || width < 90 ? '' : `, ${knownTrials} known`;
  return [
    [segment('vs ', 'faint'), segment(`baseline ${makeVisible(name)}`, 'accent'), segment(known, 'faint')],
  ];
}

function regradeText(runId: string, width: number): string {
  return width < 100 ? 'regraded' : `regraded from ${makeVisible(runId)}`;
}

function distinct(conditions: readonly Condition[], of: (condition: Condition) => string): string[] {
  return [...new Set(conditions.map(of))];
}

const stateTones: Record<RunState, Tone> = {
  running: 'running',
  completed: 'strong',
  interrupted: 'warn',
  stopped: 'warn',
  unfinished: 'warn',
};

function stateSegments(facts: HeadFacts, theme: Theme): Segment[] {
  const { tally, isLive, isPaused, isStopping, now } = facts;
  const marks = [
    ...(facts.notes > 0 ? [segment(`${countOf(facts.notes, 'note')} (?)`, 'warn'), segment('  ')] : []),
    ...(tally.taints.length > 0 ? [segment('tainted', 'fail'), segment('  ')] : []),
  ];
  if (tally.state !== 'running') {
    return [...marks, ...verdictSegments(facts), segment(tally.state, stateTones[tally.state])];
  }
  // A past run whose journal has no end: nothing moves, and nothing says so but this.
  if (!isLive) return [...marks, segment('unfinished', 'warn')];
  if (isStopping) return [...marks, segment(`${spinnerFrame(theme.glyphs, now)} stopping`, 'warn')];
  if (isPaused) return [...marks, segment('paused', 'warn')];
  // Several suites are run one after another.
  if (facts.of > 1 && isUntouched(tally)) return [...marks, segment('waiting', 'waiting')];
  const doing = facts.confirming > 0 ? `confirming ${countOf(facts.confirming, 'suspect')}` : 'running';
  return [...marks, segment(`${spinnerFrame(theme.glyphs, now)} ${doing}`, 'running')];
}

function verdictSegments({ verdict }: HeadFacts): Segment[] {
  // That it was interrupted its state says.
  if (verdict === undefined || verdict === 'interrupted') return [];
  const [words, tone] = gateWords[verdict];
  return [segment(words, tone), segment('  ')];
}

/** Nothing of it has begun: there are no figures yet, and none of them is a zero. */
function isUntouched({ trials }: RunTally): boolean {
  return trials.done === 0 && trials.running === 0;
}

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

/** Which column a sort goes by. */
const sortedColumn: Record<SortName, 'scenario' | 'cells' | 'verdict' | 'change' | 'measure'> = {
  order: 'scenario',
  worst: 'verdict',
  changed: 'change',
  flakiest: 'cells',
  slowest: 'measure',
  tokens: 'measure',
};

/** Titles of the columns; the one that is sorted by is marked, but for the order of the suite, which is no sort. */
export function columnLine(
  columns: GridColumns,
  sort: SortName,
  groups: number,
  theme: Theme,
  changeTitle = 'baseline',
): Segment[] {
  const mark = (column: string) =>
    sort !== 'order' && sortedColumn[sort] === column ? theme.glyphs.sorted : '';
  const title = (words: string, cells: number, column: string, align: 'left' | 'right' = 'left') => {
    const sign = mark(column);
    return segment(fitToWidth(`${words}${sign}`, cells, align), sign === '' ? 'faint' : 'accent');
  };
  const between = segment(' '.repeat(gap));
  const line: Segment[] = [
    segment(' '.repeat(markerWidth)),
    title('scenario', columns.scenario, 'scenario'),
    between,
  ];
  if (columns.tags > 0) line.push(title('tags', columns.tags, ''), between);
  for (let group = 0; group < groups; group++) {
    const words = sort === 'flakiest' ? 'flaky' : groupNumbers(columns);
    const sign = mark('cells');
    const text = sign === '' ? words : `${words}${sign}`;
    line.push(segment(fitToWidth(text, columns.group), sign === '' ? 'faint' : 'accent'), between);
  }
  line.push(title('verdict', columns.verdict, sort === 'worst' ? '' : 'verdict'));
  // The title fills its column, so the mark takes the gap.
  line.push(sort === 'worst' ? segment(`${theme.glyphs.sorted} `, 'accent') : between);
  if (columns.change > 0)
    line.push(title(columns.change > 8 ? changeTitle : '', columns.change, 'change'), between);
  if (columns.rate > 0)
    line.push(segment(fitToWidth('rate'.padStart(columns.rateOnly), columns.rate), 'faint'), between);
  if (columns.measure > 0) {
    line.push(title(sort === 'slowest' ? 'time' : 'tokens', columns.measure, 'measure', 'right'), between);
  }
  line.push(title('why', columns.why, ''));
  return fitLine(line, columns.width);
}

/** Names of the conditions over their groups of cells: what tells them apart. That of the base stands back. */
export function groupLine(
  columns: GridColumns,
  conditions: readonly Condition[],
  base: string | undefined,
): Segment[] {
  const names = conditionNames(conditions);
  const before = markerWidth + columns.scenario + gap + (columns.tags > 0 ? columns.tags + gap : 0);
  const line: Segment[] = [segment(' '.repeat(before))];
  names.forEach((name, at) => {
    const isBase = conditions[at]?.id === base;
    const whole = isBase && textWidth(name) + baseWord.length <= columns.group ? name + baseWord : name;
    line.push(segment(fitName(whole, columns.group), isBase ? 'plain' : 'accent'), segment(' '.repeat(gap)));
  });
  return fitLine(line, columns.width);
}

const baseWord = ', base';

/** A short name for each condition: its prompt where prompts differ, else its model, else its id. Made visible. */
export function conditionNames(conditions: readonly Condition[]): string[] {
  const candidates = [
    conditions.map(({ promptName }) => promptName),
    conditions.map(({ model }) => model.slice(model.indexOf(':') + 1)),
    conditions.map(({ id }) => id),
  ];
  const names = candidates.find((list) => new Set(list).size === list.length) ?? [];
  return names.map((name) => makeVisible(name));
}

const verdictOrder: readonly Verdict[] = ['pass', 'warn', 'fail', 'unknown', 'error'];

/** How many scenarios stand where, and what makes the run no evidence. Counts of none are faint. */
export function totalsLine(tally: RunTally, later: readonly QuarantineEntry[] = []): Segment[] {
  const [taint] = tally.taints;
  if (isUntouched(tally) && !taint) return [];
  const tainted = taint ? [segment(`   tainted, ${taint.kind}: ${makeVisible(taint.message)}`, 'fail')] : [];
  const counts = verdictOrder.flatMap((verdict, index) => {
    const count = tally.verdicts[verdict];
    const isQuiet = count === 0;
    return [
      ...(index > 0 ? [segment('  ')] : []),
      segment(String(count), isQuiet ? 'faint' : verdict),
      segment(` ${verdict}`, isQuiet ? 'faint' : 'plain'),
    ];
  });
  const { quarantined } = tally;
  const apart = quarantined > 0 ? [segment(`  ${quarantined} quarantined`, 'faint')] : [];
  // The verdict of this run was not made without it, and neither are its counts.
  const next = later.length > 0 ? [segment(`  next run: +${later.length} quarantined`, 'accent')] : [];
  return [...counts, ...apart, ...next, ...tainted];
}
