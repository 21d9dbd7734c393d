import { Box } from 'ink';
import { LineText } from '../../components/line-text.js';
import { withStatus } from '../../components/said.js';
import type { AppModel } from '../../model.js';
import { segment } from '../../segments.js';
import { sidesView } from './view.js';

/** The conversation of the base and that of the candidate beside each other. */
export function SidesScreen({ model }: { model: AppModel }) {
  const { theme, sides, sidesContents, state } = model;
  if (!sides || !sidesContents)
    return <LineText line={[segment(' these trials are not in the run', 'warn')]} theme={theme} />;
  const { title, names, body } = sidesView(model, sides, sidesContents);
  const { lines, status } = withStatus(body, model, state.size.columns - 1);
  return (
    <>
      <LineText line={title} theme={theme} />
      <LineText line={names} theme={theme} />
      <Box flexDirection="column" height={sidesContents.height} flexShrink={0}>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have no identity but their place
          <LineText key={index} line={line} theme={theme} />
        ))}
      </Box>
      <LineText line={status} theme={theme} />
    </>
  );
}
