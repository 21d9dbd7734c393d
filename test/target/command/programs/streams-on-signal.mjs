// Gives its process number as the first piece of a reply, and another piece for each SIGUSR2; the fifth ends it.
import { say, serve } from './protocol.mjs';

let request;
let pieces = 0;
process.on('SIGUSR2', () => {
  pieces++;
  if (pieces < 5) say({ id: request, delta: '.' });
  else say({ id: request, result: { reply: 'slow but whole' } });
});
serve({
  send(_, id) {
    request = id;
    say({ id, delta: String(process.pid) });
  },
});
