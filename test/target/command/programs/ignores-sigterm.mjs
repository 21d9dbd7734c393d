// Also ignores the end of its input; and starts a child that does the same.
import { spawn } from 'node:child_process';
import { say, serve } from './protocol.mjs';

const stubborn =
  'process.on("SIGTERM", () => {}); process.stdout.write("ready"); setInterval(() => {}, 1000)';
process.on('SIGTERM', () => {});
setInterval(() => {}, 1000);
const child = spawn(process.execPath, ['-e', stubborn], { stdio: ['ignore', 'pipe', 'inherit'] });
serve({
  send(_, id) {
    const answer = () => say({ id, result: { reply: 'try', signals: { pids: [process.pid, child.pid] } } });
    child.stdout.once('data', answer);
  },
  close() {},
});
