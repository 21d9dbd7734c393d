import type { CustomCheckInput } from '../../../../source/grade/custom/types.js';
import { greeting } from './other.js';

let calls = 0;

/** Does what its `args` say. */
export default async function check(input: CustomCheckInput): Promise<unknown> {
  calls++;
  const { does, answer } = input.args;
  switch (does) {
    case 'throw':
      throw new TypeError('x is undefined\nat line 3');
    case 'exit':
      return process.exit(3);
    case 'circle':
      for (;;);
    case 'wait':
      return new Promise(() => {});
    case 'reject-later':
      setTimeout(() => Promise.reject(new Error('later')), 0);
      return new Promise(() => {});
    case 'print':
      console.log('noise on standard output');
      console.error('noise on standard error');
      return { verdict: 'pass', reason: 'quiet' };
    case 'count':
      return { verdict: 'pass', reason: `${greeting} ${calls}` };
    case 'echo':
      return {
        verdict: 'pass',
        reason: JSON.stringify({
          ...input,
          turns: input.turns.map(({ index }) => index),
          transcript: input.transcript.turns.length,
        }),
      };
    case 'nothing':
      return undefined;
    case 'circular': {
      const circle: Record<string, unknown> = { verdict: 'pass', reason: 'r' };
      circle.self = circle;
      return circle;
    }
    default:
      return answer;
  }
}
