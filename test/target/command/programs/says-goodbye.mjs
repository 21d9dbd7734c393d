// Has much to say on stderr when its input ends; does not end on SIGTERM before it has said so.
import { serve } from './protocol.mjs';

serve({ send: () => ({ reply: 'hm' }) });
process.stdin.on('end', () => {
  process.stderr.write(`${`${'x'.repeat(99)}\n`.repeat(600)}last words`);
  process.exit(0);
});
