import { formatProblem } from '../../../base/errors.js';
import { textWidth, wrapToWidth } from '../../../base/width.js';
import { countOf, formatDuration, formatShare, formatTokens, inline } from '../../../report/format.js';
import { entryEnd, rowName, suggestionText } from '../../../report/triage.js';
import type { TriageRow } from '../../../triage/suggest.js';
import type { SuiteTriage } from '../../../triage/triage.js';
import type { AppModel } from '../../model.js';
import {
  filled,
  fitLine,
  type Line,
  lineWidth,
  type Segment,
  segment,
  spreadLine,
  titleFitting,
} from '../../segments.js';
import type { Size } from '../../terminal/size.js';
import { hiddenText, topFor } from '../../viewport.js';
import { triageColumns, triageHeadings, triageLine } from './list.js';
import { type ShownTriage, shownTriage, type TriageState } from './state.js';

/** Title, titles of the columns, keys; and the terminal's last line. */
const frame = 4;
const tall = 20;
const narrow = 75;
const tallDetail = 4;
const mostProblems = 3;

/** Lines that each part of the screen has. */
export interface TriageHeights {
  problems: number;
  list: number;
  detail: number;
}

export function triageHeights(
  { rows }: Size,
  { problems, damaged }: Pick<SuiteTriage, 'problems' | 'damaged'>,
): TriageHeights {
  const detail = rows >= tall ? tallDetail : 3;
  const told = Math.min(problems.length + damaged.length, rows >= tall ? mostProblems : 1);
  return { problems: told, list: Math.max(1, rows - frame - detail - told), detail };
}

/** What of the triage is on screen; undefined while it is read, and where it cannot be. */
export function lookAtTriage({
  triage,
  triageDesk,
}: AppModel): (ShownTriage & { of: SuiteTriage }) | undefined {
  const of = triageDesk?.triage;
  return of && triage && { ...shownTriage(of, triage), of };
}

/** The triage as lines, each fitted to the terminal: all but the line of the keys. */
export function triageView(model: AppModel): Segment[][] {
  const { state, triage, triageDesk } = model;
  const width = state.size.columns - 1;
  const look = lookAtTriage(model);
  const problem = triageDesk?.problem;
  const lines =
    look && triage && problem === undefined
      ? shownLines(model, triage, look, width)
      : [
          spreadLine(
            [segment(' triage', 'title'), segment(`   ${inline(triageDesk?.suite ?? '')}`)],
            suitePlace(model),
            width,
          ),
          [],
          ...(problem ?? 'reading the history …')
            .split('\n')
            .flatMap((line) => wrapToWidth(inline(line), width - 2))
            .map((text) => [segment(` ${text}`, problem === undefined ? 'faint' : 'warn')]),
        ];
  return filled(lines, state.size.rows - 2).map((line) => fitLine(line, width));
}

function shownLines(
  model: AppModel,
  triage: TriageState,
  { of, rows, index }: NonNullable<ReturnType<typeof lookAtTriage>>,
  width: number,
): Line[] {
  const { theme, state } = model;
  const heights = triageHeights(state.size, of);
  const columns = triageColumns(state.size.columns, {
    name: Math.max(0, ...rows.map((row) => textWidth(rowName(row)))),
    strip: Math.max(0, ...rows.map(({ results }) => results.length)),
  });
  const top = topFor({ top: triage.top, height: heights.list, count: rows.length }, index);
  const hidden = hiddenText({ top, height: heights.list, count: rows.length });
  const body = rows
    .slice(top, top + heights.list)
    .map((row, at) => triageLine(row, { columns, isSelected: top + at === index, at: of.at, theme }));
  const empty = rows.length === 0 ? emptyLines(of, triage, width) : [];
  const selected = rows[index];
  return [
    titleLine(model, triage, of, hidden, width),
    ...problemLines(of).slice(0, heights.problems),
    triageHeadings(columns),
    ...filled([...body, ...empty], heights.list),
    ...filled(selected ? detailLines(selected, of, width) : [], heights.detail),
  ];
}

