import { Box } from 'ink';
import { useState } from 'react';
import { LineText } from '../../components/line-text.js';
import { keyFacts } from '../../keys/facts.js';
import type { AppModel } from '../../model.js';
import { createGridViews } from './view.js';

/** The run: one row a scenario, one cell a trial. Only rows that are on screen are laid out. */
export function GridScreen({ model }: { model: AppModel }) {
  const [viewOf] = useState(createGridViews);
  const { head, rows, empty, height, foot } = viewOf(model, keyFacts(model));
  const { theme } = model;
  return (
    <>
      {head.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of the head have no identity but their place
        <LineText key={index} line={line} theme={theme} />
      ))}
      <Box flexDirection="column" height={height} flexShrink={0}>
        {rows.map(({ id, line }) => (
          <LineText key={id} line={line} theme={theme} />
        ))}
        {empty ? <LineText line={empty} theme={theme} /> : null}
      </Box>
      {foot.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <LineText key={index} line={line} theme={theme} />
      ))}
    </>
  );
}
