import { Writable } from 'node:stream';
import type { CommandIo } from '../../source/commands/io.js';

/** A process to run a command in: what it prints is kept. */
export function createIo(cwd: string, env: NodeJS.ProcessEnv = {}): { io: CommandIo; printed: () => string } {
  let text = '';
  const stdout = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      text += chunk;
      done();
    },
  }) as unknown as NodeJS.WriteStream;
  return {
    io: { program: 'evalrun', cwd, env, stdin: process.stdin, stdout, stderr: stdout },
    printed: () => text,
  };
}
