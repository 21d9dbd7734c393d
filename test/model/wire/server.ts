import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as the server got it. */
export interface SeenRequest {
  path: string;
  headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: what was sent is looked at member by member in assertions
  body: any;
}

export type Handler = (response: ServerResponse, request: SeenRequest, at: number) => unknown;

export interface TestServer {
  /** `http://127.0.0.1:PORT` */
  url: string;
  host: string;
  seen: SeenRequest[];
  /** Connections accepted so far. */
  readonly connections: number;
}

/** A server on this machine for the test that is running; gone when the test is over. `at` counts requests from 0. */
export async function startServer(handler: Handler): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  let connections = 0;
  const listener: RequestListener = async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const request = {
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
    await handler(response, request, seen.push(request) - 1);
  };
  const server = createServer(listener);
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1_024, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return {
    url: `http://${host}`,
    host,
    seen,
    get connections() {
      return connections;
    },
  };
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Begins a stream of server-sent events. */
export function beginStream(response: ServerResponse): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  return response;
}
