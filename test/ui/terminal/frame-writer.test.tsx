import fc from 'fast-check';
import { Box, render, Text } from 'ink';
import { describe, expect, it } from 'vitest';
import { createFrameWriter } from '../../../source/ui/terminal/frame-writer.js';
import { createVirtualTerminal } from '../virtual-terminal.js';

/** Ink's way to write: erase what the last frame took, then the whole next one. */
function eraseLines(count: number): string {
  return '\x1b[2K\x1b[1A'.repeat(Math.max(0, count - 1)) + (count > 0 ? '\x1b[2K\x1b[G' : '');
}

function setUp(columns = 40, rows = 12) {
  const terminal = createVirtualTerminal(columns, rows);
  const writer = createFrameWriter((text) => void terminal.stdout.write(text), { columns, rows });
  let last = 0;
  return {
    terminal,
    writer,
    draw(lines: readonly string[]) {
      writer.stream.write(`${eraseLines(last)}${lines.join('\n')}\n`);
      last = lines.length + 1;
    },
  };
}

describe('the frame writer', () => {
  it('shows any row of frames exactly: growing, shrinking, coloured, CJK', async () => {
    const line = fc.constantFrom(
      'plain words',
      '',
      '  indented',
      '日本語テキスト',
      '\x1b[31mred\x1b[39m and \x1b[1mbold\x1b[22m',
      'x'.repeat(40),
      '● ✖ ▲',
    );
    const frames = fc.array(fc.array(line, { minLength: 1, maxLength: 11 }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(frames, async (given) => {
        const { terminal, draw } = setUp();
        for (const frame of given) draw(frame);
        await terminal.settled();
        const plain = (given.at(-1) ?? []).map((each) => each.replaceAll(/\x1b\[\d+m/g, '').trimEnd());
        expect(terminal.lines()).toEqual([...plain, ...Array(12 - plain.length).fill('')]);
      }),
      { numRuns: 60 },
    );
  });

  it('writes nothing when nothing changed, and only the line that did', () => {
    const { terminal, draw } = setUp();
    draw(['header', 'one', 'two']);
    const before = terminal.bytes.length;
    draw(['header', 'one', 'two']);
    expect(terminal.bytes.length).toBe(before);
    draw(['header', 'ONE', 'two']);
    const written = terminal.bytes.slice(before);
    expect(written).toContain('ONE');
    expect(written).not.toContain('header');
    expect(written).not.toContain('two');
  });

  it('brackets every frame in a synchronised update', () => {
    const { terminal, draw } = setUp();
    draw(['a']);
    expect(terminal.bytes.startsWith('\x1b[?2026h')).toBe(true);
    expect(terminal.bytes.endsWith('\x1b[?2026l')).toBe(true);
  });

  it('never wipes the scrollback, also when Ink does because the frame is too tall', async () => {
    const { terminal, writer } = setUp(40, 5);
    writer.stream.write(`\x1b[2J\x1b[3J\x1b[H${['1', '2', '3', '4', '5', '6', '7'].join('\n')}`);
    await terminal.settled();
    expect(terminal.bytes).not.toContain('\x1b[3J');
    expect(terminal.lines()).toEqual(['1', '2', '3', '4', '5']);
    expect(terminal.scrollback()).toEqual([]);
  });

  it('keeps what is on the screen while Ink clears its last frame to draw another', async () => {
    const { terminal, writer, draw } = setUp();
    draw(['still here']);
    writer.stream.write(eraseLines(2));
    await terminal.settled();
    expect(terminal.lines()[0]).toBe('still here');
  });

  it('puts what stands right of an emoji where it belongs, however wide the terminal draws it', async () => {
    const { terminal, draw } = setUp();
    draw(['a 👩‍👩‍👧 |', 'b 日 |', 'c ❤️ |']);
    await terminal.settled();
    const column = (row: number) => terminal.bytes.indexOf('|') >= 0 && terminal.lines()[row]?.endsWith('|');
    expect([column(0), column(1), column(2)]).toEqual([true, true, true]);
    expect(terminal.bytes).toContain('👩‍👩‍👧\x1b[5G |');
    expect(terminal.bytes).toContain('❤️\x1b[5G |');
    expect(terminal.bytes).toContain('b 日 |');
  });

  it('passes the clipboard on, and nothing after it was closed', () => {
    const { terminal, writer, draw } = setUp();
    writer.pass('\x1b]52;c;aGk=\x07');
    writer.close();
    draw(['too late']);
    expect(terminal.bytes).toBe('\x1b]52;c;aGk=\x07');
  });

  it('writes the last frame again when the size changed and the frame did not', async () => {
    const { terminal, writer, draw } = setUp(40, 12);
    draw(['the same at any size']);
    terminal.resize(50, 14);
    writer.resize({ columns: 50, rows: 14 });
    await terminal.until(() => terminal.bytes.split('the same at any size').length === 3);
    expect(terminal.lines()[0]).toBe('the same at any size');
    writer.close();
  });
});

describe('Ink on the frame writer', () => {
  it('follows a terminal that is resized, exactly and without scrolling', async () => {
    const terminal = createVirtualTerminal(60, 20);
    terminal.stdout.write('\x1b[?1049h');
    const writer = createFrameWriter((text) => void terminal.stdout.write(text), { columns: 60, rows: 20 });
    const frame = (columns: number, rows: number) => (
      <Box flexDirection="column" width={columns} height={rows - 1}>
        {Array.from({ length: rows - 1 }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
          <Text key={row} wrap="truncate-end">{`row ${row} 日本 ${'·'.repeat(columns)}`}</Text>
        ))}
      </Box>
    );
    const ink = render(frame(60, 20), {
      stdout: writer.stream,
      patchConsole: false,
      maxFps: 60,
      debug: true,
    });
    for (const [columns, rows] of [
      [40, 20],
      [100, 30],
      [60, 8],
      [20, 5],
      [80, 24],
    ] as const) {
      terminal.resize(columns, rows);
      writer.resize({ columns, rows });
      ink.rerender(frame(columns, rows));
      await terminal.waitFor(`row ${rows - 2}`);
      await terminal.settled();
      expect(
        terminal
          .lines()
          .slice(0, -1)
          .map((line) => line.slice(0, 6).trim()),
      ).toEqual(Array.from({ length: rows - 1 }, (_, row) => `row ${row}`));
      expect(terminal.lines().at(-1)).toBe('');
    }
    ink.unmount();
    writer.close();
    expect(terminal.bytes).not.toContain('\x1b[3J');
    expect(terminal.scrollback()).toEqual([]);
  });
});
