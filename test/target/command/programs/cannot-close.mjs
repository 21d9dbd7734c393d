import { say, serve } from './protocol.mjs';

serve({
  open: () => ({ session: 1 }),
  send: () => ({ reply: 'fine', signals: { pid: process.pid } }),
  close(_params, id) {
    say({ id, error: { message: 'the account is locked' } });
  },
});
