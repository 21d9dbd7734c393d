import { makeVisible } from '../../../base/text.js';
import type { TrialRecord } from '../../../run/types.js';
import type { Cell, CellGroup, RunTally } from '../../../tally/types.js';
import type { BaseSource } from '../../base-source.js';
import { conditionName, groupOf } from '../../conditions.js';
import type { Size } from '../../terminal/size.js';
import type { Theme } from '../../theme.js';
import type { DisagreeingTrials } from '../../triage-desk.js';
import type { AppRun } from '../../types.js';
import { clamp } from '../../viewport.js';
import type { BaseStanding } from '../compare/desk-state.js';
import type { TrialCache, TrialReading } from '../trial/trial-cache.js';
import { layOutSides, type SidesLayout } from './layout.js';
import { bestOf, type SidesState } from './state.js';

/** One of the two conversations: what is known of it. */
export interface SideContents {
  /** What its condition is called. Made visible. */
  name: string;
  group: CellGroup | undefined;
  cell: Cell | undefined;
  record: TrialRecord | undefined;
  /** Why there is nothing to read. Not made visible. */
  problem: string | undefined;
}

/** Everything that the two conversations are drawn from. */
export interface SidesContents {
  from: SideContents;
  to: SideContents;
  layout: SidesLayout;
  /** There is room for both beside each other. */
  isWide: boolean;
  /** Cells of one conversation. */
  width: number;
  height: number;
  /** First line on screen. */
  top: number;
}

/** From this width on both have room. */
const wideFrom = 80;
/** Of what both said, above the first difference. */
const linesAbove = 2;
/** Title, names of the sides, keys; and the terminal's last line. */
const frame = 4;

export function sidesGeometry({ columns, rows }: Size): { isWide: boolean; width: number; height: number } {
  const isWide = columns >= wideFrom;
  const inner = columns - 2;
  return { isWide, width: isWide ? Math.floor((inner - 3) / 2) : inner, height: Math.max(3, rows - frame) };
}

/** Where the conversations of the candidate are, or why there are none. `read`: the same object for the same run. */
export type CandidateStanding =
  | { read: Pick<AppRun, 'readTrial'>; tally: RunTally; name?: string | undefined }
  | { problem: string };

/** Two trials that disagree as the two sides: the one that passed first. */
export function flakeSides({ pass, fail }: DisagreeingTrials): Pick<SidesOptions, 'candidate' | 'base'> {
  return {
    base: 'source' in pass ? { source: pass.source } : pass,
    candidate:
      'source' in fail ? { read: fail.source, tally: fail.source.tally, name: fail.source.name } : fail,
  };
}

/** What the two conversations are put together from. */
export interface SidesOptions {
  sides: SidesState;
  candidate: CandidateStanding;
  base: BaseStanding;
  size: Size;
  theme: Theme;
}

/** Puts the two conversations together, keeping the last layout for as long as what it was made from is the same. */
export function createSidesContents(caches: {
  from: TrialCache;
  to: TrialCache;
}): (options: SidesOptions) => SidesContents {
  let last: { asked: readonly unknown[]; layout: SidesLayout } | undefined;
  return ({ sides, candidate, base, size, theme }) => {
    const geometry = sidesGeometry(size);
    const from = baseSide(caches.from, sides, base);
    const to = candidateSide(caches.to, sides, candidate);
    const asked = [from.record, to.record, geometry.width, theme];
    if (!last?.asked.every((one, at) => one === asked[at])) {
      last = { asked, layout: layOutSides(from.record, to.record, geometry.width, theme.glyphs) };
    }
    const { layout } = last;
    const wanted = sides.top === 'first-difference' ? (layout.first ?? 0) - linesAbove : sides.top;
    const top = clamp(wanted, 0, Math.max(0, layout.from.length - geometry.height));
    return { from, to, layout, ...geometry, top };
  };
}

function baseSide(cache: TrialCache, { scenario, from }: SidesState, base: BaseStanding): SideContents {
  const { problem, rerun } = base;
  // What was run here a moment ago, with the same fixtures, says more than what was run some day.
  const source = rerun && hasEnded(rerun, scenario) ? rerun : base.source;
  if (!source) {
    return { name: 'base', group: undefined, cell: undefined, record: undefined, problem };
  }
  const { tally, condition } = source;
  const group = groupOf(tally, scenario, condition);
  const repeat = from ?? bestOf(group);
  const cell = group?.cells.find((one) => one.repeat === repeat);
  const name = source.name === undefined ? conditionName(tally, condition) : makeVisible(source.name);
  if (!cell) {
    const why = group ? 'no trial of it has ended under the base' : 'the base has no such scenario';
    return { name, group, cell, record: undefined, problem: why };
  }
  const reading = cache.look(source, { scenario, condition, repeat: cell.repeat }, cell);
  return { name, group, cell, ...recordOf(reading) };
}

function hasEnded({ tally, condition }: BaseSource, scenario: string): boolean {
  const group = groupOf(tally, scenario, condition);
  return group?.cells.some(({ state }) => state !== 'waiting' && state !== 'running') ?? false;
}

function candidateSide(
  cache: TrialCache,
  { scenario, to }: SidesState,
  candidate: CandidateStanding,
): SideContents {
  if ('problem' in candidate)
    return {
      name: 'failed',
      group: undefined,
      cell: undefined,
      record: undefined,
      problem: candidate.problem,
    };
  const { tally, read } = candidate;
  const group = groupOf(tally, scenario, to.condition);
  const cell = group?.cells.find((one) => one.repeat === to.repeat);
  const name =
    candidate.name === undefined ? conditionName(tally, to.condition) : makeVisible(candidate.name);
  if (!cell) return { name, group, cell, record: undefined, problem: 'this trial is not in the run' };
  return { name, group, cell, ...recordOf(cache.look(read, to, cell)) };
}

function recordOf({ record, problem }: TrialReading): Pick<SideContents, 'record' | 'problem'> {
  return { record, problem };
}
