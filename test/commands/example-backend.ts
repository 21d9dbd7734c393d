import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { root } from './support.js';

/** The backend of the example behind HTTP, gone when the test is over. Gives what its suite needs of the environment. */
export async function startBackend(): Promise<NodeJS.ProcessEnv> {
  const file = pathToFileURL(path.join(root, 'examples/http-backend/server.mjs')).href;
  const { createBackend }: { createBackend(options: object): Server } = await import(file);
  const server = createBackend({ token: 'open-sesame' });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { BACKEND_URL: `http://127.0.0.1:${port}`, BACKEND_TOKEN: 'open-sesame' };
}
