import { fillFromEnvironment } from '../../project/environment.js';
import type { LiveTool } from '../../suite/types.js';
import { startChild } from '../../target/command/child-process.js';
import { createLineReader } from '../../target/command/line-reader.js';
import { valueText } from '../../target/http/values.js';
import { excerpt } from '../../target/product/excerpt.js';
import { createSessionLog } from '../../target/product/session-log.js';
import { TargetError } from '../../target/types.js';
import type { AskTool, LiveContext } from './ask.js';
import { largestResult, readResult } from './result.js';

/** Milliseconds between SIGTERM and SIGKILL. */
const killGraceMs = 2000;
const quotedLines = 5;
const largestStderrLine = 16 * 1024;

/** What of the trial a program is told, by the variable that holds it. */
const facts = { EVALRUN_ACCOUNT: 'account', EVALRUN_SCENARIO: 'scenario', EVALRUN_TENANT: 'tenant' } as const;

/**
 * A tool that is a program, started once a call: it reads the arguments as JSON on its standard input and prints the
 * result. What it cannot do for the agent it prints as `{"error": text}`; an exit with another code than 0 says that
 * it is broken, and is a TargetError with the last lines of its stderr. Throws UserError for environment variables
 * that are not set.
 */
export function prepareCommandTool(
  name: string,
  tool: Extract<LiveTool, { kind: 'command' }>,
  { env, clock, secrets }: LiveContext,
): AskTool {
  const { command, cwd } = tool;
  const timeoutMs = tool.timeoutSeconds * 1000;
  const own = Object.entries(tool.env).map(([key, text]): [string, string] => [
    key,
    fillFromEnvironment(text, env, secrets, `live.${name}: env.${key}`),
  ]);
  const inherited = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('EVALRUN_'),
  );
  const label = `live.${name} (${excerpt(command.join(' '), secrets, 120)})`;

  return async ({ args, values, signal }) => {
    signal.throwIfAborted();
    const told = Object.entries(facts).map(([variable, fact]): [string, string] => [
      variable,
      valueText(values(fact)).replaceAll('\u0000', ''),
    ]);
    const chunks: Uint8Array[] = [];
    let length = 0;
    const log = createSessionLog(secrets);
    const stderr = createLineReader({ maxBytes: largestStderrLine, onLine: (line) => log.add(line) });
    const startedAt = clock.now();
    const child = await startChild({
      command,
      cwd,
      env: Object.fromEntries([...inherited, ['EVALRUN_TOOL', name], ...told, ...own]),
      clock,
      graceMs: { exit: timeoutMs, kill: killGraceMs },
      onStdout(chunk) {
        length += chunk.length;
        if (length <= largestResult) chunks.push(chunk);
        else void child.stop('now');
      },
      onStderr: (chunk) => stderr.write(chunk),
      cleanUp: { later: async () => {}, now: () => {} },
    });
    const onAbort = () => void child.stop('now');
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      child.write(`${JSON.stringify(args)}\n`);
      // Its input ends here, and it has all of its time to exit by itself.
      await child.stop(signal.aborted ? 'now' : 'gently');
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
    signal.throwIfAborted();
    stderr.end();
    const exit = await child.exited;
    const broken = (what: string, kind: TargetError['kind'] = 'other') => {
      const lines = log.lines().slice(-quotedLines);
      const said =
        lines.length === 0
          ? ''
          : `; the last lines of its stderr: ${excerpt(lines.join(' / '), secrets, 400)}`;
      return new TargetError(kind, `${label} ${what}${said}`);
    };
    if (exit.error !== undefined) throw broken(`could not be started (${exit.error}) in ${cwd}`);
    if (length > largestResult) throw broken(`printed more than ${largestResult} bytes`);
    if (clock.now() - startedAt >= timeoutMs)
      throw broken(`was not done within ${tool.timeoutSeconds} seconds`, 'network');
    if (exit.signal !== undefined) throw broken(`was ended by ${exit.signal}`);
    if (exit.code !== 0) throw broken(`exited with code ${exit.code}`);
    return readResult(secrets.redact(Buffer.concat(chunks).toString('utf8')));
  };
}
