import { LineText } from '../../components/line-text.js';
import { statusLine } from '../../components/status.js';
import { keyFacts } from '../../keys/facts.js';
import type { AppModel } from '../../model.js';
import { segment } from '../../segments.js';
import { historyView } from './view.js';

/** Scores over time: a plot, whether they fall, and the runs below. */
export function HistoryScreen({ model }: { model: AppModel }) {
  const { theme, state } = model;
  return (
    <>
      {historyView(model).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have no identity but their place
        <LineText key={index} line={line} theme={theme} />
      ))}
      <LineText
        line={[segment(' '), ...statusLine(model, keyFacts(model), state.size.columns - 2)]}
        theme={theme}
      />
    </>
  );
}
