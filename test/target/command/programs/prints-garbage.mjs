import { serve } from './protocol.mjs';

serve({
  send() {
    process.stdout.write('DEBUG \u001b[31mconnecting…\n');
  },
});
