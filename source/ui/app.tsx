import { Box } from 'ink';
import { useSyncExternalStore } from 'react';
import { LineText } from './components/line-text.js';
import { ScreenBoundary } from './components/screen-boundary.js';
import type { DrivenModel } from './create-model.js';
import type { AppModel } from './model.js';
import { BisectScreen } from './screens/bisect/bisect-screen.js';
import { CompareScreen } from './screens/compare/compare-screen.js';
import { GridScreen } from './screens/grid/grid-screen.js';
import { HelpScreen } from './screens/help/help-screen.js';
import { HistoryScreen } from './screens/history/history-screen.js';
import { HomeScreen } from './screens/home/home-screen.js';
import { PromptsScreen } from './screens/prompts/prompts-screen.js';
import { ReviewScreen } from './screens/review/review-screen.js';
import { SidesScreen } from './screens/sides/sides-screen.js';
import { TriageScreen } from './screens/triage/triage-screen.js';
import { TrialScreen } from './screens/trial/trial-screen.js';
import { WatchScreen } from './screens/watch/watch-screen.js';
import { fitLine, segment } from './segments.js';
import { topScreen } from './state.js';
import { isTooSmall, smallest } from './terminal/size.js';

/** The whole app: the topmost screen, one line shorter than the terminal. The only subscription there is. */
export function App({ model: whole, onError }: { model: DrivenModel; onError: (error: unknown) => void }) {
  useSyncExternalStore(whole.subscribe, whole.frame);
  const model = whole.front;
  const { size } = model.state;
  return (
    <ScreenBoundary onError={onError}>
      <Box flexDirection="column" width={size.columns} height={Math.max(1, size.rows - 1)}>
        {isTooSmall(size) ? <TooSmall model={model} /> : <TopScreen model={model} />}
      </Box>
    </ScreenBoundary>
  );
}

function TopScreen({ model }: { model: AppModel }) {
  const screen = topScreen(model.state);
  switch (screen.name) {
    case 'grid':
      return <GridScreen model={model} />;
    case 'trial':
      return <TrialScreen model={model} />;
    case 'compare':
      return <CompareScreen model={model} />;
    case 'sides':
      return <SidesScreen model={model} />;
    case 'review':
      return <ReviewScreen model={model} />;
    case 'history':
      return <HistoryScreen model={model} />;
    case 'home':
      return <HomeScreen model={model} />;
    case 'bisect':
      return <BisectScreen model={model} />;
    case 'prompts':
      return <PromptsScreen model={model} />;
    case 'watch':
      return <WatchScreen model={model} />;
    case 'triage':
      return <TriageScreen model={model} />;
    case 'help':
      return <HelpScreen model={model} top={screen.top} />;
  }
}

/** One calm line; what is asked is asked here too, since leaving is always possible. */
function TooSmall({ model }: { model: AppModel }) {
  const { size, field } = model.state;
  const needs = `${size.columns}x${size.rows} is too small: needs ${smallest.columns}x${smallest.rows}`;
  const text = field?.kind === 'leave' ? 'leave the run? y/n' : needs;
  return <LineText line={fitLine([segment(text, 'faint')], size.columns)} theme={model.theme} />;
}
