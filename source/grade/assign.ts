/**
 * Pairs each row with at most one column so that the sum of the gains is largest (the Hungarian method with
 * potentials, O(rows² · columns)). `gain(row, column)` is at least 0, and 0 means that the two do not go together.
 * Gives the column of each row; undefined where a row stays alone.
 */
export function assign(
  rows: number,
  columns: number,
  gain: (row: number, column: number) => number,
): (number | undefined)[] {
  // A column of its own for each row, worth nothing, so that a row may stay alone.
  const width = columns + rows;
  const cost = (row: number, column: number) => (column <= columns ? -gain(row - 1, column - 1) : 0);
  const rowPotential = new Float64Array(rows + 1);
  const columnPotential = new Float64Array(width + 1);
  const rowOfColumn = new Int32Array(width + 1);
  const cameFrom = new Int32Array(width + 1);
  for (let row = 1; row <= rows; row++) {
    rowOfColumn[0] = row;
    const slack = new Float64Array(width + 1).fill(Number.POSITIVE_INFINITY);
    const isDone = new Uint8Array(width + 1);
    let column = 0;
    while (rowOfColumn[column] !== 0) {
      isDone[column] = 1;
      const current = at(rowOfColumn, column);
      let least = Number.POSITIVE_INFINITY;
      let next = 0;
      for (let other = 1; other <= width; other++) {
        if (isDone[other]) continue;
        const reduced = cost(current, other) - at(rowPotential, current) - at(columnPotential, other);
        if (reduced < at(slack, other)) {
          slack[other] = reduced;
          cameFrom[other] = column;
        }
        if (at(slack, other) < least) {
          least = at(slack, other);
          next = other;
        }
      }
      for (let other = 0; other <= width; other++) {
        if (isDone[other]) {
          rowPotential[at(rowOfColumn, other)] = at(rowPotential, at(rowOfColumn, other)) + least;
          columnPotential[other] = at(columnPotential, other) - least;
        } else slack[other] = at(slack, other) - least;
      }
      column = next;
    }
    while (column !== 0) {
      const previous = at(cameFrom, column);
      rowOfColumn[column] = at(rowOfColumn, previous);
      column = previous;
    }
  }
  const pairs = new Array<number | undefined>(rows).fill(undefined);
  for (let column = 1; column <= columns; column++) {
    const row = at(rowOfColumn, column);
    if (row > 0 && gain(row - 1, column - 1) > 0) pairs[row - 1] = column - 1;
  }
  return pairs;
}

/** An element of an array that is known to be that long. */
function at(values: Float64Array | Int32Array, index: number): number {
  return values[index] ?? 0;
}
