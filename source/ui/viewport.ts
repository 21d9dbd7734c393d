/** Which rows of a long list are on screen: `height` of `count` rows from `top`. */
export interface Viewport {
  top: number;
  height: number;
  count: number;
}

/** Rows kept between the selected one and the edge, so that what comes next can be seen. */
const scrollOff = 2;

/** The nearest whole number from `low` to `high`; `low` when there is none. */
export function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}

/** The first row to show, moved no further than needed to have the selected row in view, off the edges if it can be. */
export function topFor(view: Viewport, selected: number): number {
  const { height, count } = view;
  const margin = Math.min(scrollOff, Math.floor(Math.max(0, height - 1) / 2));
  const lowest = selected - height + 1 + margin;
  const highest = selected - margin;
  return clamp(clamp(view.top, lowest, highest), 0, Math.max(0, count - height));
}

/**
 * The first row to show after the list was sorted anew or rows came and went, and the selected row moved with it.
 * Somebody who reads at the top stays at the top; elsewhere the selected row keeps its place on the screen.
 */
export function topAfterReorder(view: Viewport, before: number, after: number): number {
  const moved = view.top === 0 || before < 0 ? view.top : view.top + (after - before);
  return topFor({ ...view, top: moved }, after);
}

/** The first line to show after scrolling a text by `lines`, kept inside it. */
export function scrolled(view: Viewport, lines: number): number {
  return clamp(view.top + lines, 0, Math.max(0, view.count - view.height));
}

/** What of a list is out of sight: `18 more below`, `3 above, 15 below`, `18 above`; empty when all of it is seen. */
export function hiddenText({ top, height, count }: Viewport): string {
  const above = clamp(top, 0, count);
  const below = Math.max(0, count - top - height);
  if (above === 0) return below > 0 ? `${below} more below` : '';
  return below > 0 ? `${above} above, ${below} below` : `${above} above`;
}
