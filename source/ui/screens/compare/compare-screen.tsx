import { Box } from 'ink';
import { LineText } from '../../components/line-text.js';
import { readingLine } from '../../components/reading.js';
import { withStatus } from '../../components/said.js';
import { statusLine } from '../../components/status.js';
import { keyFacts } from '../../keys/facts.js';
import type { AppModel } from '../../model.js';
import { fitLine, segment } from '../../segments.js';
import { FiguresTable, figuresFitting, figuresOf } from './figures.js';
import { compareView, factTexts } from './view.js';

/** What changed against the base: a row a criterion, and both sides in figures. */
export function CompareScreen({ model }: { model: AppModel }) {
  const { theme, store, state, compare } = model;
  const { comparison } = store;
  const status = (
    <LineText
      line={[segment(' '), ...statusLine(model, keyFacts(model), state.size.columns - 2)]}
      theme={theme}
    />
  );
  if (!comparison) {
    const line = store.tally ? [segment('nothing can be compared yet', 'faint')] : readingLine(store);
    return (
      <>
        <LineText line={fitLine([segment(' '), ...line], state.size.columns - 1)} theme={theme} />
        <Box flexGrow={1} />
        {status}
      </>
    );
  }
  const { head, body, foot } = compareView(model, comparison);
  if (compare?.isFigures) {
    const width = state.size.columns - 1;
    const room = state.size.rows - 3;
    const figures = figuresOf(comparison);
    const texts = factTexts(comparison);
    // The table first, then in words what does not fit a table, as far as there is room.
    const shown = figures.slice(0, figuresFitting(Math.max(9, room - Math.min(texts.length, 4))));
    const left = Math.max(0, room - 3 - 2 * shown.length);
    return (
      <>
        <LineText line={head[0] ?? []} theme={theme} />
        <FiguresTable figures={shown} width={width - 1} theme={theme} />
        <Box flexDirection="column" flexGrow={1}>
          {texts.slice(0, left).map((text) => (
            <LineText key={text} line={fitLine([segment(` ${text}`, 'faint')], width)} theme={theme} />
          ))}
        </Box>
        {status}
      </>
    );
  }
  const told = withStatus([...head, ...body, ...foot], model, state.size.columns - 1);
  return (
    <>
      {[...told.lines, told.status].map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have no identity but their place
        <LineText key={index} line={line} theme={theme} />
      ))}
    </>
  );
}
