// Opens a session with a program that ends on nothing but SIGKILL, says which processes run, and exits.
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../source/base/clock.js';
import { createCommandTarget } from '../../../source/target/command.js';
import { ignore, never, sessionRequest } from '../session-request.js';

const folder = mkdtempSync(join(tmpdir(), 'evalrun-test-'));
process.env.TMPDIR = folder;
const target = createCommandTarget(
  {
    kind: 'command',
    command: [process.execPath, 'ignores-sigterm.mjs'],
    cwd: fileURLToPath(new URL('./programs/', import.meta.url)),
    env: {},
    timeoutSeconds: 20,
  },
  { env: process.env, clock: systemClock },
);
const session = await target.open(
  sessionRequest({ prompt: { name: 'v1', path: 'v1.md', text: 'Be kind.' } }),
);
const { signals } = await session.send('hello', ignore, never);
const [prompt = ''] = readdirSync(folder);
process.stdout.write(JSON.stringify({ pids: signals?.pids, promptFolder: join(folder, prompt) }), () =>
  process.exit(0),
);
