import { serve } from './protocol.mjs';

serve({
  send() {
    const megabyte = 'x'.repeat(1024 * 1024);
    const more = () => process.stdout.write(megabyte, more);
    more();
  },
});
