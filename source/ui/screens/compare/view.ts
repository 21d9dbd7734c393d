import { makeVisible } from '../../../base/text.js';
import { fitToWidth, textWidth } from '../../../base/width.js';
import type { Comparison, CriterionChange } from '../../../compare/types.js';
import {
  axisTexts,
  differencesText,
  noteTexts,
  proofText,
  rateChange,
  scoreText,
  signText,
  tokensText,
  whyChanged,
} from '../../../report/changes.js';
import { formatCount, formatTime } from '../../../report/format.js';
import type { AppModel } from '../../model.js';
import { type ChangeWord, changeWords, wordOf } from '../../row-change.js';
import { fitLine, type Line, type Segment, segment, spreadLine } from '../../segments.js';
import type { Size } from '../../terminal/size.js';
import { clamp, hiddenText } from '../../viewport.js';
import { changeSegment } from '../grid/change.js';
import { fitName } from '../grid/name.js';
import { type ChangeColumns, changeColumns, proofCell, rateCell } from './columns.js';
import { type ChangeDesk, classWords } from './desk-state.js';
import { changesOf, selectedIndex } from './state.js';

/** The screen of changes as lines, each of them fitted to the terminal. */
export interface CompareView {
  head: Segment[][];
  body: Segment[][];
  foot: Segment[][];
}

/** Title, totals and column titles; two lines on the selected change; the keys; and the terminal's last line. */
const frame = 3 + 2 + 1 + 1;

/** Lines of facts on the whole below the changes, and of the changes themselves. */
export function compareHeights(size: Size, facts: number): { facts: number; body: number } {
  const room = Math.max(3, size.rows - frame);
  const shown = clamp(facts, 0, room >= 14 ? 8 : 2);
  return { facts: shown, body: room - shown };
}

export function compareView(model: AppModel, comparison: Comparison): CompareView {
  const { state } = model;
  const width = state.size.columns - 1;
  const facts = factTexts(comparison);
  const heights = compareHeights(state.size, facts.length);
  const changes = changesOf(comparison);
  const columns = changeColumns(state.size.columns, {
    scenario: longest(changes.map(({ scenario }) => scenario)),
    check: longest(changes.map(({ check }) => check)),
  });
  const at = model.compare ? selectedIndex(changes, model.compare) : 0;
  const top = clamp(model.compare?.top ?? 0, 0, Math.max(0, changes.length + 1 - heights.body));
  const rows = [
    ...changes.map((change, index) => changeRow(change, columns, index === at, model)),
    [segment('  '), segment(restText(comparison, changes.length), 'faint')],
  ];
  const body = rows.slice(top, top + heights.body).map((line) => fitLine(line, width));
  while (body.length < heights.body) body.push([]);
  const hidden = hiddenText({ top, height: heights.body, count: rows.length });
  return {
    head: [
      titleLine(model, comparison, width),
      spreadLine(
        [segment(' '), ...totals(comparison)],
        hidden === '' ? [] : [segment(hidden, 'accent')],
        width,
      ),
      fitLine(changes.length === 0 ? [] : headings(columns), width),
    ],
    body,
    foot: [
      ...facts.slice(0, heights.facts).map((text, index) => {
        const isCut = index === heights.facts - 1 && facts.length > heights.facts;
        const more = isCut ? `   (i: ${facts.length - heights.facts} more)` : '';
        return spreadLine([segment(` ${text}`, 'faint')], more === '' ? [] : [segment(more, 'faint')], width);
      }),
      ...detail(changes[at], model.changeDesk).map((line) => fitLine([segment(' '), ...line], width)),
    ],
  };
}

function longest(names: readonly string[]): number {
  return Math.max(8, ...names.map((name) => textWidth(makeVisible(name))));
}

/** Which side is held against which; at the other end what the base is. */
function titleLine({ store, theme }: AppModel, comparison: Comparison, width: number): Segment[] {
  const { base, candidate, refused } = comparison;
  const name = (side: Comparison['base']) => {
    const isModel = base.condition.promptName === candidate.condition.promptName;
    const { promptName, model } = side.condition;
    return makeVisible(isModel && base.condition.model !== candidate.condition.model ? model : promptName);
  };
  const isLive = store.tally?.state === 'running' && store.run.controls !== undefined;
  const isOther = base.runId !== candidate.runId;
  const from =
    base.kind === 'baseline'
      ? `baseline of ${width < 75 ? formatTime(base.at).slice(0, 10) : formatTime(base.at)}`
      : isOther
        ? `run ${makeVisible(base.runId)}`
        : 'run beside it';
  return spreadLine(
    [
      segment(' changes', 'title'),
      segment(`   ${name(base)} ${theme.glyphs.arrow} ${name(candidate)}`, 'accent'),
      segment(`   ${makeVisible(candidate.suite)}`),
      ...(isLive && !refused ? [segment('   so far', 'running')] : []),
    ],
    [segment(`base: ${from} `, 'faint')],
    width,
  );
}

