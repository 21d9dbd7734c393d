import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readUserAnswer } from '../../source/play/user-answer.js';

const read = (text: string, lastReply: string | undefined = 'I can offer store credit.') =>
  readUserAnswer({ text, stop: 'end', calledTool: false }, lastReply);

describe('what the simulated user says', () => {
  it.each([
    ['as it is', '{"message": "How long is it valid?", "done": false}'],
    ['in a code fence', '```json\n{"message": "How long is it valid?", "done": false}\n```'],
    [
      'with white space and a byte order mark around it',
      '\ufeff \n{"done":false,"message":" How long is it valid? "}\n\u200b',
    ],
    ['with a key more', '{"thought": "…", "message": "How long is it valid?", "done": false}'],
  ])('is read %s', (_form, text) => {
    expect(read(text)).toEqual({ message: 'How long is it valid?', isDone: false });
  });

  it('may be the last of the turn, or nothing when all is said', () => {
    expect(read('{"message": "Thanks, bye.", "done": true}')).toEqual({
      message: 'Thanks, bye.',
      isDone: true,
    });
    expect(read('{"message": " ", "done": true}')).toEqual({ message: undefined, isDone: true });
  });

  it.each([
    ['', 'not one JSON object'],
    ['I want my money back.', 'not one JSON object'],
    ['Sure! {"message": "x", "done": false}', 'not one JSON object'],
    ['{"message": "x", "done": false} {"message": "y", "done": true}', 'not one JSON object'],
    ['["x"]', 'not one JSON object'],
    ['{"message": "x"}', '"done" is missing: it has to be true or false'],
    ['{"done": true}', '"message" is missing: it has to be a text'],
    ['{"message": "x", "done": "no"}', '"done" is not true or false'],
    ['{"message": null, "done": true}', '"message" is not a text'],
    ['{"message": "", "done": false}', 'the message is empty, and "done" is false'],
  ])('is never guessed from %j', (text, mistake) => {
    expect(read(text)).toEqual({ mistake: expect.stringContaining(mistake) });
  });

  it('is not taken from an answer that was cut off, refused, or a tool call', () => {
    const text = '{"message": "x", "done": false}';
    expect(readUserAnswer({ text, stop: 'cut-off', calledTool: false }, 'a')).toHaveProperty('mistake');
    expect(readUserAnswer({ text, stop: 'refused', calledTool: false }, 'a')).toHaveProperty('mistake');
    expect(readUserAnswer({ text, stop: 'tool-calls', calledTool: true }, 'a')).toHaveProperty('mistake');
  });

  it('cannot be nothing before anybody has spoken', () => {
    const nothing = { text: '{"message": "", "done": true}', stop: 'end' as const, calledTool: false };
    expect(readUserAnswer(nothing, undefined)).toEqual({
      mistake: 'the message is empty, and nobody has spoken yet',
    });
  });
});

describe('a simulated user that plays the agent', () => {
  it.each([
    'Agent: I can offer you store credit.',
    'I want my money back.\nAgent: Sure, I will refund you.',
    'I want it back.\n\n**Assistant:** Of course!',
    '[Support]: Done.',
    'Customer service agent: done',
    'Thanks.\n  bot : You are welcome.',
  ])('is noticed in %j', (message) => {
    expect(read(JSON.stringify({ message, done: false }))).toEqual({
      mistake: expect.stringContaining('it speaks for the agent'),
    });
  });

  it('is noticed by its own label, and by the words of the agent', () => {
    expect(read('{"message": "User: hello", "done": false}')).toEqual({
      mistake: 'it begins with the name of a speaker',
    });
    const reply = 'I am sorry, but this order is past the window. I can offer store credit.';
    expect(
      read(JSON.stringify({ message: ` ${reply.replace(' but', '\nbut')}`, done: false }), reply),
    ).toEqual({
      mistake: 'it says word for word what the agent has said',
    });
  });

  it.each([
    'I spoke to an agent: she promised a refund.',
    'Your support said this:\n> Agent: we will refund you',
    'The agent told me I would get store credit.',
    'Yes.',
  ])('is no person who says %j', (message) => {
    expect(read(JSON.stringify({ message, done: false }), 'Yes.')).toEqual({ message, isDone: false });
  });
});

it('nothing that a model may write breaks the reading, and what is read is never empty by accident', () => {
  const part = fc.constantFrom(
    '{',
    '}',
    '"message"',
    '"done"',
    ':',
    ',',
    'true',
    'false',
    '"',
    'a',
    ' ',
    '```',
    '\n',
    'Agent:',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(part, { maxLength: 14 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, fc.option(fc.string(), { nil: undefined }), (written, lastReply) => {
      const says = read(written, lastReply);
      if ('mistake' in says) return;
      expect(typeof says.isDone).toBe('boolean');
      if (says.message === undefined) expect(says.isDone).toBe(true);
      else expect(says.message.trim()).not.toBe('');
    }),
    { numRuns: 500 },
  );
});
