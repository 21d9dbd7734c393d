import { Box, Text } from 'ink';
import { memo } from 'react';
import type { Line } from '../segments.js';
import type { Theme } from '../theme.js';

/**
 * One line of the screen: a box of short texts, which is the cheapest form that Ink draws (one text with colours
 * inside costs a third more). Drawn again only when its line is another object.
 */
export const LineText = memo(function LineText({ line, theme }: { line: Line; theme: Theme }) {
  return (
    <Box height={1} flexShrink={0}>
      {line.map(({ text, tone, isChosen }, index) => (
        // Pieces have no identity but their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Text key={index} wrap="truncate-end" {...theme.look(tone)} {...(isChosen ? { inverse: true } : {})}>
          {text}
        </Text>
      ))}
      {line.length === 0 ? <Text> </Text> : null}
    </Box>
  );
});
