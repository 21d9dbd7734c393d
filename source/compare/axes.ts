import type { PassRate } from '../base/statistics.js';
import type { CheckEvidence, Comparison } from './types.js';

/** Rates of each axis over the cases that both sides have, in the order in which checks name them. */
export function compareAxes(
  pairs: readonly { from: CheckEvidence; to: CheckEvidence }[],
): Comparison['axes'] {
  const axes = new Map<string, { from: PassRate; to: PassRate; drops: number[] }>();
  const add = (axis: string, from: PassRate, to: PassRate) => {
    if (from.of === 0 || to.of === 0) return;
    const sum = axes.get(axis) ?? { from: { passed: 0, of: 0 }, to: { passed: 0, of: 0 }, drops: [] };
    axes.set(axis, sum);
    sum.from = { passed: sum.from.passed + from.passed, of: sum.from.of + from.of };
    sum.to = { passed: sum.to.passed + to.passed, of: sum.to.of + to.of };
    sum.drops.push(from.passed / from.of - to.passed / to.of);
  };
  for (const { from, to } of pairs) {
    if (from.axes && to.axes) {
      for (const [axis, rate] of Object.entries(to.axes)) {
        const before = Object.hasOwn(from.axes, axis) ? from.axes[axis] : undefined;
        if (before) add(axis, before, rate);
      }
    }
    if (to.axis !== undefined && to.axis === from.axis) add(to.axis, from, to);
  }
  return Array.from(axes, ([axis, { from, to, drops }]) => ({
    axis,
    from,
    to,
    drop: drops.reduce((sum, drop) => sum + drop, 0) / drops.length,
  }));
}
