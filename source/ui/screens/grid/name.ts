import { fitToWidth, graphemes, textWidth } from '../../../base/width.js';

/** Below this there is no room for two ends. */
const leastForBoth = 14;

/**
 * A scenario's name in exactly `width` cells, cut in its middle: names that begin alike differ at their ends
 * (`refund-late-1`, `refund-late-2`).
 */
export function fitName(name: string, width: number): string {
  if (width < leastForBoth || textWidth(name) <= width) return fitToWidth(name, width);
  const most = Math.floor(width / 3);
  let tail = '';
  for (const grapheme of graphemes(name).reverse()) {
    if (textWidth(grapheme + tail) > most) break;
    tail = grapheme + tail;
  }
  return fitToWidth(`${fitToWidth(name, width - textWidth(tail))}${tail}`, width);
}
