import { Box } from 'ink';
import { useSyncExternalStore } from 'react';
import { LineText } from './components/line-text.js';
import { ScreenBoundary } from './components/screen-boundary.js';
import type { DrivenModel } from './create-model.js';
import { GridScreen } from './screens/grid/grid-screen.js';
import { HelpScreen } from './screens/help/help-screen.js';
import { TrialScreen } from './screens/trial/trial-screen.js';
import { segment } from './segments.js';
import { topScreen } from './state.js';
import { isTooSmall, type Size, smallest } from './terminal/size.js';
import type { Theme } from './theme.js';

/** The whole app: the topmost screen, one line shorter than the terminal. The only subscription there is. */
export function App({ model, onError }: { model: DrivenModel; onError: (error: unknown) => void }) {
  useSyncExternalStore(model.subscribe, model.frame);
  const { size } = model.state;
  return (
    <ScreenBoundary onError={onError}>
      <Box flexDirection="column" width={size.columns} height={Math.max(1, size.rows - 1)}>
        {isTooSmall(size) ? <TooSmall size={size} theme={model.theme} /> : <TopScreen model={model} />}
      </Box>
    </ScreenBoundary>
  );
}

function TopScreen({ model }: { model: DrivenModel }) {
  const screen = topScreen(model.state);
  switch (screen.name) {
    case 'grid':
      return <GridScreen model={model} />;
    case 'trial':
      return <TrialScreen model={model} />;
    case 'help':
      return <HelpScreen model={model} top={screen.top} />;
  }
}

function TooSmall({ size, theme }: { size: Size; theme: Theme }) {
  const text = `${size.columns}x${size.rows} is too small: needs ${smallest.columns}x${smallest.rows}`;
  return <LineText line={[segment(text, 'faint')]} theme={theme} />;
}
