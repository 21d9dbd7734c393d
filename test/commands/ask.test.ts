import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CommandIo } from '../../source/commands/io.js';
import { agreed, createAsker, NobodyAnswers } from '../../source/commands/shared/ask.js';
import { hostile, unsafe } from '../report/support.js';

/** A person at a terminal who answers each question with one of these lines, and leaves with the last. */
function personWho(...lines: string[]): { io: CommandIo; asked: () => string } {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = new PassThrough({ encoding: 'utf8' });
  let text = '';
  stderr.on('data', (chunk: string) => {
    text += chunk;
    if (!chunk.endsWith(' ')) return;
    const typed = lines.splice(0, 1).map((line) => `${line}\n`);
    if (lines.length > 0) stdin.write(typed.join(''));
    else stdin.end(typed.join(''));
  });
  const stdout = Object.assign(new PassThrough(), { isTTY: true });
  const io = { program: 'evalrun', cwd: '/', env: { TERM: 'xterm' }, stdin, stdout, stderr };
  return { io: io as unknown as CommandIo, asked: () => text };
}

const otherwise = 'nothing was written; --yes writes it';

describe('whether a person agrees', () => {
  it.each(['y', 'Y', 'yes', ' YES '])('is yes where they type %j', async (line) => {
    const { io, asked } = personWho(line);
    expect(await agreed({}, 'write it?', otherwise, io)).toBe(true);
    expect(asked()).toBe('write it? [y/N] ');
  });

  it.each(['', 'n', 'no', 'yess', 'ja', 'y n'])('is no where they type %j', async (line) => {
    expect(await agreed({}, 'write it?', otherwise, personWho(line).io)).toBe(false);
  });

  it('is no at the end of the input, and what stands in a file is shown and not obeyed', async () => {
    const { io, asked } = personWho();
    expect(await agreed({}, `write\n${hostile}?`, otherwise, io)).toBe(false);
    expect(asked()).toContain('write\n');
    expect(asked().replaceAll('\n', '')).not.toMatch(unsafe);
  });

  it('is not asked where they said so already, or where nobody can be asked', async () => {
    const said = personWho();
    expect(await agreed({ yes: true }, 'write it?', otherwise, said.io)).toBe(true);
    expect(said.asked()).toBe('');
    const ci = personWho('y');
    expect(await agreed({}, 'write it?', otherwise, { ...ci.io, env: { CI: 'true' } })).toBe(false);
    expect(ci.asked()).toBe(`evalrun: ${otherwise}\n`);
  });
});

describe('questions one after another', () => {
  const ask = (...lines: string[]) => {
    const { io, asked } = personWho(...lines);
    const asker = createAsker(io);
    onTestFinished(() => asker.close());
    return { asker, asked };
  };

  it('take what is usual for an empty line, and ask again until there is no mistake', async () => {
    const { asker, asked } = ask('', 'x y', 'xy');
    const mistakeIn = (answer: string) => (answer.includes(' ') ? 'one word' : undefined);
    expect(await asker.text('Name?', 'tiny', mistakeIn)).toBe('tiny');
    expect(await asker.text('Name?', '', mistakeIn)).toBe('xy');
    expect(asked()).toBe('Name? [tiny] Name? one word\nName? ');
  });

  it('count choices from 1, the first being the usual one', async () => {
    const { asker, asked } = ask('3', '0', '2', '');
    expect(await asker.choice('Which?', ['a', 'b'])).toBe(1);
    expect(await asker.choice('Which?', ['a', 'b'])).toBe(0);
    expect(asked().match(/a number from 1 to 2/g)).toHaveLength(2);
  });

  it('say yes for all but a no', async () => {
    const { asker } = ask('', 'n', 'No', 'maybe');
    const answers = [];
    for (let at = 0; at < 4; at++) answers.push(await asker.yes('Write?'));
    expect(answers).toEqual([true, false, false, true]);
  });

  it('reject where nobody answers any more, and where somebody left before one was asked', async () => {
    const { asker } = ask();
    await expect(asker.line('Name? ')).rejects.toThrow(NobodyAnswers);
    await expect(asker.yes('Write?')).rejects.toThrow(NobodyAnswers);
  });
});
