import { keyFacts } from '../keys/facts.js';
import type { AppModel } from '../model.js';
import { type Line, segment } from '../segments.js';
import { LineText } from './line-text.js';
import { statusLine } from './status.js';

/** A screen that is nothing but lines, with what is asked, what is to be said or the keys below them. */
export function LinesScreen({ model, lines }: { model: AppModel; lines: readonly Line[] }) {
  const { theme, state } = model;
  return (
    <>
      {lines.map((line, index) => (
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
