import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';

/** A request as the server got it. */
export interface Received {
  method: string;
  /** Path with query, as it was sent. */
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export type Respond = (request: Received, response: ServerResponse) => unknown;

const running = new Set<() => Promise<void>>();

afterEach(async () => {
  await Promise.all([...running].map((stop) => stop()));
  running.clear();
});

/** A server on 127.0.0.1 for one test, which ends it and every connection that is still open. */
export async function startServer(respond: Respond): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = {
        method: incoming.method ?? '',
        url: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      received.push(request);
      respond(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1024, resolve));
  running.add(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

export function answerJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** Starts a stream of server-sent events. */
export function startEvents(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}
