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
    columns.rate,
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
      isMeasured: fc.boolean(),
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

  it('give up tags before tokens, tokens before the name is cut, and the rate last', () => {
    const schema = { longestId: 40, longestTags: 14, groups: 1, repeats: 3 };
    expect(gridColumns(140, schema)).toMatchObject({ tags: 14, measure: 7, rate: 16, scenario: 40 });
    expect(gridColumns(120, schema)).toMatchObject({ tags: 0, measure: 7, rate: 16, scenario: 40 });
    expect(gridColumns(110, schema)).toMatchObject({ tags: 0, measure: 0, rate: 16, scenario: 40 });
    expect(gridColumns(80, schema)).toMatchObject({ tags: 0, measure: 0, rate: 0, scenario: 33, why: 24 });
    const narrow = gridColumns(60, schema);
    expect(narrow).toMatchObject({ tags: 0, measure: 0 });
    expect(narrow.scenario).toBeGreaterThanOrEqual(20);
    expect(narrow.why).toBeGreaterThanOrEqual(15);
  });

  it('show whole tags where there is room for them', () => {
    const schema = { longestId: 30, longestTags: 44, groups: 1, repeats: 3 };
    expect(gridColumns(140, schema).tags).toBe(18);
    const wide = gridColumns(220, schema);
    expect(wide.tags).toBe(44);
    expect(wide.why).toBeGreaterThanOrEqual(60);
  });

  it('stand where they stood when rows are sorted by tokens that had no room: those come out of the reason', () => {
    const schema = { longestId: 40, longestTags: 14, groups: 1, repeats: 3 };
    const before = gridColumns(80, schema);
    const after = gridColumns(80, { ...schema, isMeasured: true });
    expect(after).toEqual({ ...before, measure: 7, why: before.why - 9 });
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
