import { expect, it } from 'vitest';
import { type ChatEvent, type ChatRequest, noUsage } from '../../../source/model/types.js';
import { withoutKeys } from '../../../source/model/wire/redacted.js';
import { createSecrets } from '../../../source/project/known-secrets.js';

const key = 'marked/key+1';
const request: ChatRequest = { system: '', messages: [], tools: [], maxTokens: 1, seed: 's' };
const done: ChatEvent = { type: 'done', stop: 'end', usage: noUsage };

async function heard(events: readonly ChatEvent[], value = key): Promise<ChatEvent[]> {
  const secrets = createSecrets();
  secrets.addKey('SOME_KEY', value);
  const model = withoutKeys(
    {
      name: 'bad:says-key',
      async *stream() {
        yield* events;
      },
    },
    secrets.keys,
  );
  const heard: ChatEvent[] = [];
  for await (const event of model.stream(request)) heard.push(event);
  return heard;
}

const textsOf = (events: readonly ChatEvent[]) =>
  events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');

it('a key that a model says reaches nobody, however it is split and encoded', async () => {
  const forms = [
    key,
    encodeURIComponent(key),
    Buffer.from(`user:${key}!`).toString('base64'),
    Buffer.from(`a${key}`).toString('base64url'),
    JSON.stringify(key),
  ];
  for (const form of forms) {
    const letters = [...`It is ${form} .`].map((text): ChatEvent => ({ type: 'text', text }));
    const said = textsOf(await heard([...letters, done]));
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what stands for a secret is the name of its variable
    expect(said).toContain('${SOME_KEY}');
    expect(said).not.toContain(form);
  }
});

it('the arguments of a tool hold none either, and what was held back comes before the call', async () => {
  const request = { id: '1', name: 'look', args: { [key]: [`x${key}`] } };
  expect(
    await heard([{ type: 'text', text: 'so: marked' }, { type: 'tool-request', request }, done]),
  ).toEqual([
    { type: 'text', text: 'so: ' },
    { type: 'text', text: 'marked' },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as above
    { type: 'tool-request', request: { id: '1', name: 'look', args: { '${SOME_KEY}': ['x${SOME_KEY}'] } } },
    done,
  ]);
});

it('a key of a few characters is a placeholder, and stays a word', async () => {
  expect(textsOf(await heard([{ type: 'text', text: 'ollama' }, done], 'ollama'))).toBe('ollama');
});
