import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scrolled, topAfterReorder, topFor } from '../../source/ui/viewport.js';

describe('the viewport', () => {
  it('stays where it is while the selected row is well inside it', () => {
    expect(topFor({ top: 10, height: 10, count: 100 }, 15)).toBe(10);
  });

  it('keeps two rows between the selected one and its edges', () => {
    expect(topFor({ top: 10, height: 10, count: 100 }, 18)).toBe(11);
    expect(topFor({ top: 10, height: 10, count: 100 }, 11)).toBe(9);
  });

  it('reaches the very first and the very last row', () => {
    expect(topFor({ top: 10, height: 10, count: 100 }, 0)).toBe(0);
    expect(topFor({ top: 10, height: 10, count: 100 }, 99)).toBe(90);
  });

  it('shows the selected row and never scrolls past the end, whatever it is given', () => {
    const view = fc.record({
      top: fc.nat(200),
      height: fc.integer({ min: 1, max: 50 }),
      count: fc.integer({ min: 1, max: 200 }),
    });
    fc.assert(
      fc.property(view, fc.nat(199), (given, wanted) => {
        const selected = wanted % given.count;
        const top = topFor(given, selected);
        expect(top).toBeGreaterThanOrEqual(0);
        expect(top).toBeLessThanOrEqual(Math.max(0, given.count - given.height));
        expect(selected).toBeGreaterThanOrEqual(top);
        expect(selected).toBeLessThan(top + given.height);
      }),
    );
  });

  it('keeps the selected row on its line when rows above it come or go', () => {
    expect(topAfterReorder({ top: 20, height: 10, count: 100 }, 25, 31)).toBe(26);
    expect(topAfterReorder({ top: 20, height: 10, count: 100 }, 25, 22)).toBe(17);
  });

  it('keeps somebody who reads at the top at the top while the selected row can be seen there', () => {
    expect(topAfterReorder({ top: 0, height: 10, count: 100 }, 3, 6)).toBe(0);
    expect(topAfterReorder({ top: 0, height: 10, count: 100 }, 3, 40)).toBe(33);
  });

  it('scrolls a text no further than its ends', () => {
    expect(scrolled({ top: 0, height: 10, count: 25 }, -3)).toBe(0);
    expect(scrolled({ top: 12, height: 10, count: 25 }, 9)).toBe(15);
    expect(scrolled({ top: 3, height: 10, count: 5 }, 1)).toBe(0);
    expect(scrolled({ top: 3, height: 10, count: 25 }, Number.POSITIVE_INFINITY)).toBe(15);
  });
});
