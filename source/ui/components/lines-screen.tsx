import type { AppModel } from '../model.js';
import type { Line } from '../segments.js';
import { LineText } from './line-text.js';
import { withStatus } from './said.js';

/** A screen that is nothing but lines, with what is asked, what is to be said or the keys below them. */
export function LinesScreen({ model, lines }: { model: AppModel; lines: readonly Line[] }) {
  const { theme, state } = model;
  const told = withStatus(lines, model, state.size.columns - 1);
  return (
    <>
      {[...told.lines, told.status].map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have no identity but their place
        <LineText key={index} line={line} theme={theme} />
      ))}
    </>
  );
}
