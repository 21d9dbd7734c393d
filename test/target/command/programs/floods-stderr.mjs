import { serve } from './protocol.mjs';

serve({
  send() {
    const lines = Array.from({ length: 20_000 }, (_, i) => `warning ${i}: ${'y'.repeat(200)}\n`).join('');
    process.stderr.write(`${'z'.repeat(5_000_000)} MARK\n${lines}`, () => process.stderr.write('last words'));
    return { reply: 'here I am' };
  },
});
