// What bench/run is measured beside: the same requests with the same SDK as it comes, with the platform's fetch, at the
// same concurrency, streamed and read to their end, and nothing else. Arguments: base URL, requests, how many at once.
import OpenAI from 'openai';

const [, , baseURL, requests, concurrency] = process.argv;
const client = new OpenAI({ baseURL, apiKey: 'bench', maxRetries: 0 });
let next = 0;
let characters = 0;

async function work() {
  while (next < Number(requests)) {
    next++;
    const stream = await client.chat.completions.create({
      model: 'bench',
      messages: [
        { role: 'system', content: 'You answer questions about orders.' },
        { role: 'user', content: `Where is order ${next}?` },
      ],
      max_tokens: 1024,
      seed: next,
      stream: true,
      stream_options: { include_usage: true },
    });
    for await (const chunk of stream) characters += chunk.choices[0]?.delta.content?.length ?? 0;
  }
}

await Promise.all(Array.from({ length: Number(concurrency) }, work));
if (characters === 0) throw new Error('nothing was said');
