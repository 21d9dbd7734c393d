import { serve } from './protocol.mjs';

serve({
  send({ message }) {
    console.error(`thinking about ${message}`);
  },
});
