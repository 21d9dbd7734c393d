import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScenarioTally, Verdict } from '../../../../source/tally/types.js';
import { parseFilter } from '../../../../source/ui/screens/grid/filter.js';
import { createRowOrder } from '../../../../source/ui/screens/grid/row-order.js';
import { type SortName, sortNames } from '../../../../source/ui/screens/grid/sort.js';
import { fakeScenario } from '../../fake-run.js';

interface Facts {
  verdict: Verdict | undefined;
  tokens: number;
  cells: (Verdict | 'waiting')[];
  ms: number;
}

function row(order: number, { verdict, tokens, cells, ms }: Facts): ScenarioTally {
  return {
    scenario: fakeScenario(`s${order}`),
    order,
    isQuarantined: false,
    groups: [
      {
        condition: 'a',
        checks: new Map(),
        leftOut: new Set(),
        fresh: undefined,
        verdict,
        isPartial: false,
        cells: cells.map((state, index) => ({
          repeat: index + 1,
          state,
          attempt: 1,
          tokens: undefined,
          ms: state === 'waiting' ? undefined : ms,
          startedAt: undefined,
          live: undefined,
          positions: [],
          why: undefined,
          worstCheck: undefined,
        })),
      },
    ],
    verdict,
    isPartial: false,
    why: undefined,
    tokens,
    ms: ms * cells.filter((state) => state !== 'waiting').length,
  };
}

const verdict = fc.constantFrom<Verdict>('pass', 'warn', 'fail', 'unknown', 'error');
const facts: fc.Arbitrary<Facts> = fc.record({
  verdict: fc.option(verdict, { nil: undefined }),
  tokens: fc.nat(20),
  cells: fc.array(fc.oneof(verdict, fc.constant('waiting' as const)), { minLength: 1, maxLength: 4 }),
  ms: fc.nat(5),
});

function listed(order: ReturnType<typeof createRowOrder>): (string | undefined)[] {
  return Array.from({ length: order.count }, (_, index) => order.at(index));
}

describe('the order of rows', () => {
  it('stays what sorting and filtering all rows anew would give, row by row', () => {
    const changes = fc.array(fc.tuple(fc.nat(9), facts), { maxLength: 30 });
    fc.assert(
      fc.property(
        fc.array(facts, { minLength: 10, maxLength: 10 }),
        changes,
        fc.constantFrom(...sortNames),
        fc.constantFrom('', 'verdict:fail,pass'),
        (first, later, sort, query) => {
          const rows = first.map((each, order) => row(order, each));
          const filter = parseFilter(query);
          const order = createRowOrder(rows, sort, filter);
          for (const [index, change] of later) {
            const changed = row(index, change);
            rows[index] = changed;
            order.update(changed);
          }
          expect(listed(order)).toEqual(listed(createRowOrder(rows, sort, filter)));
          for (const [index, id] of listed(order).entries()) expect(order.indexOf(id ?? '')).toBe(index);
        },
      ),
    );
  });

  const rows = [
    row(0, { verdict: 'pass', tokens: 5, cells: ['pass', 'pass'], ms: 1 }),
    row(1, { verdict: 'fail', tokens: 1, cells: ['fail', 'pass'], ms: 9 }),
    row(2, { verdict: 'warn', tokens: 9, cells: ['warn', 'waiting'], ms: 3 }),
    row(3, { verdict: 'fail', tokens: 1, cells: ['fail', 'fail'], ms: 2 }),
    row(4, { verdict: undefined, tokens: 0, cells: ['waiting', 'waiting'], ms: 0 }),
  ];
  it.each<[SortName, string[]]>([
    ['order', ['s0', 's1', 's2', 's3', 's4']],
    ['worst', ['s3', 's1', 's2', 's0', 's4']],
    ['flakiest', ['s1', 's0', 's2', 's3', 's4']],
    ['slowest', ['s1', 's2', 's3', 's0', 's4']],
    ['tokens', ['s2', 's0', 's1', 's3', 's4']],
  ])('sorted by %s they are %j', (sort, ids) => {
    expect(listed(createRowOrder(rows, sort, parseFilter('')))).toEqual(ids);
  });

  it('does not know rows that are filtered out', () => {
    expect(createRowOrder(rows, 'order', parseFilter('verdict:warn')).indexOf('s0')).toBe(-1);
  });
});
