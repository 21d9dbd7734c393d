import { isJsonObject, type JsonObject } from '../base/json.js';
import { hunkSplits, strategyNames } from './bisect-events.js';
import type { RunEvent } from './events.js';

/** Whether a member of an event is what its reader takes it for. */
type Test = (value: unknown) => boolean;

const isText: Test = (value) => typeof value === 'string';
const isTime: Test = (value) => typeof value === 'number' && Number.isFinite(value);
const isCount: Test = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isFromOne: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 1;
const isFlag: Test = (value) => typeof value === 'boolean';
const isNot: Test = (value) => value === undefined;
const isTexts = listOf(isText);
const isObject: Test = isJsonObject;

/** More trials of a scenario than anybody plans: what says more was damaged, and would be counted for ever. */
const mostRepeats = 100_000;
const isRepeat: Test = (value) => isFromOne(value) && (value as number) <= mostRepeats;

const isUsage = shape({ input: isCount, output: isCount });

const isCheck = shape({ id: isText, type: isText, kind: oneOf('hard', 'judged'), absolute: isFlag });

const isCondition = shape({ id: isText, promptName: isText, model: isText, hash: isText });

const isPlan = shape({
  scenarios: uniqueBy(
    'id',
    shape({ id: isText, hash: isText, tags: isTexts, checks: uniqueBy('id', isCheck) }),
  ),
  conditions: uniqueBy('id', isCondition),
  repeat: isRepeat,
});

const isQuarantineEntry = shape({
  scenario: isText,
  check: either(isNot, isText),
  owner: isText,
  reason: isText,
  since: isText,
  until: isText,
  evidence: isTexts,
});

const isPart = either(
  shape({ kind: oneOf('text'), text: isText }),
  shape({ kind: oneOf('tool'), call: shape({ name: isText, args: either(isObject, isText) }) }),
);

const isTurn = shape({
  index: isFromOne,
  message: isText,
  reply: shape({ parts: listOf(isPart), text: isText, usage: isUsage, stop: isText }),
  ms: isCount,
});

const isResult = shape({
  checkId: isText,
  type: isText,
  kind: oneOf('hard', 'judged'),
  verdict: oneOf('pass', 'warn', 'fail', 'unknown'),
  reason: isText,
  score: either(isNot, isTime),
});

const isEnd = either(
  shape({ kind: oneOf('completed') }),
  shape({ kind: oneOf('turn-limit'), maxTurns: isFromOne }),
  shape({ kind: oneOf('ended'), turn: isFromOne }),
  shape({ kind: oneOf('no-fixture'), tool: isText, args: isText }),
);

const isIndex: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isIndexes = listOf(isIndex);
const isStrategy = oneOf(...strategyNames);
const isWatched = listOf(shape({ scenario: isText, check: either(isNot, isText) }));
const isEndOfBisect = shape({ name: isText, path: isText, text: isText, sha256: isText });

const isBisect = shape({
  good: isEndOfBisect,
  bad: isEndOfBisect,
  split: oneOf(...hunkSplits),
  hunks: isTexts,
  watched: isWatched,
  strategy: isStrategy,
  budget: isFromOne,
  repeats: isFromOne,
  history: either(isNot, shape({ passed: isCount, failed: isCount })),
  weights: either(isNot, listOf(isCount)),
});

const isPurpose = either(
  shape({ kind: oneOf('ends', 'search') }),
  shape({ kind: oneOf('step'), hunk: isIndex }),
  shape({ kind: oneOf('confirm', 'cure', 'suite'), hunks: isIndexes }),
);

const isDecision = either(
  shape({ kind: oneOf('accept', 'skip'), hunk: isIndex }),
  shape({ kind: oneOf('override'), hunk: isIndex, says: oneOf('guilty', 'innocent') }),
  shape({ kind: oneOf('note'), text: isText, hunk: either(isNot, isIndex) }),
  shape({ kind: oneOf('hand-over'), to: isStrategy }),
  shape({ kind: oneOf('watch'), watched: isWatched }),
  shape({ kind: oneOf('budget'), budget: isFromOne }),
  shape({ kind: oneOf('undo'), steps: isFromOne }),
);

