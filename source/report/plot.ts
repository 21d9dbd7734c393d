/** One run on a plot. */
export interface PlotPoint {
  /** Share, 0 to 1. */
  score: number;
  /** Something changed before this run: a mark stands below it. */
  isMarked?: boolean;
}

export interface PlotSize {
  /** Cells, the scale on the left included. */
  width: number;
  /** Lines, that of the marks included. */
  height: number;
  /** Nothing but ASCII: a star a run instead of a line of dots. */
  ascii?: boolean;
}

/** Cells of the scale: `100 % ┤`. */
const scaleWidth = 7;
/** Dots of a braille cell, column by column from the top. */
const dots = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;

/** A plot, and where each of its points stands in it: line, and character of the line. */
export interface Plot {
  lines: string[];
  places: { line: number; column: number }[];
}

/** As `drawPlot`, the lines alone. */
export function plotScores(points: readonly PlotPoint[], size: PlotSize): string[] {
  return drawPlot(points, size).lines;
}

/**
 * Scores over time, oldest left: a line of braille dots, a scale of per cent on the left, and marks in the last line.
 * Every line is at most `width` cells; there are `height` of them, none where nothing fits or there is no point.
 */
export function drawPlot(points: readonly PlotPoint[], { width, height, ascii = false }: PlotSize): Plot {
  const columns = width - scaleWidth;
  const rows = height - 1;
  if (columns < 1 || rows < 1 || points.length === 0) return { lines: [], places: [] };
  const [wide, high] = ascii ? [1, 1] : [2, 4];
  const { low, top } = scaleOf(points);
  const last = columns * wide - 1;
  // Few runs stand close together on the left rather than far apart.
  const step = points.length === 1 ? 0 : Math.min(2 * wide, last / (points.length - 1));
  const xOf = (index: number) => Math.round(index * step);
  const yOf = (score: number) => Math.round(((top - score) / (top - low)) * (rows * high - 1));

  const grid = Array.from({ length: rows }, () => new Array<number>(columns).fill(0));
  const put = (x: number, y: number) => {
    const row = grid[Math.floor(y / high)];
    const dot = ascii ? 1 : (dots[x % 2 === 0 ? 0 : 1]?.[y % 4] ?? 0);
    const column = Math.floor(x / wide);
    if (row) row[column] = (row[column] ?? 0) | dot;
  };
  const places: Plot['places'] = [];
  let before: { x: number; y: number } | undefined;
  const marks = new Array<string>(columns).fill(' ');
  for (const [index, { score, isMarked }] of points.entries()) {
    const here = { x: xOf(index), y: yOf(score) };
    for (const { x, y } of before && !ascii ? lineBetween(before, here) : [here]) put(x, y);
    if (isMarked) marks[Math.floor(here.x / wide)] = '^';
    places.push({ line: Math.floor(here.y / high), column: scaleWidth + Math.floor(here.x / wide) });
    before = here;
  }
  const drawn = grid.map((row, index) => {
    const cells = row.map((cell) =>
      ascii ? (cell ? '*' : ' ') : cell ? String.fromCharCode(0x2800 + cell) : ' ',
    );
    return `${scaleText(index, rows, low, top, ascii)}${cells.join('')}`.trimEnd();
  });
  return { lines: [...drawn, `${' '.repeat(scaleWidth)}${marks.join('')}`.trimEnd()], places };
}

/** From a multiple of five per cent below all scores to one above, at least ten apart: small moves stay small. */
function scaleOf(points: readonly PlotPoint[]): { low: number; top: number } {
  const scores = points.map(({ score }) => score);
  let low = Math.floor(Math.min(...scores) * 20 + 1e-9) / 20;
  let top = Math.ceil(Math.max(...scores) * 20 - 1e-9) / 20;
  if (top - low < 0.1) top = Math.min(1, low + 0.1);
  if (top - low < 0.1) low = top - 0.1;
  return { low, top };
}

/** The top, the bottom and, where there is room, the middle have a number. */
function scaleText(index: number, rows: number, low: number, top: number, ascii: boolean): string {
  const middle = rows >= 5 && rows % 2 === 1 ? (rows - 1) / 2 : -1;
  const share = index === 0 ? top : index === rows - 1 ? low : index === middle ? (low + top) / 2 : undefined;
  const text = share === undefined ? '' : `${Math.round(share * 1000) / 10} %`;
  return `${text.padStart(scaleWidth - 1)}${ascii ? '|' : share === undefined ? '│' : '┤'}`;
}

function* lineBetween(
  from: { x: number; y: number },
  to: { x: number; y: number },
): Generator<{ x: number; y: number }> {
  const steps = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y), 1);
  for (let i = 0; i <= steps; i++) {
    yield {
      x: Math.round(from.x + ((to.x - from.x) * i) / steps),
      y: Math.round(from.y + ((to.y - from.y) * i) / steps),
    };
  }
}
