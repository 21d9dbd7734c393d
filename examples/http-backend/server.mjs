// The companion behind HTTP: sessions, accounts, and two endpoints for a test bench. Nothing but Node.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { answer, openSession, tuning } from './companion.mjs';

const largestBody = 1024 * 1024;

/** An answer that is no success. */
class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function readBody(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > largestBody) throw new Refusal(413, 'the body is too large');
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (text === '') return {};
  try {
    const body = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body;
  } catch {
    // Said below.
  }
  throw new Refusal(400, 'the body is not a JSON object');
}

/** A whole answer as JSON, or word by word as server-sent events with the whole at the end. */
async function sendReply(response, whole, isStream) {
  if (!isStream) return sendJson(response, 200, whole);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  for (const word of whole.reply.match(/\S+\s*/g) ?? []) {
    response.write(`data: ${JSON.stringify({ delta: word })}\n\n`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end(`data: ${JSON.stringify(whole)}\n\n`);
}

function sendJson(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/**
 * The backend, not yet listening. `token`: what a bearer has to show, if anything. `modelFails`: whether its own
 * model gives nothing for this account and turn.
 */
export function createBackend({ token, modelFails = () => false } = {}) {
  const sessions = new Map();
  /** What accounts were loaded with. */
  const histories = new Map();

  const routes = [
    ['GET', /^\/bench\/tuning$/, (response) => sendJson(response, 200, tuning)],
    [
      'POST',
      /^\/bench\/accounts\/([^/]+)\/reset$/,
      (response, [account], { history }) => {
        histories.set(account, history ?? undefined);
        response.writeHead(204).end();
      },
    ],
    [
      'POST',
      /^\/sessions$/,
      (response, _, { account, profile, prompt }) => {
        if (typeof account !== 'string' || account === '') throw new Refusal(422, 'account is missing');
        const id = randomUUID();
        const history = histories.get(account);
        sessions.set(id, {
          account,
          ...openSession({ id, account, profile, prompt: prompt ?? '', history }),
        });
        sendJson(response, 201, { id });
      },
    ],
    [
      'POST',
      /^\/sessions\/([^/]+)\/messages$/,
      (response, [id], { text }, request) => {
        const session = find(id);
        if (session.hasEnded) throw new Refusal(409, 'the session has ended');
        if (typeof text !== 'string') throw new Refusal(422, 'text is missing');
        const whole = answer(session, text, modelFails(session.account, session.turns + 1));
        return sendReply(response, whole, request.headers.accept === 'text/event-stream');
      },
    ],
    [
      'DELETE',
      /^\/sessions\/([^/]+)$/,
      (response, [id]) => {
        find(id);
        sessions.delete(id);
        response.writeHead(204).end();
      },
    ],
  ];

  function find(id) {
    const session = sessions.get(id);
    if (session === undefined) throw new Refusal(404, 'there is no such session');
    return session;
  }

  async function handle(request, response) {
    if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) {
      throw new Refusal(401, 'the token is missing or wrong');
    }
    const { pathname } = new URL(request.url, 'http://127.0.0.1');
    for (const [method, pattern, respond] of routes) {
      const match = request.method === method ? pattern.exec(pathname) : null;
      if (match === null) continue;
      const names = match.slice(1).map(decodeURIComponent);
      await respond(response, names, await readBody(request), request);
      return;
    }
    throw new Refusal(404, `there is no ${request.method} ${pathname}`);
  }

  return createServer((request, response) => {
    handle(request, response).catch((error) => {
      const isRefusal = error instanceof Refusal;
      if (!isRefusal) console.error(error);
      if (response.headersSent) response.destroy();
      else sendJson(response, isRefusal ? error.status : 500, { error: isRefusal ? error.message : 'a bug' });
    });
  });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const port = Number(process.env.PORT ?? 4310);
  const server = createBackend({ token: process.env.BACKEND_TOKEN });
  server.listen(port, '127.0.0.1', () =>
    console.log(`the companion listens on http://127.0.0.1:${server.address().port}`),
  );
}
