import { type Interval, jeffreysInterval } from './statistics.js';

/** How far two raters agree beyond chance. */
export interface Kappa extends Interval {
  /** 1: always; 0: as often as by chance; below 0: less often than that. */
  value: number;
}

/**
 * Cohen's kappa of a square table of counts, `table[i][j]` cases that the first rater put into category i and the second
 * into j: (po - pe) / (1 - pe), with po the share on the diagonal and pe the share expected there from the margins
 * (Cohen 1960). The 95 % interval is the large-sample one of Fleiss, Cohen and Everitt (1969), cut to -1 and 1. Where all
 * cases agree that interval has no width, which a handful of cases does not deserve: its lower end is then kappa at the
 * lower end of the Jeffreys interval of po.
 *
 * Undefined without cases, and where both raters put everything into one category: chance alone explains that.
 */
export function cohenKappa(table: readonly (readonly number[])[]): Kappa | undefined {
  const categories = table.map((_, index) => index);
  const cell = (row: number, column: number) => table[row]?.[column] ?? 0;
  const count = sum(table.flat());
  if (count === 0) return undefined;
  const rows = categories.map((row) => sum(categories.map((column) => cell(row, column))) / count);
  const columns = categories.map((column) => sum(categories.map((row) => cell(row, column))) / count);
  const row = (index: number) => rows[index] ?? 0;
  const column = (index: number) => columns[index] ?? 0;
  const agreed = sum(categories.map((index) => cell(index, index)));
  const observed = agreed / count;
  const expected = sum(categories.map((index) => row(index) * column(index)));
  if (expected > 1 - 1e-12) return undefined;
  const kappaAt = (share: number) => (share - expected) / (1 - expected);
  const value = kappaAt(observed);
  if (agreed === count) return { value, low: kappaAt(jeffreysInterval(agreed, count).low), high: 1 };

  const rest = 1 - value;
  const onDiagonal = sum(
    categories.map((index) => (cell(index, index) / count) * (1 - (row(index) + column(index)) * rest) ** 2),
  );
  const beside = sum(
    categories.flatMap((i) =>
      categories.map((j) => (i === j ? 0 : (cell(i, j) / count) * (column(i) + row(j)) ** 2)),
    ),
  );
  const variance =
    (onDiagonal + rest ** 2 * beside - (value - expected * rest) ** 2) / (count * (1 - expected) ** 2);
  const margin = 1.959964 * Math.sqrt(Math.max(0, variance));
  return { value, low: Math.max(-1, value - margin), high: Math.min(1, value + margin) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
