import { basename } from 'node:path';
import { systemClock } from '../../../base/clock.js';
import { UserError } from '../../../base/errors.js';
import { listed } from '../../../base/quote.js';
import { openModel, parseModelReference } from '../../../model/models.js';
import { createAccounts } from '../../../model/pacing/accounts.js';
import { ModelError } from '../../../model/types.js';
import type { Fetch } from '../../../model/wire/options.js';
import { proxiedFetch } from '../../../model/wire/proxied-fetch.js';
import { sharedFetch } from '../../../model/wire/shared-fetch.js';
import type { Project } from '../../../project/config.js';
import { createSecrets } from '../../../project/known-secrets.js';
import { loadPrompt } from '../../../project/prompts.js';
import { promptOf } from '../../../suite/target.js';
import type { HttpTargetSpec } from '../../../suite/target-specs.js';
import type { Suite } from '../../../suite/types.js';
import { MissingFixtureError, type SessionRequest, type Target, TargetError } from '../../../target/types.js';
import { openTarget } from '../open-target.js';
import { modelOptions, resolveModelName } from '../suite-models.js';
import { createWorkshop } from '../workshop.js';
import { type Examination, type Finding, fail, ok, warn } from './finding.js';
import type { Skew } from './machine.js';

export interface TargetsOptions {
  project: Project;
  env: NodeJS.ProcessEnv;
  /** Milliseconds after which whoever has not answered is given up. */
  limitMs: number;
  /** Hears what time servers say it is. */
  onSkew: (skew: Skew) => void;
}

/** What of a product is asked: no message is sent to it. */
const account = 'evalrun-doctor';

/** Asks every model and every product of the suites once, all at the same time; none twice. */
export function examineTargets(suites: readonly Suite[], options: TargetsOptions): Examination[] {
  const models = new Map<string, string[]>();
  const products = new Map<string, { suite: Suite; names: string[] }>();
  const add = (suite: Suite, model: string | undefined) => {
    if (model === undefined) return;
    const reference = resolveModelName(options.project, model);
    models.set(reference, [...(models.get(reference) ?? []), suite.name]);
  };
  for (const suite of suites) {
    const { target, judge, user } = suite;
    if (target.kind === 'prompt') add(suite, target.model);
    else {
      const key = JSON.stringify(target);
      const known = products.get(key) ?? { suite, names: [] };
      products.set(key, { ...known, names: [...known.names, suite.name] });
    }
    add(suite, judge?.model);
    add(suite, user?.model);
  }
  return [
    ...Array.from(models, ([reference, names]) => ({
      waitsFor: `asking ${reference}`,
      findings: examineModel(reference, listed([...new Set(names)]), options).then((finding) => [finding]),
    })),
    ...Array.from(products.values(), ({ suite, names }) => ({
      waitsFor: `asking the product of ${listed(names)}`,
      findings: examineProduct(suite, listed(names), options).then((finding) => [finding]),
    })),
  ];
}

/** Asks a model for one word, and goes as soon as it says something. */
async function examineModel(reference: string, suites: string, options: TargetsOptions): Promise<Finding> {
  const { project, env, limitMs, onSkew } = options;
  const isSimulated = parseModelReference(reference)?.provider === 'simulated';
  try {
    await withLimit(limitMs, async (signal) => {
      const model = await openModel(reference, {
        ...modelOptions(project, env, createAccounts(systemClock)),
        // What fails is told of and not tried again.
        retryTotalMs: 0,
        fetch: withDates(sharedFetch(env), onSkew),
      });
      const request = {
        system: 'Answer with one word.',
        messages: [{ role: 'user' as const, text: 'Are you there?' }],
        tools: [],
        maxTokens: 16,
        seed: account,
        signal,
      };
      for await (const event of model.stream(request)) if (event.type !== 'restart') return;
      throw new ModelError('bad-answer', `${reference} answered nothing`);
    });
    const how = isSimulated ? ' from its file, without a network' : '';
    return ok('model', `${reference} answers${how}, for ${suites}`);
  } catch (error) {
    return modelFailure(error, reference, suites);
  }
}

function modelFailure(error: unknown, reference: string, suites: string): Finding {
  const what = `${reference}, for ${suites}: ${messageOf(error)}`;
  if (error instanceof UserError)
    return fail('model', what, 'mend what it names; evalrun check knows the place');
  switch (error instanceof ModelError ? error.kind : 'network') {
    case 'rate-limit':
    case 'overloaded':
      return warn(
        'model',
        what,
        'wait; runs wait too, and "concurrency" of the provider asks for less at once',
      );
    case 'auth':
      return fail('model', what, 'look at the key and its account at the provider');
    case 'not-found':
      return fail('model', what, 'name a model that the provider has in "models" of .evalrc.json');
    case 'network':
      return fail(
        'model',
        what,
        'look whether the server is up, at "baseURL", and at proxies of the environment',
      );
    case 'too-long':
    case 'bad-request':
    case 'bad-answer':
      return fail('model', what, 'look at "api", "baseURL" and "query" of the provider in .evalrc.json');
  }
}

