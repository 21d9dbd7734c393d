import { textWidth } from '../../../base/width.js';
import { drawPlot } from '../../../report/plot.js';
import { type Line, type Segment, segment, spreadLine } from '../../segments.js';
import type { Theme } from '../../theme.js';
import { runKey, type ShownHistory } from './state.js';

/** What the marks below the plot stand for, where there is room to say it. */
const legend = '(^ condition or checks changed)';

/**
 * The scores of the clean runs as `height` lines: the selected run and the marked ones stand in the line of dots as
 * signs of their own.
 */
export function plotLines(shown: ShownHistory, width: number, height: number, theme: Theme): Line[] {
  const { series, runs, index, view } = shown;
  const { lines, places } = drawPlot(
    series.points.map(({ score, changed }) => ({ score, isMarked: changed.length > 0 })),
    { width, height, ascii: theme.isAscii },
  );
  const signs = new Map<string, Segment>();
  const put = (key: string, sign: Segment) => {
    const place = places[series.points.findIndex((point) => runKey(point) === key)];
    if (place) signs.set(`${place.line} ${place.column}`, sign);
  };
  for (const key of view.marked) put(key, segment(theme.glyphs.markedPoint, 'warn'));
  const selected = runs[index];
  // Where two stand on one place, the selected one is seen.
  if (selected) put(runKey(selected), { ...segment(theme.glyphs.point, 'strong'), isChosen: true });
  return lines.map((line, number) =>
    number < lines.length - 1 ? signedLine(line, number, signs) : marksLine(line, width),
  );
}

/** Characters of the scale at the left. */
const scaleWidth = 7;

function signedLine(text: string, number: number, signs: ReadonlyMap<string, Segment>): Line {
  const characters = [...text];
  const line: Segment[] = [segment(characters.slice(0, scaleWidth).join(''), 'faint')];
  let dots = '';
  for (let column = scaleWidth; column < characters.length; column++) {
    const sign = signs.get(`${number} ${column}`);
    if (sign) line.push(segment(dots, 'accent'), sign);
    dots = sign ? '' : dots + characters[column];
  }
  return [...line, segment(dots, 'accent')].filter(({ text }) => text !== '');
}

function marksLine(text: string, width: number): Line {
  const isTold = text !== '' && textWidth(text) + textWidth(legend) + 3 <= width;
  return spreadLine([segment(text, 'warn')], isTold ? [segment(legend, 'faint')] : [], width);
}
