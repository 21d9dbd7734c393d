import { Box } from 'ink';
import { LineText } from '../../components/line-text.js';
import { readingLine } from '../../components/reading.js';
import { statusLine } from '../../components/status.js';
import { keyFacts } from '../../keys/facts.js';
import type { AppModel } from '../../model.js';
import { fitLine, segment } from '../../segments.js';
import { lastSaid } from './foot.js';
import { bisectView, lookAtBisect } from './view.js';

/** A bisect: its hunks and what is believed of each, and what is known of the selected one. */
export function BisectScreen({ model }: { model: AppModel }) {
  const { theme, store, state } = model;
  const width = state.size.columns - 1;
  const look = lookAtBisect(model);
  const lines = look ? bisectView(model, look) : [fitLine([segment(' '), ...readingLine(store)], width)];
  return (
    <>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have no identity but their place
        <LineText key={index} line={line} theme={theme} />
      ))}
      {look ? null : <Box flexGrow={1} />}
      <LineText
        line={[segment(' '), ...statusLine(model, keyFacts(model), width - 1, look && lastSaid(model))]}
        theme={theme}
      />
    </>
  );
}
