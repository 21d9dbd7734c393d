import { makeVisible } from '../../../base/text.js';
import { type TextRange, wrapRanges, wrapToWidth } from '../../../base/width.js';
import type { Hunk } from '../../../bisect/hunk.js';
import { notesIn } from '../../../report/bisect-said.js';
import type { RunTally } from '../../../tally/types.js';
import { type Line, segment } from '../../segments.js';
import type { Theme } from '../../theme.js';
import type { Tone } from '../../tone.js';
import { wordChanges } from '../sides/words.js';
import { painted } from '../trial/highlight.js';
import { endLines } from './ending.js';
import { endsTexts } from './ends.js';
import { cellLines, failsLine, verdictLine } from './evidence.js';
import { type BisectRow, type BisectStanding, countsOfRow } from './rows.js';

/** What is known of the selected row: a text to scroll, and below it what its trials show. */
export interface BisectDetail {
  title: Line;
  text: readonly Line[];
  foot: readonly Line[];
}

/** What the detail is drawn from beside the standing. */
export interface DetailOptions {
  width: number;
  theme: Theme;
  now: number;
  tally: RunTally | undefined;
  /** Position of the chosen conversation. */
  cell: number;
}

export function detailOf(standing: BisectStanding, row: BisectRow, options: DetailOptions): BisectDetail {
  switch (row.kind) {
    case 'end':
      return endDetail(standing, row, options);
    case 'hunk':
      return hunkDetail(standing, row, row.hunk ?? 0, options);
    default:
      return promptDetail(standing, row, options);
  }
}

function endDetail(standing: BisectStanding, row: BisectRow, options: DetailOptions): BisectDetail {
  const { width, tally } = options;
  const lines = endLines(standing, tally);
  return {
    title: [segment(row.title, row.standing.tone)],
    text: lines.flatMap(({ text, tone }) => wrapped(makeVisible(text), tone, width)),
    foot: row.trials.length > 0 ? cellLines(standing, row, options) : [],
  };
}

function hunkDetail(
  standing: BisectStanding,
  row: BisectRow,
  hunk: number,
  options: DetailOptions,
): BisectDetail {
  const { record, needs } = standing;
  const { width, theme } = options;
  const { diff, planned } = record;
  const one = diff.hunks[hunk];
  if (!one) return { title: [], text: [], foot: [] };
  const { kind, lineA, lineB, oldText, newText } = one;
  const isGone = kind === 'removed';
  const where = makeVisible(`${(isGone ? planned.good : planned.bad).path}:${isGone ? lineA : lineB}`);
  const also = (needs.by[hunk] ?? []).map((other) => other + 1);
  const on = (needs.of[hunk] ?? []).map((other) => other + 1);
  const isMoved = kind === 'moved';
  const text = [
    ...(isMoved
      ? wrapped(
          `moved: line ${lineA} of ${makeVisible(planned.good.name)} ${theme.glyphs.arrow} line ${lineB}`,
          'faint',
          width,
        )
      : []),
    ...(isMoved && oldText === newText
      ? marked(' ', shownText(newText), 'plain', [], width)
      : changedLines(one, width)),
    ...(also.length > 0
      ? wrapped(`reverted with it, for they hang on it: ${also.join(', ')}`, 'warn', width)
      : []),
    ...(on.length > 0 ? wrapped(`hangs on ${on.join(', ')}`, 'faint', width) : []),
    ...notesIn(record)
      .filter((note) => note.hunk === hunk + 1)
      .flatMap((note) => wrapped(`note: ${makeVisible(note.text)}`, 'accent', width)),
  ];
  return {
    title: [
      segment(`hunk ${hunk + 1} of ${diff.hunks.length}`, 'strong'),
      segment(`   ${kind}   `, 'faint'),
      segment(where, 'accent'),
    ],
    text,
    foot: [...cellLines(standing, row, options), failsLine(standing, row), verdictLine(standing, row, hunk)],
  };
}

/** One of the ends, or another prompt that was tried. */
function promptDetail(standing: BisectStanding, row: BisectRow, options: DetailOptions): BisectDetail {
  const { record } = standing;
  const { width } = options;
  const { diff, planned } = record;
  const text: Line[] = [];
  if (row.kind === 'other') {
    const reverted = diff.hunks.flatMap(({ title }, hunk) =>
      row.candidate?.[hunk] === '0' ? [`${hunk + 1} ${makeVisible(title)}`] : [],
    );
    text.push([segment(`${makeVisible(planned.bad.name)} with these reverted:`, 'faint')]);
    for (const one of reverted) text.push(...wrapped(`  ${one}`, 'plain', width));
  } else {
    const { path, commit } = planned[row.kind === 'good' ? 'good' : 'bad'];
    const at = commit === undefined ? '' : ` at ${commit.slice(0, 10)}`;
    text.push(
      ...wrapped(makeVisible(`${path}${at}`), 'accent', width),
      ...wrapped(endsTexts(standing).texts[0], 'plain', width),
    );
  }
  const { passed, of } = countsOfRow(record, row);
  const rate = of === 0 ? 'not measured yet' : `passes ${passed}/${of}`;
  return {
    title: [segment(row.title, 'strong')],
    text,
    foot: [...cellLines(standing, row, options), [segment(rate, of === 0 ? 'faint' : 'strong')]],
  };
}

function wrapped(text: string, tone: Tone, width: number): Line[] {
  // What wraps stays behind what it belongs to.
  const indent = /^ */.exec(text)?.[0] ?? '';
  const rest = wrapToWidth(text.slice(indent.length), Math.max(8, width - indent.length));
  return rest.map((line) => [segment(indent), segment(line, tone)]);
}

/** More than that of a hunk nobody reads in a pane: `p` shows both prompts. */
const mostText = 20_000;

/** The words of a hunk stay as they are, and take a while to compare and to wrap. */
const laidOut = new WeakMap<Hunk, { width: number; lines: readonly Line[] }>();

/** Old and new words of a change, with those marked that differ. */
function changedLines(hunk: Hunk, width: number): readonly Line[] {
  const known = laidOut.get(hunk);
  if (known?.width === width) return known.lines;
  const [before, after] = [shownText(hunk.oldText), shownText(hunk.newText)];
  const { removed, added } = wordChanges(before, after);
  const lines = [
    ...marked('-', before, 'removed', removed, width),
    ...marked('+', after, 'added', added, width),
  ];
  laidOut.set(hunk, { width, lines });
  return lines;
}

function shownText(text: string): string {
  const shown = text
    .slice(0, mostText)
    .replace(/\r\n|\r/g, '\n')
    .replace(/\n+$/, '');
  return makeVisible(shown, { keepNewlines: true });
}

/** A text with a mark before each of its lines, also where they wrap. */
function marked(
  mark: string,
  text: string,
  tone: Tone,
  changes: readonly TextRange[],
  width: number,
): Line[] {
  if (text === '') return [];
  const paints = changes.map((range) => ({ ...range, tone }));
  return wrapRanges(text, Math.max(8, width - 2)).map((range) => [
    segment(`${mark} `, tone),
    ...painted(text, range, 'plain', paints),
  ]);
}
