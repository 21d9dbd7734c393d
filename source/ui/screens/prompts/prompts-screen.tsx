import { LineText } from '../../components/line-text.js';
import { LinesScreen } from '../../components/lines-screen.js';
import type { AppModel } from '../../model.js';
import { fitLine, type Line, lineWidth, segment, spreadLine } from '../../segments.js';
import { hiddenText } from '../../viewport.js';
import { differText, pairLines } from '../sides/view.js';

/** The prompt that is tried and the bad one beside each other, with the words marked in which they differ. */
export function PromptsScreen({ model }: { model: AppModel }) {
  const { theme, prompts, promptsContents: contents, state } = model;
  if (!prompts || !contents)
    return <LineText line={[segment(' there is no prompt to show', 'warn')]} theme={theme} />;
  const total = state.size.columns - 1;
  const { names, layout, isWide, width, height, top } = contents;
  const hidden = hiddenText({ top, height, count: layout.from.length });
  const name = (side: 'from' | 'to'): Line => {
    const isShown = isWide || prompts.side === side;
    const mark = !isWide && isShown ? `${theme.glyphs.marker} ` : '';
    return [segment(`${mark}${names[side]}`, isShown ? 'accent' : 'faint')];
  };
  const wall = segment(` ${theme.glyphs.wall} `, 'faint');
  const both = [...name('from'), segment('   '), ...name('to')];
  // The one that is shown says what it is.
  const narrow = lineWidth(both) < total ? both : name(prompts.side);
  const lines = [
    spreadLine(
      [segment(' both prompts', 'title'), segment(`   ${differText(layout.differences.length)}`, 'faint')],
      hidden === '' ? [] : [segment(hidden, 'accent')],
      total,
    ),
    fitLine(
      [segment(' '), ...(isWide ? [...fitLine(name('from'), width), wall, ...name('to')] : narrow)],
      total,
    ),
    ...pairLines(contents, prompts.side, theme, (side, row) => layout[side][row] ?? []).map((line) =>
      fitLine(line, total),
    ),
  ];
  return <LinesScreen model={model} lines={lines} />;
}
