import { Box } from 'ink';
import { LineText } from '../../components/line-text.js';
import { withStatus } from '../../components/said.js';
import type { AppModel } from '../../model.js';
import { segment } from '../../segments.js';
import { trialStatus } from './status.js';
import { trialView } from './view.js';

/** One trial: its checks, why they ended as they did, and what was said. */
export function TrialScreen({ model }: { model: AppModel }) {
  const { theme, trial, contents, state } = model;
  if (!trial || !contents)
    return <LineText line={[segment(' this trial is not in the run', 'warn')]} theme={theme} />;
  const { title, panes, body } = trialView(model, trial, contents);
  const { lines, status } = withStatus(body, model, state.size.columns - 1, (width, said) =>
    trialStatus(model, width, said),
  );
  return (
    <>
      <LineText line={title} theme={theme} />
      <LineText line={panes} theme={theme} />
      <Box flexDirection="column" height={contents.geometry.body} flexShrink={0}>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have no identity but their place
          <LineText key={index} line={line} theme={theme} />
        ))}
      </Box>
      <LineText line={status} theme={theme} />
    </>
  );
}
