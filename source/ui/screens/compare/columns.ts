import type { CheckEvidence, CriterionChange } from '../../../compare/types.js';
import { formatP, formatScore } from '../../../report/changes.js';
import { formatInterval } from '../../../report/format.js';
import { clamp } from '../../viewport.js';

/** Cells of each column of the changes; 0 for one that is not shown. Between columns stand two spaces. */
export interface ChangeColumns {
  scenario: number;
  check: number;
  /** Of either side. */
  rate: number;
  change: number;
  proof: number;
  /** What a person found the change to be: its first letter, or its words. */
  class: number;
}

const gap = 2;
const markerWidth = 2;
/** `intended change` */
const classWidth = 15;
/** `p 0.012, 17 a side` */
const proofWidth = 18;

/** Widths for a terminal; names have what the rest leaves, and no more than they need. */
export function changeColumns(columns: number, longest: { scenario: number; check: number }): ChangeColumns {
  const width = columns - 1;
  const rate = width >= 105 ? 16 : width >= 75 ? 9 : 5;
  const proof = width >= 105 ? proofWidth : 0;
  const given = width >= 150 ? classWidth : 1;
  const change = width >= 130 ? 16 : 12;
  const fixed = markerWidth + 2 * rate + change + proof + given + gap * (proof > 0 ? 6 : 5);
  const names = Math.max(16, width - fixed);
  const half = Math.floor(names / 2);
  const scenario = clamp(longest.scenario, 8, Math.max(half, names - longest.check));
  return {
    scenario,
    check: clamp(names - scenario, 8, Math.max(8, longest.check)),
    rate,
    change,
    proof,
    class: given,
  };
}

/** Where some rows would have no room for a score, none has one. */
const roomForScore = 9;

/**
 * One side of a criterion in `width` cells or less: how often it passed, and where there is room what the re-run gave,
 * else the score that was given, else what the rate says of the true one.
 */
export function rateCell(side: CheckEvidence | undefined, width: number): string {
  if (!side) return '–';
  if (side.of === 0) return side.verdict;
  const rate = `${side.passed}/${side.of}`;
  const { fresh, score } = side;
  const more = [
    fresh && `${rate}, then ${fresh.passed}/${fresh.of}`,
    score !== undefined && `${rate} score ${formatScore(score)}`,
    `${rate} ${formatInterval(side.passed, side.of)}`,
  ].find((text) => typeof text === 'string');
  if (more !== undefined && more.length <= width) return more;
  const short = score === undefined ? rate : `${rate} ${formatScore(score)}`;
  return width >= roomForScore && short.length <= width ? short : rate;
}

/** How far a change is proved, in few words; what would settle it where it is not. */
export function proofCell({ proof, p, needs }: CriterionChange): string {
  if (proof === undefined) return '';
  if (proof === 'violation') return 'absolute';
  const chance = p === undefined ? '' : `p ${formatP(p)}`;
  if (proof === 'suspect' && needs !== undefined) return `${chance}, ${needs} a side`.replace(/^, /, '');
  return chance === '' ? proof.replace('-', ' ') : chance;
}
