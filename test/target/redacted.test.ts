// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what stands for a secret is the name of its variable
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { systemClock } from '../../source/base/clock.js';
import { commandTargetSchema, httpTargetSchema } from '../../source/suite/target-schemas.js';
import { createCommandTarget } from '../../source/target/command.js';
import { createHttpTarget } from '../../source/target/http.js';
import { never, recordProgress, sessionRequest } from './session-request.js';

const key = 'marked-key-1';
const program = `
import { createInterface } from 'node:readline';
const say = (message) => console.log(JSON.stringify(message));
const encoded = Buffer.from('user:' + process.env.DESK).toString('base64');
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (method === 'send') {
    for (const delta of ['key: mar', 'ked-key', '-1 ', process.env.STAGE]) say({ id, delta });
    say({ id, result: {
      reply: 'key: ' + process.env.DESK + ' ' + process.env.STAGE,
      toolCalls: [{ name: 'look', args: { key: process.env.DESK }, result: encoded }],
      signals: { [process.env.DESK]: encodeURIComponent(process.env.DESK) },
    } });
  } else say({ id, result: method === 'open' ? { session: 1, tuning: { key: process.env.DESK } } : {} });
}
`;

it('a key of a command is in nothing that comes back, while it streams or after; a mode is no key', async () => {
  const spec = commandTargetSchema.parse({
    command: [process.execPath, '--input-type=module', '-e', program],
    env: { DESK: '${DESK_TOKEN}', STAGE: '${STAGE}' },
  });
  const env = { ...process.env, DESK_TOKEN: key, STAGE: 'production' };
  const target = createCommandTarget({ ...spec, cwd: process.cwd() }, { env, clock: systemClock });
  const { told, onProgress } = recordProgress();
  const session = await target.open(sessionRequest());
  const reply = await session.send('hello', onProgress, never);
  await session.close();
  expect(reply).toMatchObject({
    text: 'key: ${DESK_TOKEN} production',
    parts: [{ call: { args: { key: '${DESK_TOKEN}' } } }, { text: 'key: ${DESK_TOKEN} production' }],
    signals: { '${DESK_TOKEN}': '${DESK_TOKEN}' },
  });
  expect(JSON.stringify(reply)).not.toContain(Buffer.from(key).toString('base64').slice(4, 12));
  expect(JSON.stringify(told)).not.toContain('mar');
  expect(told.at(-1)).toEqual({ type: 'text', text: 'key: ${DESK_TOKEN} production' });
  expect(await target.tuning?.()).toEqual({ key: '${DESK_TOKEN}' });
  await target.close?.();
});

it('a key in a header of an http target is in no reply', async () => {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ reply: `you sent ${request.headers.authorization}` }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const spec = httpTargetSchema.parse({
    http: {
      baseURL: '${BACKEND_URL}',
      headers: { authorization: 'Bearer ${DESK}' },
      send: { post: '/', body: { text: '{{message}}' }, reply: '$.reply' },
    },
  });
  const env = { BACKEND_URL: `http://127.0.0.1:${port}`, DESK: key };
  const { told, onProgress } = recordProgress();
  const session = await createHttpTarget(spec, { env, clock: systemClock }).open(sessionRequest());
  const reply = await session.send('hello', onProgress, never);
  server.close();
  expect(reply.text).toBe('you sent Bearer ${DESK}');
  expect(JSON.stringify(told)).not.toContain(key);
});
