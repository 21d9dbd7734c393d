import { basename } from 'node:path';
import { systemClock } from '../../../base/clock.js';
import { UserError } from '../../../base/errors.js';
import { listed } from '../../../base/quote.js';
import { proxiedFetch } from '../../../model/wire/proxied-fetch.js';
import { toSessionRequest } from '../../../play/trial.js';
import type { Project } from '../../../project/config.js';
import { fillFromEnvironment } from '../../../project/environment.js';
import { createSecrets } from '../../../project/known-secrets.js';
import { loadPrompt } from '../../../project/prompts.js';
import { promptOf } from '../../../suite/target.js';
import type { HttpTargetSpec } from '../../../suite/target-specs.js';
import type { Suite } from '../../../suite/types.js';
import { type SessionRequest, type Target, TargetError } from '../../../target/types.js';
import { openTarget } from '../open-target.js';
import { resolveModelName } from '../suite-models.js';
import { createWorkshop } from '../workshop.js';
import { type AskOptions, account, messageOf, withDates, withLimit } from './asking.js';
import { type Examination, type Finding, fail, ok, warn } from './finding.js';
import { examineModel } from './models.js';

/** Asks every model and every product of the suites once, all at the same time; none twice. */
export function examineTargets(suites: readonly Suite[], options: AskOptions): Examination[] {
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
    ...examineReviewer(models, options),
  ];
}

/** The model that reads transcripts; no run needs it, so it is nothing that has to be mended. */
function examineReviewer(asked: ReadonlyMap<string, unknown>, options: AskOptions): Examination[] {
  const { models } = options.project.config;
  const reference = Object.hasOwn(models, 'reviewer') ? models.reviewer : undefined;
  if (reference === undefined || asked.has(reference)) return [];
  const findings = examineModel(reference, 'evalrun review --transcript', options).then((finding) => [
    finding.level === 'fail' ? { ...finding, level: 'warn' as const } : finding,
  ]);
  return [{ waitsFor: `asking ${reference}`, findings }];
}

async function examineProduct(suite: Suite, suites: string, options: AskOptions): Promise<Finding> {
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
async function askProduct(suite: Suite, options: AskOptions, signal: AbortSignal): Promise<string> {
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

async function openProduct(suite: Suite, { project, env, onSkew }: AskOptions): Promise<Target> {
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
  { env, onSkew }: AskOptions,
  signal: AbortSignal,
): Promise<string> {
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
  const [scenario] = suite.scenarios;
  if (scenario === undefined) throw new UserError(`${suite.place.file}: the suite has no scenarios`);
  const name = promptOf(suite);
  const prompt = name === undefined ? undefined : await loadPrompt(project, name);
  return toSessionRequest({ scenario, seed: account, account, ...(prompt && { prompt }) });
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
