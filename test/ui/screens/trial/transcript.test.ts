import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textWidth } from '../../../../source/base/width.js';
import type { TrialRecord } from '../../../../source/run/types.js';
import type { ReplyPart } from '../../../../source/target/types.js';
import type { TranscriptOptions } from '../../../../source/ui/screens/trial/drawing.js';
import { layoutTranscript } from '../../../../source/ui/screens/trial/transcript.js';
import { createTheme } from '../../../../source/ui/theme.js';
import { anyText } from '../../../base/any-text.js';
import { fakeTurn } from '../../fake-run.js';

const { glyphs } = createTheme({ LANG: 'C.UTF-8' }, undefined);

function record(turns: [string, ReplyPart[]][], more: Partial<TrialRecord> = {}): TrialRecord {
  return {
    key: { scenario: 's', condition: 'a', repeat: 1 },
    attempt: 1,
    turns: turns.map(([message, parts], index) => fakeTurn(message, parts, index + 1)),
    results: [],
    finished: undefined,
    error: undefined,
    ...more,
  };
}

function layout(
  trial: TrialRecord,
  options: Partial<TranscriptOptions> = {},
  live?: { turn: number; text: string; tool?: string },
) {
  const all = { width: 60, glyphs, evidence: [], search: '', match: 0, isUnfolded: false, ...options };
  const made = layoutTranscript(trial, live, all);
  return {
    ...made,
    text: made.lines.map((line) =>
      line
        .map(({ text }) => text)
        .join('')
        .trimEnd(),
    ),
  };
}

const text = (words: string): ReplyPart => ({ kind: 'text', text: words });
const tool = (
  result: ReplyPart & { kind: 'tool' } extends { call: infer Call } ? Partial<Call> : never,
): ReplyPart => ({
  kind: 'tool',
  call: { name: 'get_order', args: { id: 7 }, result: { days: 45 }, from: 'fixture', ...result },
});

