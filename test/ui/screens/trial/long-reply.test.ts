import { expect, it } from 'vitest';
import type { TrialRecord } from '../../../../source/run/types.js';
import { layoutTranscript } from '../../../../source/ui/screens/trial/transcript.js';
import { createTheme } from '../../../../source/ui/theme.js';

const raw = `OK ${'word €'.repeat(150_000)}`;
const record: TrialRecord = {
  key: { scenario: 'long', condition: 'a', repeat: 1 },
  attempt: 1,
  turns: [
    {
      index: 1,
      message: 'Say a megabyte',
      ms: 1,
      reply: {
        parts: [{ kind: 'text', text: raw }],
        text: raw,
        usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
        steps: 1,
        stop: 'end',
        model: '',
      },
    },
  ],
  results: [],
  finished: undefined,
  error: undefined,
};

it('a reply of a megabyte is laid out, and searched, before a reader wonders', () => {
  const { glyphs } = createTheme({ LANG: 'C.UTF-8' }, undefined);
  const options = { width: 70, glyphs, evidence: [{ turn: 1, part: 0, start: 0, end: 2 }], match: 0 };
  const started = performance.now();
  const plain = layoutTranscript(record, undefined, { ...options, search: '' });
  const searched = layoutTranscript(record, undefined, { ...options, search: 'ord €wo' });
  // Half a second and two on the machine that this was written on; per character, and places by lines, it took minutes.
  expect(performance.now() - started).toBeLessThan(12_000);
  expect(plain.evidence).toHaveLength(1);
  expect(plain.lines.length).toBeGreaterThan(10_000);
  expect(searched.lines).toHaveLength(plain.lines.length);
  expect(searched.matches).toHaveLength(75_000);
});
