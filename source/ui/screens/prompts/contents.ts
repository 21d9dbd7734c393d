import { diffArrays } from 'diff';
import { makeVisible } from '../../../base/text.js';
import { candidateName, candidateText } from '../../../bisect/candidate-prompt.js';
import type { BisectRecord } from '../../../bisect/record.js';
import type { Size } from '../../terminal/size.js';
import type { Theme } from '../../theme.js';
import { clamp } from '../../viewport.js';
import { sidesGeometry } from '../sides/contents.js';
import { type Block, createPair, type SidesLayout } from '../sides/layout.js';
import type { PromptsState } from './state.js';

/** Everything that two prompts side by side are drawn from. */
export interface PromptsContents {
  /** What each side is called. Made visible. */
  names: Record<'from' | 'to', string>;
  layout: SidesLayout;
  isWide: boolean;
  width: number;
  height: number;
  /** First line on screen. */
  top: number;
}

export interface PromptsOptions {
  prompts: PromptsState;
  record: BisectRecord;
  size: Size;
  theme: Theme;
}

/** Lays the two prompts out, keeping the last layout for as long as what it was made from is the same. */
export function createPromptsContents(): (options: PromptsOptions) => PromptsContents {
  let last: { asked: readonly unknown[]; layout: SidesLayout } | undefined;
  return ({ prompts, record, size, theme }) => {
    const geometry = sidesGeometry(size);
    const { candidate } = prompts;
    const asked = [record, candidate, geometry.width, theme];
    if (!last?.asked.every((one, at) => one === asked[at])) {
      const layout = layOutPrompts(
        candidateText(record.diff, candidate),
        record.planned.bad.text,
        geometry.width,
        theme,
      );
      last = { asked, layout };
    }
    const { layout } = last;
    // A few lines of what leads to the first difference are seen too.
    const first = Math.max(0, (layout.differences[0] ?? 0) - 3);
    const top = clamp(prompts.top ?? first, 0, Math.max(0, layout.from.length - geometry.height));
    const { planned } = record;
    const names = {
      from: makeVisible(candidateName(planned, candidate)),
      to: makeVisible(planned.bad.name),
    };
    return { names, layout, ...geometry, top };
  };
}

/** Two texts beside each other, line by line, each line with its number. */
function layOutPrompts(from: string, to: string, width: number, { glyphs }: Theme): SidesLayout {
  const pair = createPair(width, glyphs, true);
  const at = { from: 0, to: 0 };
  const blocks = (side: 'from' | 'to', lines: readonly string[]): Block[] =>
    lines.map((line) => ({ kind: 'line', label: String(++at[side]), text: makeVisible(line) }));
  let removed: string[] = [];
  let added: string[] = [];
  const flush = () => {
    if (removed.length + added.length > 0) pair.add(blocks('from', removed), blocks('to', added));
    removed = [];
    added = [];
  };
  for (const part of diffArrays(linesOf(from), linesOf(to))) {
    if (part.removed) removed.push(...part.value);
    else if (part.added) added.push(...part.value);
    else {
      flush();
      // One by one: lines that wrap stay beside each other.
      for (const line of part.value) pair.add(blocks('from', [line]), blocks('to', [line]));
    }
  }
  flush();
  return pair.layout();
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
