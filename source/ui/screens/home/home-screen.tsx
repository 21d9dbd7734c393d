import { LineText } from '../../components/line-text.js';
import { statusLine } from '../../components/status.js';
import { keyFacts } from '../../keys/facts.js';
import type { AppModel } from '../../model.js';
import { segment } from '../../segments.js';
import { homeView } from './view.js';

/** The project at a glance: its suites, what was left unfinished, and what is to be seen to. */
export function HomeScreen({ model }: { model: AppModel }) {
  const { theme, state } = model;
  return (
    <>
      {homeView(model).map((line, index) => (
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
