// Reads nothing until half a second of work is done, in pieces; then counts what came.
let bytes = 0;
let text = '';
const answered = new Set();
process.stdin.on('data', (chunk) => {
  bytes += chunk.length;
  text += chunk;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
    const { id, method } = JSON.parse(text.slice(0, end));
    text = text.slice(end + 1);
    if (answered.has(id)) continue;
    answered.add(id);
    const result = method === 'open' ? { session: 1 } : method === 'send' ? { reply: String(bytes) } : {};
    process.stdout.write(`${JSON.stringify({ id, result })}\n`);
  }
  process.stdin.pause();
  setImmediate(() => process.stdin.resume());
});