async function examineProduct(suite: Suite, suites: string, options: TargetsOptions): Promise<Finding> {
  try {
    const what = await withLimit(options.limitMs, (signal) => askProduct(suite, options, signal));
    return ok('target', `${what}, for ${suites}`);
  } catch (error) {
    const what = `${nameOf(suite)}, for ${suites}: ${messageOf(error)}`;
    if (error instanceof TargetError && error.kind === 'rate-limit')
      return warn('target', what, 'wait, or ask for less at once');
    if (error instanceof TargetError && error.kind === 'auth')
      return fail(
        'target',
        what,
        `look at "headers" of ${suite.place.file}, and at the variables that they name`,
      );
    return error instanceof UserError
      ? fail('target', what, `mend what it names, or ${suite.place.file}`)
      : fail(
          'target',
          what,
          `look whether it is there and runs, and at ${suite.place.file}; docs/targets.md says what it is asked`,
        );
  }
}

/** What the product did, as a sentence. A session is opened and closed; a module is loaded and no more. */
async function askProduct(suite: Suite, options: TargetsOptions, signal: AbortSignal): Promise<string> {
  const target = await openProduct(suite, options);
  // What is given up is ended too: a program would go on running.
  const end = () => void target.close?.().catch(() => {});
  signal.addEventListener('abort', end, { once: true });
  try {
    const { target: spec } = suite;
    if (spec.kind === 'module') return `${nameOf(suite)} loads`;
    if (spec.kind === 'http' && !spec.reset && !spec.open) return await askAddress(spec, options, signal);
    const session = await target.open(await firstRequest(suite, options.project));
    await session.close();
    if (spec.kind === 'command') return `${nameOf(suite)} starts and answers open`;
    const asked = (['reset', 'open'] as const).filter((call) => spec.kind === 'http' && spec[call]);
    return `${nameOf(suite)} answers ${listed(asked)}`;
  } finally {
    signal.removeEventListener('abort', end);
    if (!signal.aborted) await target.close?.();
  }
}

async function openProduct(suite: Suite, { project, env, onSkew }: TargetsOptions): Promise<Target> {
  if (suite.target.kind === 'http') {
    const { createHttpTarget } = await import('../../../target/http.js');
    const fetch = withDates(proxiedFetch(env), onSkew) as typeof globalThis.fetch;
    return createHttpTarget(suite.target, { env, clock: systemClock, fetch });
  }
  return openTarget(suite, undefined, '', createWorkshop(project, suite, env));
}

/** A backend without reset and open is asked for nothing but an answer, whatever it is. */
async function askAddress(
  { baseURL }: HttpTargetSpec,
  { env, onSkew }: TargetsOptions,
  signal: AbortSignal,
): Promise<string> {
  const { fillFromEnvironment } = await import('../../../project/environment.js');
  const secrets = createSecrets();
  const url = fillFromEnvironment(baseURL, env, secrets, 'baseURL');
  try {
    const { status, body } = await withDates(proxiedFetch(env), onSkew)(url, { redirect: 'manual', signal });
    await body?.cancel();
    return `${baseURL} answers (${status} to GET; no message was sent)`;
  } catch (error) {
    signal.throwIfAborted();
    const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    throw new TargetError('network', secrets.redact(`no answer (${code ?? message})`));
  }
}

/** What a trial of the first scenario would open its session with. */
async function firstRequest(suite: Suite, project: Project): Promise<SessionRequest> {
  const { id, profile, history, tenant, variables } = suite.scenarios[0] ?? {};
  const name = promptOf(suite);
  const prompt = name === undefined ? undefined : await loadPrompt(project, name);
  return {
    seed: account,
    account,
    callTool: (tool, args) => {
      throw new MissingFixtureError(tool, args);
    },
    ...(id !== undefined && { scenario: id }),
    ...(variables !== undefined && { variables }),
    ...(profile !== undefined && { profile }),
    ...(history !== undefined && { history }),
    ...(tenant !== undefined && { tenant }),
    ...(prompt !== undefined && { prompt }),
  };
}

function nameOf({ target }: Suite): string {
  switch (target.kind) {
    case 'prompt':
      return target.model;
    case 'http':
      return target.baseURL;
    case 'command':
      return target.command.join(' ');
    case 'module':
      return basename(target.file);
  }
}

/** Tells what time servers say it is, which stands in every answer. */
function withDates(fetch: Fetch, onSkew: (skew: Skew) => void): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    const date = Date.parse(response.headers.get('date') ?? '');
    const { host } = new URL(url instanceof Request ? url.url : url);
    if (!Number.isNaN(date)) onSkew({ host, ms: date - Date.now() });
    return response;
  };
}

/** Rejects when the time is over, whether or not what runs hears of it. */
async function withLimit<T>(limitMs: number, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const done = new AbortController();
  const over = systemClock.wait(limitMs, done.signal).then(
    () => {
      const error = new TargetError('network', `no answer in ${limitMs / 1000} s`);
      controller.abort(error);
      throw error;
    },
    // Never comes: what runs has ended first.
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([run(controller.signal), over]);
  } finally {
    done.abort();
  }
}

/** Mistakes of ours go on to be reported as such. */
function messageOf(error: unknown): string {
  if (error instanceof ModelError || error instanceof TargetError || error instanceof UserError)
    return error.message;
  throw error;
}
