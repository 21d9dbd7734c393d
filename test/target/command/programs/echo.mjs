// Says back what it was told, and what it knows of its session and its environment.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { say, serve } from './protocol.mjs';

let opened;
let sessions = 0;
const { EVALRUN_PROMPT, EVALRUN_PROMPT_FILE } = process.env;
serve({
  open(params) {
    opened = params;
    sessions++;
    console.error(`session ${sessions} of ${params.account}`);
    return { session: `s${sessions}`, tuning: { maxTurns: 12 } };
  },
  send({ session, message }, id) {
    for (const delta of ['You ', 'said: ', message]) say({ id, delta });
    return {
      reply: `You said: ${message}`,
      toolCalls: [{ name: 'look', args: { at: message }, result: [1] }],
      signals: {
        session,
        opened,
        pid: process.pid,
        folder: process.cwd(),
        extra: process.env.EXTRA ?? null,
        prompt: EVALRUN_PROMPT ?? null,
        promptFile: EVALRUN_PROMPT_FILE ?? null,
        promptInFile:
          EVALRUN_PROMPT_FILE && existsSync(EVALRUN_PROMPT_FILE)
            ? readFileSync(EVALRUN_PROMPT_FILE, 'utf8')
            : null,
        promptMode: EVALRUN_PROMPT_FILE ? (statSync(EVALRUN_PROMPT_FILE).mode & 0o777).toString(8) : null,
      },
      suggestions: ['More'],
      model: 'echo-1',
      version: '7',
      usage: { input: 5, output: 3 },
      ended: message === 'bye',
      fallback: false,
    };
  },
});