const isProbability: Test = (value) => isCount(value) && (value as number) <= 1;
const isBelief = either(isNot, isProbability);

const isFinding = either(
  shape({ kind: oneOf('hunks'), hunks: isIndexes, belief: isBelief }),
  shape({ kind: oneOf('not-the-prompt', 'good-fails-too'), belief: isBelief }),
  shape({
    kind: oneOf('inconclusive'),
    why: isText,
    leader: either(isNot, shape({ hunks: isIndexes, belief: isProbability })),
    wouldTake: either(isNot, isCount),
  }),
);

const trial = {
  at: isTime,
  trial: shape({ scenario: isText, condition: isText, repeat: isRepeat }),
  attempt: isFromOne,
};

/** The members that a reader relies on, by type of event: not the whole shape, for journals are read often. */
const members: { [type in RunEvent['type']]: Readonly<Record<string, Test>> } = {
  'run-started': {
    at: isTime,
    version: isFromOne,
    runId: isText,
    suite: isText,
    suiteHash: isText,
    plan: isPlan,
    seed: isText,
    bisect: either(isNot, isBisect),
    quarantine: either(isNot, listOf(isQuarantineEntry)),
    noise: either(isNot, shape({ at: isTime, trials: isCount, falseRed: isCount })),
  },
  'run-resumed': { at: isTime },
  'trial-started': trial,
  'reply-progress': { trial: trial.trial, turn: isFromOne, text: isText },
  'turn-finished': { ...trial, turn: isTurn },
  'check-finished': { ...trial, result: isResult },
  'trial-finished': {
    ...trial,
    end: isEnd,
    unsent: isTexts,
    ms: isCount,
    tokens: shape({ agent: isUsage, judge: isUsage, user: either(isNot, isUsage) }),
  },
  'trial-errored': { ...trial, kind: isText, message: isText, final: isFlag },
  'product-log': { ...trial, text: isText },
  'request-retried': { at: isTime, model: isText, kind: isText, message: isText, waitMs: isCount },
  'plan-extended': {
    at: isTime,
    scenario: isText,
    from: isRepeat,
    to: isRepeat,
    bisect: either(isNot, shape({ trial: isFromOne, purpose: isPurpose })),
  },
  'condition-added': { at: isTime, condition: isCondition, candidate: either(isNot, isText) },
  'bisect-decided': { at: isTime, decision: isDecision },
  'bisect-found': {
    at: isTime,
    found: shape({ finding: isFinding, headline: isText, reasons: isTexts }),
  },
  taint: { at: isTime, kind: oneOf('auth', 'rate-limit', 'fallback'), message: isText },
  'run-finished': { at: isTime, outcome: oneOf('completed', 'interrupted', 'stopped') },
};

const entries = Object.fromEntries(
  Object.entries(members).map(([type, tests]) => [type, Object.entries(tests)]),
) as { [type in RunEvent['type']]: [name: string, test: Test][] };

/** Whether there is an event of this type. */
export function isEventType(type: string): type is RunEvent['type'] {
  return Object.hasOwn(members, type);
}

/** The first member of an event that is missing or no such thing; undefined when it can be relied on. */
export function improperMember(event: JsonObject, type: RunEvent['type']): string | undefined {
  return entries[type].find(([name, test]) => !test(event[name]))?.[0];
}

function oneOf(...texts: readonly string[]): Test {
  return (value) => texts.includes(value as string);
}

function either(one: Test, other: Test, ...more: readonly Test[]): Test {
  return (value) => one(value) || other(value) || more.some((test) => test(value));
}

function shape(tests: Readonly<Record<string, Test>>): Test {
  const entries = Object.entries(tests);
  return (value) => isJsonObject(value) && entries.every(([name, test]) => test(value[name]));
}

function listOf(test: Test): Test {
  return (value) => Array.isArray(value) && value.every(test);
}

function uniqueBy(name: string, test: Test): Test {
  const isList = listOf(test);
  return (value) =>
    isList(value) && new Set((value as JsonObject[]).map((one) => one[name])).size === (value as []).length;
}
