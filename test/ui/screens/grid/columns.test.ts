import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type GridColumns,
  gap,
  gridColumns,
  markerWidth,
} from '../../../../source/ui/screens/grid/columns.js';

function total(columns: GridColumns, groups: number): number {
  const parts = [
    columns.scenario,
    columns.tags,
    ...Array.from({ length: groups }, () => columns.group),
    columns.verdict,
    columns.measure,
    columns.why,
  ];
  const shown = parts.filter((width, index) => width > 0 || index === parts.length - 1);
  return markerWidth + shown.reduce((sum, width) => sum + width, 0) + gap * (shown.length - 1);
}

describe('the columns of the grid', () => {
  it('fill the terminal exactly, but for its last cell', () => {
    const schema = fc.record({
      longestId: fc.integer({ min: 1, max: 90 }),
      longestTags: fc.nat(60),
      groups: fc.integer({ min: 1, max: 3 }),
      repeats: fc.integer({ min: 1, max: 60 }),
    });
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 300 }), schema, (width, given) => {
        const columns = gridColumns(width, given);
        expect(columns.scenario).toBeGreaterThanOrEqual(8);
        expect(columns.why).toBeGreaterThanOrEqual(0);
        // A name that is short leaves the rest to the reason, so nothing is left over.
        expect(total(columns, given.groups)).toBe(width - 1);
      }),
    );
  });

  it('give up tags before tokens, and tokens before the name', () => {
    const schema = { longestId: 40, longestTags: 14, groups: 1, repeats: 3 };
    expect(gridColumns(120, schema)).toMatchObject({ tags: 14, measure: 7 });
    expect(gridColumns(80, schema)).toMatchObject({ tags: 0, measure: 7 });
    const narrow = gridColumns(60, schema);
    expect(narrow).toMatchObject({ tags: 0, measure: 0 });
    expect(narrow.scenario).toBeGreaterThanOrEqual(20);
    expect(narrow.why).toBeGreaterThanOrEqual(16);
  });

  it('give every trial two cells while they fit, then one, then show some of them', () => {
    const pitch = (repeats: number) => {
      const { pitch: step, shown } = gridColumns(80, { longestId: 20, longestTags: 0, groups: 1, repeats });
      return { step, shown };
    };
    expect(pitch(6)).toEqual({ step: 2, shown: 6 });
    expect(pitch(30)).toEqual({ step: 1, shown: 30 });
    expect(pitch(100).shown).toBeLessThan(100);
  });
});
