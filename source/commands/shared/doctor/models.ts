import { systemClock } from '../../../base/clock.js';
import { UserError } from '../../../base/errors.js';
import { openModel, parseModelReference } from '../../../model/models.js';
import { createAccounts } from '../../../model/pacing/accounts.js';
import { ModelError } from '../../../model/types.js';
import { sharedFetch } from '../../../model/wire/shared-fetch.js';
import { modelOptions } from '../suite-models.js';
import { type AskOptions, account, messageOf, withDates, withLimit } from './asking.js';
import { type Finding, fail, ok, warn } from './finding.js';

/** Asks a model for one word, and goes as soon as it says something. `suites`: whose it is, for people. */
export async function examineModel(reference: string, suites: string, options: AskOptions): Promise<Finding> {
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
