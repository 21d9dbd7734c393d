import type { SidesLayout } from './layout.js';

/** The first line to show for the next place that differs, or for the one before; undefined where there is none. */
export function differenceTop(
  { top, height, layout }: { top: number; height: number; layout: SidesLayout },
  direction: 1 | -1,
): number | undefined {
  const { differences, from } = layout;
  const last = Math.max(0, from.length - height);
  const line =
    direction > 0 ? differences.find((at) => at > top && top < last) : differences.findLast((at) => at < top);
  return line === undefined ? undefined : Math.min(line, last);
}

/** What is said where there is none. */
export function noDifferenceText(direction: 1 | -1): string {
  return direction > 0 ? 'nothing below differs' : 'nothing above differs';
}
