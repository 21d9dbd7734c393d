import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { type Handler, startServer, type TestServer } from './server.js';

interface Exchange {
  request: { uri: string };
  response: {
    body?: { string: string | Uint8Array };
    parsed_body?: unknown;
    headers: Record<string, string[]>;
    status: { code: number };
  };
}

/** The recorded exchanges of one file, in order. */
export function readCassette(name: string): Exchange[] {
  const file = fileURLToPath(new URL(`./cassettes/${name}.yaml`, import.meta.url));
  return parse(readFileSync(file, 'utf8'), { customTags: ['binary'] }).interactions;
}

/** Sends bytes in pieces of an odd size, so that every boundary falls somewhere inconvenient. */
function sendInPieces(response: Parameters<Handler>[0], bytes: Buffer, size: number): void {
  for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size));
  response.end();
}

/** A server that answers every request with a recorded response, byte for byte. */
export async function replay(name: string, at = 0): Promise<TestServer> {
  const exchange = readCassette(name)[at];
  if (exchange === undefined) throw new Error(`${name} has no exchange ${at}`);
  const { body, parsed_body: parsed, headers, status } = exchange.response;
  const bytes = Buffer.from(body?.string ?? JSON.stringify(parsed));
  const kept = Object.entries(headers).filter(([header]) => /^content-(type|encoding)$/i.test(header));
  return startServer((response) => {
    response.writeHead(
      status.code,
      Object.fromEntries(kept.map(([header, values]) => [header, values[0] ?? ''])),
    );
    sendInPieces(response, bytes, 97);
  });
}
