import { Box } from 'ink';
import { LineText } from '../../components/line-text.js';
import { withStatus } from '../../components/said.js';
import type { AppModel } from '../../model.js';
import { fitLine, segment } from '../../segments.js';
import { clamp } from '../../viewport.js';
import { helpHeight, helpLines, helpTitle } from './lines.js';

/** All keys of the screen below, from the key table. */
export function HelpScreen({ model, top }: { model: AppModel; top: number }) {
  const { theme, state } = model;
  const width = state.size.columns - 1;
  const height = helpHeight(state.size);
  const lines = helpLines(model);
  const first = clamp(top, 0, Math.max(0, lines.length - height));
  const shown = lines.slice(first, first + height).map((line) => fitLine(line, width));
  while (shown.length < height) shown.push([]);
  const { lines: body, status } = withStatus(shown, model, width);
  const hidden = lines.length - first - height;
  const more = hidden > 0 ? `  ${hidden} more below` : '';
  return (
    <>
      <LineText line={[segment(` ${helpTitle(model)}`, 'title'), segment(more, 'faint')]} theme={theme} />
      <LineText line={[]} theme={theme} />
      <Box flexDirection="column" height={height} flexShrink={0}>
        {body.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have no identity but their place
          <LineText key={first + index} line={line} theme={theme} />
        ))}
      </Box>
      <LineText line={status} theme={theme} />
    </>
  );
}
