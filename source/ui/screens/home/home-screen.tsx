import { LinesScreen } from '../../components/lines-screen.js';
import type { AppModel } from '../../model.js';
import { homeView } from './view.js';

/** The project at a glance: its suites, what was left unfinished, and what is to be seen to. */
export function HomeScreen({ model }: { model: AppModel }) {
  return <LinesScreen model={model} lines={homeView(model)} />;
}
