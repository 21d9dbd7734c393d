import type { Size } from '../../terminal/size.js';
import { clamp } from '../../viewport.js';

/** Where the panes of the trial screen stand. Widths and heights are in cells and lines. */
export interface TrialGeometry {
  /**
   * `wide`: checks and reason left, transcript right. `stacked`: one below the other. `single`: where neither fits,
   * the transcript or the other two.
   */
  mode: 'wide' | 'stacked' | 'single';
  /** Lines between the pane titles and the footer. */
  body: number;
  /** Of checks and reason. */
  leftWidth: number;
  transcriptWidth: number;
  checksHeight: number;
  reasonHeight: number;
  transcriptHeight: number;
}

const wideFrom = 90;
/** Lines of the body from which the three panes stand one below the other. */
const stackedFrom = 17;
/** Title, pane titles and footer; and the terminal's last line, which is never drawn on. */
const frame = 4;
/** The wall between the panes and a space on either side. */
export const wallWidth = 3;
/** One line that names the pane below it. */
const rule = 1;

/** `checks`: how many there are. `reasonLines`: how many lines the reason takes at `leftWidth`. */
export function trialGeometry(size: Size, checks: number, reasonLines: number): TrialGeometry {
  const body = Math.max(4, size.rows - frame);
  const widths = trialWidths(size);
  if (widths.mode === 'narrow' && body >= stackedFrom) {
    const checksHeight = clamp(checks, 1, Math.floor(body * 0.25));
    const reasonHeight = clamp(reasonLines, 2, Math.floor(body * 0.25));
    const transcriptHeight = body - checksHeight - reasonHeight - 2 * rule;
    return { mode: 'stacked', body, ...widths.cells, checksHeight, reasonHeight, transcriptHeight };
  }
  const checksHeight = clamp(checks, 1, Math.max(1, Math.floor(body * 0.45)));
  return {
    mode: widths.mode === 'wide' ? 'wide' : 'single',
    body,
    ...widths.cells,
    checksHeight,
    reasonHeight: Math.max(1, body - checksHeight - rule),
    transcriptHeight: body,
  };
}

/** Widths depend on the terminal alone, so that the reason can be wrapped before heights are dealt out. */
export function trialWidths({ columns }: Size): {
  mode: 'wide' | 'narrow';
  cells: Pick<TrialGeometry, 'leftWidth' | 'transcriptWidth'>;
} {
  const inner = columns - 2;
  if (columns < wideFrom) return { mode: 'narrow', cells: { leftWidth: inner, transcriptWidth: inner } };
  const leftWidth = clamp(Math.floor(columns * 0.36), 34, 58);
  return { mode: 'wide', cells: { leftWidth, transcriptWidth: inner - leftWidth - wallWidth } };
}
