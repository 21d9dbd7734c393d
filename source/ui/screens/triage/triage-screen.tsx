import { LineText } from '../../components/line-text.js';
import { statusLine } from '../../components/status.js';
import { keyFacts } from '../../keys/facts.js';
import type { AppModel } from '../../model.js';
import { segment } from '../../segments.js';
import { triageView } from './view.js';

/** What flips with nothing changed, what is quarantined, and what may be done about either. */
export function TriageScreen({ model }: { model: AppModel }) {
  const { theme, state } = model;
  return (
    <>
      {triageView(model).map((line, index) => (
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