/** How many criteria became what; counts of none are left out. */
function totals({ changes, refused, same }: Comparison): Line {
  if (refused) return [segment('cannot be compared', 'warn')];
  const became = changes.map(wordOf);
  const counts = changeWords.flatMap((word) => {
    const count = word === 'same' ? same : became.filter((one) => one === word).length;
    return count === 0
      ? []
      : [segment(`${count} ${countedWord(word, count)}`, word === 'same' ? 'faint' : 'plain')];
  });
  return counts.flatMap((count, index) => (index === 0 ? [count] : [segment('  '), count]));
}

function countedWord(word: ChangeWord, count: number): string {
  if (word === 'drift') return 'drifted';
  const isNoun = word === 'regression' || word === 'suspect';
  return isNoun && count !== 1 ? `${word}s` : word.replace('-', ' ');
}

function restText({ same, refused }: Comparison, changes: number): string {
  if (refused) return '';
  const count = `${formatCount(same)} ${same === 1 ? 'criterion' : 'criteria'}`;
  return changes === 0 ? `nothing changed (${count})` : `nothing else changed (${count})`;
}

const between = segment('  ');

function headings(columns: ChangeColumns): Line {
  const cells: [string, number][] = [
    ['scenario', columns.scenario],
    ['criterion', columns.check],
    ['old', columns.rate],
    ['new', columns.rate],
    ['change', columns.change],
    ['proof', columns.proof],
    [columns.class > 1 ? 'class' : 'c', columns.class],
  ];
  return [
    between,
    ...cells.flatMap(([words, cells]) =>
      cells === 0 ? [] : [segment(fitToWidth(words, cells), 'faint'), between],
    ),
  ];
}

function changeRow(
  change: CriterionChange,
  columns: ChangeColumns,
  isSelected: boolean,
  { theme, changeDesk }: AppModel,
): Line {
  const given = changeDesk?.classOf(change);
  const word = given ? classWords[given.class] : '';
  const tone = isSelected ? 'strong' : 'plain';
  return [
    segment(isSelected ? `${theme.glyphs.marker} ` : '  ', 'accent'),
    segment(fitName(makeVisible(change.scenario), columns.scenario), tone),
    between,
    segment(fitName(makeVisible(change.check), columns.check), tone),
    between,
    segment(fitToWidth(rateCell(change.from, columns.rate), columns.rate)),
    between,
    segment(fitToWidth(rateCell(change.to, columns.rate), columns.rate)),
    between,
    changeSegment(wordOf(change), columns.change, theme),
    between,
    ...(columns.proof > 0 ? [segment(fitToWidth(proofCell(change), columns.proof), 'faint'), between] : []),
    segment(columns.class > 1 ? fitToWidth(word, columns.class) : word.slice(0, 1) || ' ', 'accent'),
  ];
}

/** Two lines: the selected change in full, and why. */
function detail(change: CriterionChange | undefined, desk: ChangeDesk | undefined): Line[] {
  if (!change) return [[], []];
  const given = desk?.classOf(change);
  const by = given?.by === undefined ? '' : ` (${makeVisible(given.by)})`;
  return [
    [
      segment(makeVisible(`${change.scenario} / ${change.check}`), 'accent'),
      segment(`   ${rateChange(change)}`),
      ...(given ? [segment(`   classed: ${classWords[given.class]}${by}`, 'accent')] : []),
      segment(`   ${proofText(change)}`, 'faint'),
    ],
    [segment(makeVisible(whyChanged(change)), 'plain')],
  ];
}

/** What is to be said of the whole, most important first. Safe to print. */
export function factTexts(comparison: Comparison): string[] {
  const facts = [
    ...(comparison.refused ?? []).map((why) => makeVisible(why)),
    `differs: ${makeVisible(differencesText(comparison))}`,
    scoreText(comparison),
    signText(comparison),
    tokensText(comparison),
    ...axisTexts(comparison),
    ...noteTexts(comparison).map((note) => makeVisible(note)),
  ];
  return facts.filter((fact) => fact !== undefined);
}

/** The id of the change under the marker; undefined where nothing changed. */
export function selectedChange({ store, compare }: AppModel): CriterionChange | undefined {
  const changes = changesOf(store.comparison);
  return compare && changes[selectedIndex(changes, compare)];
}
