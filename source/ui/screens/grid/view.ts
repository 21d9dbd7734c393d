import { makeVisible } from '../../../base/text.js';
import { confirmationTrials } from '../../../compare/confirm.js';
import type { Comparison } from '../../../compare/types.js';
import { paceText } from '../../../report/pace-text.js';
import type { RunTally } from '../../../tally/types.js';
import { readingLine } from '../../components/reading.js';
import { saidLines, withStatus } from '../../components/said.js';
import { statusLine } from '../../components/status.js';
import { conditionNames } from '../../conditions.js';
import type { KeyFacts } from '../../keys/reasons.js';
import type { AppModel } from '../../model.js';
import { isBeingConfirmed } from '../../row-change.js';
import { fitLine, type Line, lineWidth, type Segment, segment, spreadLine } from '../../segments.js';
import type { RunStore } from '../../store.js';
import type { AppRun } from '../../types.js';
import { hiddenText } from '../../viewport.js';
import { columnLine, groupLine } from './column-titles.js';
import { type GridColumns, type GridSchema, gridColumns, textColumnWidth } from './columns.js';
import { footerLines, gridHeight } from './geometry.js';
import { type ShownGroup, shownGroups } from './groups.js';
import { type HeadFacts, headerLine } from './head.js';
import { progressLine } from './progress.js';
import { laterEntries, laterEntryOf } from './quarantine.js';
import { createRowCache, tagsText } from './rows.js';
import { cellIndex } from './state.js';
import { totalsLine } from './totals.js';
import { detailLine } from './why.js';

/** The grid as lines, each of them as wide as the terminal allows. */
export interface GridView {
  head: Segment[][];
  rows: { id: string; line: Segment[] }[];
  /** What stands in the place of rows when there are none. */
  empty: Segment[] | undefined;
  /** Lines that the rows have to themselves. */
  height: number;
  foot: Line[];
}

/** Makes grid views, remembering columns and rows from one to the next. */
export function createGridViews(): (model: AppModel, facts: KeyFacts) => GridView {
  const cache = createRowCache();
  const columnsFor = createColumns();

  return (model, facts) => {
    const { state, store, theme, grid, order } = model;
    const { tally } = store;
    const { size } = state;
    const width = size.columns - 1;
    const shown = tally ? shownGroups(tally) : [];
    const height = gridHeight(size, shown.length);
    if (!tally) {
      return {
        head: [
          fitLine([segment(' '), ...readingLine(store)], width),
          [segment(' ')],
          fitLine([segment('  scenario', 'faint')], width),
        ],
        rows: [],
        empty: [segment(' ')],
        height,
        foot: foot(model, facts, width),
      };
    }
    const now = model.clock.now();
    const { comparison } = store;
    const hasBase = comparison !== undefined || tally.started.base !== undefined;
    const isMeasured = grid.sort === 'slowest' || grid.sort === 'tokens';
    const { columns, groups } = columnsFor(tally, shown, size.columns, isMeasured, hasBase);
    const rows = [];
    const entries = laterEntries(model);
    for (let index = grid.top; index < Math.min(order.count, grid.top + height); index++) {
      const row = tally.rowById.get(order.at(index) ?? '');
      if (!row) continue;
      const isSelected = index === grid.index;
      const chosenCell = isSelected ? cellIndex(row, grid.cell) : -1;
      const change = store.changeOf(row.scenario.id);
      const later = laterEntryOf(entries, row.scenario.id, row.why?.checkId);
      const drawing = { columns, sort: grid.sort, theme, now, isSelected, chosenCell, groups, change, later };
      rows.push({
        id: row.scenario.id,
        line: cache.segments(row, store.revisionOf(row.scenario.id), drawing),
      });
    }
    const headFacts: HeadFacts = {
      tally,
      title: store.run.title,
      pace: store.pace,
      isLive: facts.isLive,
      isPaused: facts.isPaused,
      isStopping: facts.isStopping,
      confirming: facts.isLive ? confirmingOf(store) : 0,
      comparison,
      verdict: store.gate?.verdict,
      knownTrials: store.run.knownTrials,
      waits: waitsOf(store.run, tally, now),
      notes: store.run.notes?.().length ?? 0,
      run: state.run + 1,
      of: model.stores.length,
      now,
    };
    return {
      head: [
        headerLine(headFacts, theme, width),
        progressLine(headFacts, theme, width),
        ...(shown.length > 1 ? [groupLine(columns, conditionsOf(shown), baseOf(tally, comparison))] : []),
        columnLine(columns, grid.sort, shown.length, theme, tally.started.base ? 'baseline' : 'change'),
      ],
      rows,
      empty: rows.length > 0 ? undefined : [segment(emptyText(grid.filter), 'faint')],
      height,
      foot: foot(model, facts, width),
    };
  };
}

