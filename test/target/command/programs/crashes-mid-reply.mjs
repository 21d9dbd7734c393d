import { say, serve } from './protocol.mjs';

serve({
  send(_, id) {
    say({ id, delta: 'I would' });
    console.error('out of memory, or so');
    process.exitCode = 7;
    process.stdin.destroy();
  },
});
