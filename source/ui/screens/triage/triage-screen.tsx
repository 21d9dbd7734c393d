import { LinesScreen } from '../../components/lines-screen.js';
import type { AppModel } from '../../model.js';
import { triageView } from './view.js';

/** What flips with nothing changed, what is quarantined, and what may be done about either. */
export function TriageScreen({ model }: { model: AppModel }) {
  return <LinesScreen model={model} lines={triageView(model)} />;
}
