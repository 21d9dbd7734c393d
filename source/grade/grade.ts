import { systemClock } from '../base/clock.js';
import { ModelError } from '../model/types.js';
import type { CheckSpec } from '../suite/types.js';
import { oneLine } from './quote.js';
import { checkKind, findCheck } from './registry.js';
import { messageOf } from './suite-file.js';
import { allTogether } from './together.js';
import { tuneArguments } from './tuning.js';
import type { CheckResult, GradeContext } from './types.js';

/**
 * Grades one trial: hard checks first, then judged ones, all of those at once. `onResult` hears the results in the
 * order of `checks`, each as soon as it and all before it are there; the same list is returned.
 *
 * A check that throws is unknown, with a reason that names it: a bug in one check must not sink the run, nor pass.
 * Throws ModelError when the judge could not be reached (a key, a rate limit, the network), and the signal's reason
 * when aborted; all other requests to the judge have ended by then, and `onResult` is not called any more.
 */
export async function gradeTrial(
  checks: readonly CheckSpec[],
  context: GradeContext,
  onResult: (result: CheckResult) => void,
): Promise<CheckResult[]> {
  const results = new Array<CheckResult | undefined>(checks.length).fill(undefined);
  let told = 0;
  const finish = (index: number, result: CheckResult) => {
    results[index] = result;
    for (let next = results[told]; next; next = results[told]) {
      told++;
      onResult(next);
    }
  };
  const judged: [number, CheckSpec][] = [];
  const { clock = systemClock } = context;
  let since = clock.now();
  for (const [index, spec] of checks.entries()) {
    if (checkKind(spec) === 'judged') {
      judged.push([index, spec]);
      continue;
    }
    finish(index, await gradeCheck(spec, context));
    if (clock.now() - since >= longestHold) {
      await new Promise((resolve) => setImmediate(resolve));
      since = clock.now();
    }
    context.signal?.throwIfAborted();
  }
  context.signal?.throwIfAborted();
  await gradeTogether(judged, context, finish);
  return results.filter((result) => result !== undefined);
}

/** Milliseconds after which hard checks let go of the thread: for keys, signals, and the other trials. */
const longestHold = 10;

/** Characters of a reason. Names and values in it are cut on their own; this is for many of them together. */
const longestReason = 2000;

/** Grades judged checks at once; the first that cannot reach the judge stops the others. */
async function gradeTogether(
  judged: readonly [number, CheckSpec][],
  context: GradeContext,
  finish: (index: number, result: CheckResult) => void,
): Promise<void> {
  await allTogether(
    judged.map(([index, spec]) => async (signal: AbortSignal) => {
      const result = await gradeCheck(spec, { ...context, signal });
      if (!signal.aborted) finish(index, result);
    }),
    context.signal,
  );
  context.signal?.throwIfAborted();
}

async function gradeCheck(spec: CheckSpec, context: GradeContext): Promise<CheckResult> {
  const common = { checkId: spec.id, type: spec.type, kind: checkKind(spec) };
  const definition = findCheck(spec.type);
  if (!definition)
    return { ...common, verdict: 'unknown', reason: `there is no check of type "${oneLine(spec.type)}"` };
  try {
    const tuned = tuneArguments(definition, spec.args, context);
    if ('unknown' in tuned) return { ...common, verdict: 'unknown', reason: tuned.unknown };
    const outcome = await definition.grade(tuned.args, context, { ...spec, args: tuned.args });
    return { ...common, ...outcome, reason: oneLine(outcome.reason, longestReason) };
  } catch (error) {
    if (error instanceof ModelError) throw error;
    context.signal?.throwIfAborted();
    return {
      ...common,
      verdict: 'unknown',
      reason: `the check ${spec.id} (${spec.type}) broke: ${oneLine(messageOf(error))}`,
    };
  }
}