/** What provider accounts hold back, while a run is going. */
function waitsOf({ paces }: AppRun, { state }: RunTally, now: number): string[] {
  if (state !== 'running' || !paces) return [];
  return paces()
    .map((account) => paceText(account, now))
    .filter((text) => text !== undefined);
}

function emptyText(filter: string): string {
  return filter === '' ? '  no scenarios' : '  no scenario matches the filter; esc shows all again';
}

/** The selected row in full. Totals, what is out of sight, and keys: side by side on a wide terminal, one above the other on a narrow one. */
function foot(model: AppModel, facts: KeyFacts, width: number): Line[] {
  const { store, grid, order, state } = model;
  const totals = [
    segment(' '),
    ...(store.tally ? totalsLine(store.tally, store.gate, laterEntries(model)) : []),
  ];
  const height = gridHeight(state.size, store.tally ? shownGroups(store.tally).length : 1);
  const hidden = hiddenText({ top: grid.top, height, count: order.count });
  const more = hidden === '' ? [] : [segment(hidden, 'accent')];
  const selected = store.tally?.rowById.get(order.at(grid.index) ?? '');
  const detail = fitLine([segment(' '), ...(selected ? detailLine(selected) : [])], width);
  if (grid.filter !== '' && state.field?.kind !== 'filter') {
    const shown = `   ${order.count} of ${store.tally?.rows.length ?? 0} shown: ${makeVisible(grid.filter)}`;
    totals.push(segment(shown, 'accent'));
  }
  const withLast = (above: Line[]) => {
    const { lines, status } = withStatus(above, model, width, (cells, said) =>
      statusLine(model, facts, cells, said),
    );
    return [...lines, status];
  };
  // A question that names something has the whole line, wherever it is asked.
  if (
    footerLines(state.size) === 1 &&
    (state.field?.kind === 'class' || state.field?.kind === 'quarantine-what')
  )
    return [detail, [segment(' '), ...statusLine(model, facts, width - 1)]];
  if (footerLines(state.size) === 2) return withLast([detail, spreadLine(totals, more, width)]);
  const gap = 3;
  const most = Math.floor(width * 0.6);
  const told = [...totals, ...(more.length > 0 ? [segment('   '), ...more] : [])];
  const left = lineWidth(told) <= most ? told : spreadLine(totals, more, most);
  if (saidLines(model, width - lineWidth(left) - gap).length > 1) return withLast([detail]);
  return [
    detail,
    [...left, segment(' '.repeat(gap)), ...statusLine(model, facts, width - lineWidth(left) - gap)],
  ];
}

/** Columns change with the terminal, and with what is sorted by, and otherwise never, so that nothing jumps. */
function createColumns() {
  let last: { asked: readonly unknown[]; columns: GridColumns; groups: readonly number[] } | undefined;
  return (
    tally: RunTally,
    shown: readonly ShownGroup[],
    terminalColumns: number,
    isMeasured: boolean,
    hasBase: boolean,
  ): { columns: GridColumns; groups: readonly number[] } => {
    const asked = [tally, shown.length, terminalColumns, isMeasured, hasBase];
    if (!last?.asked.every((one, at) => one === asked[at])) {
      const schema: GridSchema = {
        longestId: textColumnWidth(tally.rows.map(({ scenario }) => makeVisible(scenario.id))),
        longestTags: textColumnWidth(tally.rows.map(tagsText)),
        groups: shown.length,
        repeats: tally.started.plan.repeat,
        isMeasured,
        hasBase,
        fresh: hasBase && tally.started.gate?.confirm !== false ? confirmationTrials : 0,
        longestName: textColumnWidth(conditionNames(conditionsOf(shown))),
      };
      last = { asked, columns: gridColumns(terminalColumns, schema), groups: shown.map(({ at }) => at) };
    }
    return last;
  };
}

function conditionsOf(shown: readonly ShownGroup[]) {
  return shown.map(({ condition }) => condition);
}

/** The condition of this run that is its base; undefined where that is of another run. */
function baseOf({ started }: RunTally, comparison: Comparison | undefined): string | undefined {
  if (comparison?.base.runId === started.runId) return comparison.base.condition.id;
  return started.base?.condition;
}

/** Suspects of which trials are still to end. */
function confirmingOf({ tally, comparison }: RunStore): number {
  const isUnderWay = (scenario: string) =>
    tally?.rowById.get(scenario)?.groups.some(isBeingConfirmed) ?? false;
  const suspects = (comparison?.changes ?? []).filter(
    ({ proof }) => proof !== undefined && proof !== 'violation',
  );
  return suspects.filter(({ scenario }) => isUnderWay(scenario)).length;
}
