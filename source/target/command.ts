import { statSync } from 'node:fs';
import type { Clock } from '../base/clock.js';
import { messageOf, UserError } from '../base/errors.js';
import type { Json, JsonObject } from '../base/json.js';
import { type Environment, fillFromEnvironment } from '../project/environment.js';
import { createSecrets, takings } from '../project/known-secrets.js';
import type { CommandTargetSpec } from '../suite/target-specs.js';
import { createPool } from './command/pool.js';
import { startWorker, type Worker } from './command/worker.js';
import { excerpt } from './product/excerpt.js';
import { withoutKeys } from './product/redacted.js';
import { type Read, readOpened, readReply } from './product/reply-schema.js';
import { openParams } from './product/session-facts.js';
import { createSessionLog } from './product/session-log.js';
import { askTuning } from './product/tuning.js';
import { type Session, type SessionRequest, type Target, TargetError } from './types.js';

export interface CommandTargetOptions {
  env: Environment;
  clock: Clock;
  /** Milliseconds that a program gets to exit when its input ends, and after SIGTERM. */
  graceMs?: { exit: number; kill: number };
  /** Bytes of one line on its standard output; longer ones are an error. */
  largestLine?: number;
}

const usualGraceMs = { exit: 1000, kill: 2000 };
const usualLargestLine = 16 * 1024 * 1024;
const longestCloseMs = 10_000;

/**
 * The product is a program that speaks JSON lines on its standard input and output. Without `pool` every session
 * has a process of its own. The prompt reaches it with `open`, as a file (`EVALRUN_PROMPT_FILE`) and, when small,
 * as a variable (`EVALRUN_PROMPT`). Throws UserError for a missing folder and for environment variables that are
 * not set.
 */
export function createCommandTarget(
  spec: CommandTargetSpec,
  { env, clock, graceMs = usualGraceMs, largestLine = usualLargestLine }: CommandTargetOptions,
): Target {
  if (!statSync(spec.cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UserError(`the folder of the command, ${spec.cwd}, does not exist`);
  }
  const secrets = createSecrets(env);
  const taken = takings(secrets, 'perhaps keys');
  const filled = Object.entries(spec.env).map(([name, text]): [string, string] => [
    name,
    fillFromEnvironment(text, env, taken, `env.${name}`),
  ]);
  const childEnv = environmentOf(env, filled);
  const name = excerpt(spec.command.join(' '), secrets, 120);
  const silenceMs = spec.timeoutSeconds * 1000;
  const workers = new Set<Worker>();

  async function start(prompt: string | undefined): Promise<Worker> {
    const { command, cwd } = spec;
    const log = createSessionLog(secrets);
    const options = { command, cwd, env: childEnv, prompt, clock, secrets, graceMs, largestLine, log };
    const worker = await startWorker(options);
    workers.add(worker);
    void worker.ended.then(() => workers.delete(worker));
    return worker;
  }

  const pool = spec.pool === undefined ? undefined : createPool(spec.pool, start);
  const take = (prompt: string | undefined) => (pool ? pool.take(prompt) : start(prompt));
  const giveBack = (worker: Worker) => {
    if (pool) return pool.give(worker);
    return worker.stop(worker.isUsable() ? 'gently' : 'now');
  };

  function checked<T>(method: string, read: Read<T>): T {
    if ('value' in read) return read.value;
    throw new TargetError(
      'other',
      `${name}: the result of ${method}: ${excerpt(read.mistake, secrets, 400)}`,
    );
  }

  async function openSession(
    request: SessionRequest,
  ): Promise<{ session: Session; tuning: Json | undefined }> {
    const worker = await take(request.prompt?.text);
    const log = createSessionLog(secrets);
    worker.attach(log);
    try {
      const result = await worker.request('open', openParams(request), { silenceMs });
      const { session, tuning } = checked('open', readOpened(result));
      return { session: createSession(worker, session, log), tuning };
    } catch (error) {
      await giveBack(worker);
      throw error;
    }
  }

  function createSession(worker: Worker, session: Json, log: ReturnType<typeof createSessionLog>): Session {
    let closing: Promise<void> | undefined;

    async function closeOnce(): Promise<void> {
      try {
        // After a failure nobody is there to be asked; the failure itself has been told.
        if (worker.isUsable()) {
          await worker.request('close', { session }, { silenceMs: Math.min(silenceMs, longestCloseMs) });
        }
      } catch (error) {
        log.add(messageOf(error));
        // Nobody knows what of this session is left in it: the next one begins in another.
        if (worker.isUsable()) await worker.stop('gently');
      }
      await giveBack(worker);
    }

    return {
      async send(message, onProgress, signal) {
        let text = '';
        const onDelta = (delta: string) => {
          text += delta;
          onProgress({ type: 'text', text });
        };
        const params: JsonObject = { session, message };
        return checked(
          'send',
          readReply(await worker.request('send', params, { silenceMs, onDelta, signal })),
        );
      },
      close() {
        closing ??= closeOnce();
        return closing;
      },
      log: () => log.read(),
    };
  }

  const target: Target = {
    open: async (request) => (await openSession(request)).session,
    tuning: () => askTuning(openSession),
    async close() {
      await pool?.close();
      await Promise.all([...workers].map((worker) => worker.stop('gently')));
    },
  };
  return withoutKeys(target, secrets.keys);
}

/** The person's environment and the target's own variables. A prompt of an outer run must not reach the product. */
function environmentOf(env: Environment, own: readonly [string, string][]): Record<string, string> {
  const { EVALRUN_PROMPT: _prompt, EVALRUN_PROMPT_FILE: _file, ...inherited } = env;
  const entries = Object.entries(inherited).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries([...entries, ...own]);
}