describe('a transcript', () => {
  it('shows who said what, with tool calls, their answers and where those came from', () => {
    const { text: lines } = layout(
      record([['I bought this 45 days ago.', [tool({}), text('I can offer store credit.')]]]),
    );
    expect(lines).toEqual([
      'user   I bought this 45 days ago.',
      'tool   get_order({"id": 7}) → {"days": 45}           fixture',
      'agent  I can offer store credit.',
    ]);
  });

  it('numbers turns when there are several', () => {
    const { text: lines, turnStarts } = layout(
      record([
        ['first', [text('one')]],
        ['second', [text('two')]],
      ]),
    );
    expect(lines[0]).toMatch(/^── turn 1 ─+ 1\.2 s {2}1\.9k tok$/);
    expect(lines[turnStarts.get(2) ?? -1]).toMatch(/^── turn 2 ─/);
  });

  it('marks the evidence under its words', () => {
    const reply = 'I can make an exception and send your money back today.';
    const start = reply.indexOf('send');
    const evidence = [{ turn: 1, part: 0, start, end: start + 'send your money back'.length }];
    const { text: lines, evidence: places } = layout(record([['hi', [text(reply)]]]), {
      evidence,
      width: 80,
    });
    expect(lines[1]).toBe(`agent  ${reply}`);
    expect(lines[2]).toBe(`       ${' '.repeat(start)}${'▔'.repeat(20)} evidence`);
    expect(places).toEqual([1]);
  });

  it('marks evidence across lines under each of them, and a long one by a bar beside it', () => {
    const words =
      'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau';
    const on = (end: number) =>
      layout(record([['hi', [text(words)]]]), { evidence: [{ turn: 1, part: 0, start: 6, end }], width: 37 });
    expect(on(40).text.filter((line) => line.includes('▔'))).toHaveLength(2);
    const long = on(words.length);
    expect(long.text.join('\n')).not.toContain('▔');
    expect(long.text.filter((line) => line.includes('▌')).length).toBeGreaterThan(3);
  });

  it('bars a whole part, or a whole turn, that is the evidence', () => {
    const trial = record([['hi', [tool({}), text('done')]]]);
    expect(layout(trial, { evidence: [{ turn: 1, part: 0 }] }).text).toEqual([
      'user   hi',
      expect.stringMatching(/^tool {2}▌get_order/),
      'agent  done',
    ]);
    expect(layout(trial, { evidence: [{ turn: 1 }] }).text.filter((line) => line.includes('▌'))).toHaveLength(
      2,
    );
  });

  it('finds the searched text in everything that was said, place by place', () => {
    const trial = record([
      ['refund please', [tool({ result: 'refund window' }), text('no refund, no Refund')]],
    ]);
    const { matches, lines } = layout(trial, { search: 'refund', match: 2 });
    expect(matches).toEqual([0, 1, 2, 2]);
    const current = lines.flat().filter(({ isChosen }) => isChosen);
    expect(current.map((piece) => piece.text)).toEqual(['refund']);
    expect(lines[2]?.some(({ isChosen }) => isChosen)).toBe(true);
  });

  it('cuts a long answer of a tool and says so', () => {
    const { text: lines } = layout(
      record([['hi', [tool({ result: Array.from({ length: 200 }, (_, index) => index) })]]]),
    );
    expect(lines).toHaveLength(4);
    expect(lines[3]).toMatch(/ …$/);
  });

  it('shows a long answer of a tool whole when it is asked to, and copies it whole', () => {
    const trial = record([['hi', [tool({ result: Array.from({ length: 3000 }, (_, index) => index) })]]]);
    expect(layout(trial).folded).toBe(1);
    const whole = layout(trial, { isUnfolded: true });
    expect(whole.folded).toBe(0);
    expect(whole.text.join(' ')).toContain('2999]');
    expect(whole.plain).toContain('2999]');
  });

  it('says how a trial ended when that was not at its end', () => {
    const finished = (end: NonNullable<TrialRecord['finished']>['end'], unsent: string[] = []) => {
      const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
      return layout(
        record([['hi', [text('yes')]]], {
          finished: { end, unsent, ms: 1, tokens: { agent: usage, judge: usage } },
        }),
        { width: 90 },
      ).text.join('\n');
    };
    expect(finished({ kind: 'no-fixture', tool: 'get_order', args: '{"id":9}' })).toContain(
      'no fixture answers get_order({"id":9})',
    );
    expect(finished({ kind: 'turn-limit', maxTurns: 2 }, ['and then?'])).toMatch(
      /ended at the limit of 2 turns\n +not sent: and then\?/,
    );
    expect(finished({ kind: 'completed' })).not.toContain('ended');
  });

  it('shows an error, a failed tool, a cut-off reply and an empty one', () => {
    const trial = record([['hi', [tool({ result: undefined, error: 'timeout' } as never)]]], {
      error: { kind: 'rate-limit', message: 'the provider said 429' },
    });
    const lines = layout(trial).text.join('\n');
    expect(lines).toContain('→ error: timeout');
    expect(lines).toContain('error, rate-limit: the provider said 429');
    expect(layout(record([['hi', []]])).text.join('\n')).toContain('(the agent said nothing)');
    const cut = record([['hi', [text('so I')]]]);
    for (const turn of cut.turns) turn.reply.stop = 'cut-off';
    expect(layout(cut).text.join('\n')).toContain('cut off at the limit of output tokens');
  });

  it('grows by what is being said now', () => {
    const trial = record([['first', [text('one')]]]);
    const { text: lines } = layout(trial, {}, { turn: 2, text: 'I am look' });
    expect(lines.at(-1)).toBe('agent  I am look');
    expect(layout(trial, {}, { turn: 2, text: '', tool: 'get_order' }).text.at(-1)).toContain(
      'calls get_order …',
    );
  });

  it('shows control sequences of user, agent and tool as marks', () => {
    const { text: lines } = layout(record([['\x1b[2J', [tool({ result: '\u202e' }), text('\x07')]]]));
    expect(lines.join('\n')).toMatch(/␛\[2J[\s\S]*⟨U\+202E⟩[\s\S]*␇/);
  });

  it('fits the width, whatever is said', () => {
    const part = fc.oneof(
      anyText.map(text),
      anyText.map((words) => tool({ result: words })),
    );
    const evidence = fc.record({ turn: fc.constant(1), part: fc.nat(2), start: fc.nat(30), end: fc.nat(60) });
    fc.assert(
      fc.property(
        anyText,
        fc.array(part, { maxLength: 3 }),
        fc.integer({ min: 24, max: 120 }),
        evidence,
        (message, parts, width, at) => {
          const { lines } = layout(record([[message, parts]]), { width, evidence: [at] });
          for (const line of lines) {
            const cells = line.reduce((sum, piece) => sum + textWidth(piece.text), 0);
            // ` …` after a cut tool call is outside, and cut off by the pane.
            expect(cells).toBeLessThanOrEqual(width + 2);
          }
        },
      ),
    );
  });
});
