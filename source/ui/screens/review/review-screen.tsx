import { Box } from 'ink';
import { LineText } from '../../components/line-text.js';
import { withStatus } from '../../components/said.js';
import type { AppModel } from '../../model.js';
import { reviewView } from './view.js';

/** One verdict of the judge at a time: what it was asked, what it was shown, and its answer once the person has given theirs. */
export function ReviewScreen({ model }: { model: AppModel }) {
  const { theme, state } = model;
  const { title, body, rule, said } = reviewView(model);
  const { lines, status } = withStatus(said, model, state.size.columns - 1);
  return (
    <>
      <LineText line={title} theme={theme} />
      <LineText line={[]} theme={theme} />
      <Box flexDirection="column" height={body.length} flexShrink={0}>
        {body.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have no identity but their place
          <LineText key={index} line={line} theme={theme} />
        ))}
      </Box>
      <LineText line={rule} theme={theme} />
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <LineText key={index} line={line} theme={theme} />
      ))}
      <LineText line={status} theme={theme} />
    </>
  );
}
