import { fitToWidth } from '../../../base/width.js';
import { formatAge, formatKnownTokens, formatShare, inline } from '../../../report/format.js';
import type { HomeSuite, UnfinishedRun } from '../../../report/home.js';
import type { HomeMatter, MatterKind } from '../../../report/home-matters.js';
import { sparkLine } from '../../../report/spark.js';
import { type Line, type Segment, segment } from '../../segments.js';
import type { Theme } from '../../theme.js';
import type { Tone } from '../../tone.js';
import { clamp } from '../../viewport.js';
import { fitName } from '../grid/name.js';
import { verdictOf } from '../history/list.js';

/** Cells of the columns of suites; 0 for one that is not shown. Two spaces stand between columns. */
export interface SuiteColumns {
  name: number;
  verdict: number;
  age: number;
  scores: number;
  noise: number;
  tokens: number;
}

const markerWidth = 2;
const between = segment('  ');

export function suiteColumns(width: number): SuiteColumns {
  const [verdict, age, tokens] = [8, 6, 6];
  const noise = width >= 79 ? 16 : 0;
  const gaps = noise > 0 ? 10 : 8;
  const room = Math.max(0, width - markerWidth - verdict - age - tokens - noise - gaps);
  const name = clamp(Math.floor(room * 0.7), 12, 40);
  return { name, verdict, age, scores: clamp(room - name, 0, 40), noise, tokens };
}

export function suiteHeading(columns: SuiteColumns): Line {
  const cell = (words: string, cells: number, align: 'left' | 'right' = 'left') =>
    cells === 0 ? [] : [segment(fitToWidth(words, cells, align), 'faint'), between];
  return [
    segment(' '.repeat(markerWidth)),
    ...cell('suite', columns.name),
    ...cell('verdict', columns.verdict),
    ...cell('age', columns.age, 'right'),
    ...cell('scores', columns.scores),
    ...cell('noise floor', columns.noise),
    ...cell('tokens', columns.tokens, 'right'),
  ];
}

/** One suite: how its last run ended, how long ago, and what its scores did. */
export function suiteLine(
  { suite, last, series, noise }: HomeSuite,
  {
    columns,
    isSelected,
    now,
    theme,
  }: { columns: SuiteColumns; isSelected: boolean; now: number; theme: Theme },
): Line {
  const [verdict, tone] = last ? verdictOf(last) : (['never', 'faint'] as const);
  const tokens = last ? formatKnownTokens(last.tokens, last.isPartial) : '';
  const scores = series?.points.map(({ score }) => score) ?? [];
  const line: Segment[] = [
    marker(isSelected, theme),
    segment(fitName(inline(suite), columns.name), isSelected ? 'strong' : 'plain'),
    between,
    segment(fitToWidth(verdict, columns.verdict), tone),
    between,
    segment(fitToWidth(last ? formatAge(now - last.at) : '', columns.age, 'right'), 'faint'),
    between,
    segment(fitToWidth(sparkLine(scores, columns.scores, theme.glyphs.spark), columns.scores), 'accent'),
    between,
  ];
  if (columns.noise > 0)
    line.push(segment(fitToWidth(noise ? noiseText(noise) : '', columns.noise), 'faint'), between);
  return [...line, segment(fitToWidth(tokens, columns.tokens, 'right'))];
}

/** How often it is red by chance, and the smallest drop that it sees. */
function noiseText({ falseRed, smallestDrop }: NonNullable<HomeSuite['noise']>): string {
  const sees = smallestDrop === undefined ? '' : `, ${Math.round(smallestDrop * 100)} points`;
  return `${falseRed < 0.005 ? '<1 %' : formatShare(falseRed)}${sees}`;
}

/** One run that can go on: of what, how far, and how long ago. */
export function unfinishedLine(
  { suite, what, label, done, total, at }: UnfinishedRun,
  { width, isSelected, now, theme }: { width: number; isSelected: boolean; now: number; theme: Theme },
): Line {
  const age = fitToWidth(formatAge(now - at), 6, 'right');
  const share = total === undefined ? '' : `${done ?? '…'}/${total}`;
  const words = [inline(suite), inline(what), ...(label === undefined ? [] : [inline(label)])].join('  ');
  const room = Math.max(8, width - markerWidth - 6 - 2 - 11);
  return [
    marker(isSelected, theme),
    segment(fitName(words, room), isSelected ? 'strong' : 'plain'),
    between,
    segment(fitToWidth(share, 9, 'right')),
    segment(age, 'faint'),
  ];
}

const matterTones: Record<MatterKind, Tone> = {
  mistake: 'fail',
  expired: 'fail',
  drift: 'fail',
  flaky: 'warn',
  broken: 'warn',
  judge: 'warn',
  release: 'faint',
  old: 'faint',
};

/** One matter, cut where there is no room: it stands in full below. */
export function matterLine(
  { suite, kind, word, text }: HomeMatter,
  { width, isSelected, theme }: { width: number; isSelected: boolean; theme: Theme },
): Line {
  const name = clamp(Math.floor(width * 0.25), 10, 30);
  return [
    marker(isSelected, theme),
    segment(fitToWidth(word, 8), matterTones[kind]),
    between,
    segment(fitName(inline(suite), name), isSelected ? 'strong' : 'plain'),
    between,
    segment(text),
  ];
}

function marker(isSelected: boolean, theme: Theme): Segment {
  return segment(isSelected ? `${theme.glyphs.marker} ` : '  ', 'accent');
}
