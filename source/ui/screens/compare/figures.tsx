import { Box, Text } from 'ink';
import { Table } from 'ink-table';
import type { ReactNode } from 'react';
import { makeVisible } from '../../../base/text.js';
import { fitToWidth, textWidth } from '../../../base/width.js';
import type { Comparison } from '../../../compare/types.js';
import { cacheHitRate } from '../../../model/types.js';
import { formatScore } from '../../../report/changes.js';
import { formatKnownTokens, formatShare } from '../../../report/format.js';
import type { Theme } from '../../theme.js';
import { clamp } from '../../viewport.js';

/** One figure of both sides. Safe to print. */
export interface Figure {
  name: string;
  base: string;
  candidate: string;
}

/** Both sides in figures, the most important first. */
export function figuresOf({ base, candidate, score, axes }: Comparison): Figure[] {
  const both = (name: string, of: (side: Comparison['base']) => string): Figure => ({
    name,
    base: makeVisible(of(base)),
    candidate: makeVisible(of(candidate)),
  });
  const means = score?.pooled ?? score;
  const rates = axes.map(({ axis, from, to }) => ({
    name: `axis ${makeVisible(axis)}`,
    base: `${from.passed}/${from.of}`,
    candidate: `${to.passed}/${to.of}`,
  }));
  return [
    both('prompt', ({ condition }) => condition.promptName),
    both('model', ({ condition }) => condition.model),
    both('trials', ({ trials }) => String(trials)),
    ...(means
      ? [{ name: 'judged mean', base: formatScore(means.from), candidate: formatScore(means.to) }]
      : []),
    both('input a trial', inputText),
    both('cache', ({ tokens, cache }) => {
      const rate = cacheHitRate(tokens.agent);
      return rate === undefined ? cache : `${formatShare(rate)}, ${cache}`;
    }),
    ...rates,
    both('judge', ({ judge }) => (judge ? `${judge.model} ${judge.prompt}` : 'none')),
    both('run', ({ runId }) => runId),
  ];
}

function inputText({ tokens, trials }: Comparison['base']): string {
  if (trials === 0) return 'none';
  return formatKnownTokens(tokens.agent.input / trials, tokens.isAgentPartial ?? false);
}

/** Lines that the table's frame takes beside those of its rows, each of which has a line above it. */
const frameLines = 3;

/** How many figures fit into a height. */
export function figuresFitting(height: number): number {
  return Math.max(1, Math.floor((height - frameLines) / 2));
}

const padding = 1;
/** Walls and padding of three columns. */
const extras = 4 + 3 * 2 * padding;

/**
 * The figures as a table, in at most `width` cells. The table counts UTF-16 units, so what it is given are stand-ins of
 * the right length, and the cells are fitted here by what they take on screen.
 */
export function FiguresTable({
  figures,
  width,
  theme,
}: {
  figures: readonly Figure[];
  width: number;
  theme: Theme;
}) {
  const keys = ['name', 'base', 'candidate'] as const;
  const titles = ['', 'base', 'candidate'];
  const wanted = keys.map((key, at) =>
    Math.max(textWidth(titles[at] ?? ''), ...figures.map((figure) => textWidth(figure[key]))),
  );
  const first = Math.min(wanted[0] ?? 0, Math.floor(width / 3));
  const room = Math.max(8, Math.floor((width - extras - first) / 2));
  const widths = [first, clamp(wanted[1] ?? 0, 4, room), clamp(wanted[2] ?? 0, 9, room)];
  // One column a position; the name of a column is what stands in its head.
  const columns = widths.map((cells, at) => String(at).padEnd(cells, '.'));
  const data = figures.map((_, row) =>
    Object.fromEntries(columns.map((column, at) => [column, String(row).padEnd(widths[at] ?? 0, '.')])),
  );
  const pad = ' '.repeat(padding);
  const cell = (text: string, at: number) => `${pad}${fitToWidth(text, widths[at] ?? 0)}${pad}`;
  return (
    <Box marginLeft={1} flexDirection="column" flexShrink={0}>
      <Table
        data={data}
        columns={columns}
        padding={padding}
        header={({ children }) => {
          const at = Number.parseInt(String(children).trim(), 10);
          return <Text {...theme.look('faint')}>{cell(titles[at] ?? '', at)}</Text>;
        }}
        cell={({ column, children }) => {
          const row = Number.parseInt(String(children).trim(), 10);
          const figure = figures[row];
          const key = keys[column];
          const isOther = figure !== undefined && figure.base !== figure.candidate;
          const tone = column === 0 ? 'faint' : column === 2 && isOther ? 'strong' : 'plain';
          return <Text {...theme.look(tone)}>{cell(figure && key ? figure[key] : '', column)}</Text>;
        }}
        skeleton={({ children }: { children?: ReactNode }) => (
          <Text {...theme.look('faint')}>{children}</Text>
        )}
      />
    </Box>
  );
}
