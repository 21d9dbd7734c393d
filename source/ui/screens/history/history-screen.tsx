import { LinesScreen } from '../../components/lines-screen.js';
import type { AppModel } from '../../model.js';
import { historyView } from './view.js';

/** Scores over time: a plot, whether they fall, and the runs below. */
export function HistoryScreen({ model }: { model: AppModel }) {
  return <LinesScreen model={model} lines={historyView(model)} />;
}