/** What stops every run, then what is not counted here. */
function problemLines({ problems, damaged }: SuiteTriage): Line[] {
  return [
    ...problems.map((one) => [segment(` ${inline(formatProblem(one))}`, 'fail')]),
    ...damaged.map((message) => [segment(` ${inline(message)}`, 'warn')]),
  ];
}

/** The suite, how much of it is quarantined, and what that rests on; at the other end what is out of sight, and which of several suites it is. */
function titleLine(
  model: AppModel,
  { filter }: TriageState,
  of: SuiteTriage,
  hidden: string,
  width: number,
): Line {
  const { share, runs, days } = of;
  const parts: Line[] = [
    [segment(inline(of.suite), 'title')],
    [
      segment(`${share.scenarios} of ${share.of} quarantined`, share.scenarios > 0 ? 'plain' : 'faint'),
      segment(share.isOver ? ', OVER the cap of ' : ', cap ', share.isOver ? 'fail' : 'faint'),
      segment(String(share.most), share.isOver ? 'fail' : 'faint'),
    ],
    ...(filter !== '' && model.state.field?.kind !== 'triage-filter'
      ? [[segment(`only ${inline(filter)}`, 'accent')]]
      : []),
    [segment(`${countOf(runs, 'clean run')}, flips of ${days} days`, 'faint')],
  ];
  const place = [...(hidden === '' ? [] : [segment(hidden, 'accent'), segment('  ')]), ...suitePlace(model)];
  const left = titleFitting('triage', parts, width - lineWidth(place) - 2);
  return spreadLine([segment(' '), ...left], place, width);
}

function suitePlace({ triage, triageSuites }: AppModel): Line {
  return triageSuites.length > 1
    ? [segment('tab', 'key'), segment(` ${(triage?.at ?? 0) + 1}/${triageSuites.length}`, 'faint')]
    : [];
}

function emptyLines(of: SuiteTriage, { filter, isAll }: TriageState, width: number): Line[] {
  const text =
    filter !== ''
      ? 'nothing here has that text; esc shows all again'
      : of.runs === 0
        ? 'no clean run yet: what flips is found in the runs of whole suites that came to their end'
        : `nothing flipped in ${of.days} days, and nothing is quarantined${isAll ? '' : '; a shows every check'}`;
  return wrapToWidth(text, width - 4).map((line) => [segment(`  ${line}`, 'faint')]);
}

/** The selected check in full, most important first: its figures, what is suggested, its quarantine, and when it flipped. */
function detailLines(row: TriageRow, { at, days }: SuiteTriage, width: number): Line[] {
  const { entry, suggestion, rate, recent, flips, wasted } = row;
  const figures = [
    countOf(recent, 'flip'),
    ...(rate
      ? [
          `${width < narrow ? '' : 'two trials '}disagree in ${formatShare(rate.flipRate)} (${formatShare(rate.interval.low)} to ${formatShare(rate.interval.high)})`,
          `${rate.passed}/${rate.of} passed`,
        ]
      : [`no run in ${days} days`]),
  ];
  const name = segment(` ${rowName(row)}`, 'accent');
  const numbers = segment(figures.join('   '));
  const isOneLine = lineWidth([name, numbers]) + 3 <= width;
  const [first, last] = [flips[0], flips.at(-1)];
  const spent = `${formatDuration(wasted.ms)} and ${formatTokens(wasted.tokens)} tokens in runs that turned`;
  const lines: Line[] = [
    ...(isOneLine ? [[name, segment('   '), numbers]] : [[name], [segment(' '), numbers]]),
    ...(suggestion ? [[segment(` suggested: ${suggestionText(suggestion)}`, 'warn')]] : []),
    ...(entry
      ? [
          [
            segment(` quarantined ${entryEnd(entry, at)}`, 'plain'),
            segment(inline(`, ${entry.owner}: ${entry.reason}`), 'plain'),
          ],
        ]
      : []),
    ...(first && last
      ? [[segment(` first flip ${first.to.runId}, last ${last.to.runId}; ${spent}`, 'faint')]]
      : []),
  ];
  return lines;
}
