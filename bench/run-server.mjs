// An OpenAI-compatible server for bench/run: every answer is streamed in one piece of text, 20 ms after its request.
// Prints its port.
import { createServer } from 'node:http';

const latencyMs = 20;

const event = (fields) =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'bench', ...fields })}\n\n`;
const delta = (fields, finish = null) =>
  event({ choices: [{ index: 0, delta: fields, finish_reason: finish }] });
const answer =
  delta({ role: 'assistant', content: '' }) +
  delta({ content: 'The order was delivered on Monday; is there anything else that I can do for you?' }) +
  delta({}, 'stop') +
  event({ choices: [], usage: { prompt_tokens: 40, completion_tokens: 17, total_tokens: 57 } }) +
  'data: [DONE]\n\n';

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () =>
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(answer);
    }, latencyMs),
  );
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', 1024, () => console.log(server.address().port));
