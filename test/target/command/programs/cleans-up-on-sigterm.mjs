// Stays when its input ends, and tidies up when it is asked to end.
import { serve } from './protocol.mjs';

setInterval(() => {}, 1000);
process.on('SIGTERM', () => process.stderr.write('tidied up\n', () => process.exit(0)));
serve({ send: () => ({ reply: 'hm' }) });
