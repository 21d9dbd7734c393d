import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import shortSentences from '../../../examples/custom-check/checks/short-sentences.js';
import type { JsonObject } from '../../../source/base/json.js';
import type { CustomCheck } from '../../../source/grade/custom/types.js';
import { gradeTrial } from '../../../source/grade/grade.js';
import type { Transcript } from '../../../source/play/types.js';
import { call, check, conversation, type Said } from '../transcripts.js';

vi.setConfig({ testTimeout: 60_000 });

const suiteFolder = join(import.meta.dirname, '../../../examples/custom-check');

async function graded(args: JsonObject, transcript: Transcript) {
  const [result] = await gradeTrial(
    [check('custom', args)],
    { transcript, suiteFolder, seed: 's' },
    () => {},
  );
  return result;
}

function calendar(...times: string[]): Said {
  const part = call('find_slots');
  if (part.kind === 'tool') part.call.result = times;
  return part;
}

describe('the examples of custom checks', () => {
  it('have the type that they are documented with', () => {
    const typed: CustomCheck = shortSentences;
    expect(typed).toBeTypeOf('function');
  });

  it('read sentences', async () => {
    const args = { module: 'checks/short-sentences.ts', args: { most: 4 } };
    expect(await graded(args, conversation('Hello there. I can offer Monday.'))).toMatchObject({
      verdict: 'pass',
      reason: 'the longest sentence has 4 words',
    });
    expect(
      await graded(args, conversation('Hello.', 'Well, I can offer Monday or Tuesday. Bye.')),
    ).toMatchObject({
      verdict: 'fail',
      reason: 'expected at most 4 words a sentence, saw 7 in turn 2',
      evidence: [{ turn: 2, part: 0, start: 0, end: 36 }],
    });
    expect(await graded(args, conversation([call('find_slots')]))).toMatchObject({ verdict: 'unknown' });
  });

  it('hold what is offered against the calendar', async () => {
    const args = { command: [process.execPath, 'checks/offers-what-is-free.mjs'] };
    expect(await graded(args, conversation([calendar('14:30'), 'How about 14:30?']))).toMatchObject({
      verdict: 'pass',
    });
    expect(await graded(args, conversation([calendar('14:30'), 'How about 14:45?']))).toMatchObject({
      verdict: 'fail',
      reason: 'expected only times that the calendar gave, saw 14:45 in turn 1',
      evidence: [{ turn: 1, part: 1 }],
    });
    expect(await graded(args, conversation('How can I help?'))).toMatchObject({ verdict: 'unknown' });
  });
});
