/** What a commit may not change together: what the agent is told, and what it is held against. Meanings, not files. */
export interface GuardSnapshot {
  /** By path, every file that is a prompt. */
  prompts: Map<string, GuardedPrompt>;
  /** By suite. */
  suites: Map<string, SuiteCriteria>;
  /** By setting of the gate, what holds: written out or by default. */
  gate: Map<string, string>;
  /** Expectations by baseline file, then by `scenario/check`. */
  baselines: Map<string, Map<string, BaselineMeaning>>;
  blesses: RecordedBless[];
}

export interface GuardedPrompt {
  /** Of the text. */
  hash: string;
  /** What config and suites call it: a new file under a name that was there before is an edit. */
  roles: string[];
}

export interface SuiteCriteria {
  /** By scenario: hash of each check by its id. */
  scenarios: Map<string, Map<string, string>>;
  /** Hash of what decides its verdicts: prompt, model and their number; not set where nothing is judged. */
  judge?: string;
}

/** What a baseline expects: how often it was seen is not part of it. */
export interface BaselineMeaning {
  verdict: string;
  hash: string;
}

/** An expectation that a person accepted in the place of another. */
export interface RecordedBless {
  file: string;
  /** `scenario/check` */
  name: string;
  reason: string;
  /** The prompt of the run that it was seen in. */
  prompt?: string;
  /** Tells one from another: all that is said of it. */
  key: string;
}

/** One thing that means something else than before. */
export interface GuardChange {
  kind: 'prompt' | 'check' | 'judge' | 'gate' | 'baseline';
  /** The same for the same thing, seen from any parent of a merge. */
  key: string;
  /** Of a prompt: its file. */
  path?: string;
  /** Of a check: the same for the same change of it in several scenarios. */
  shared?: string;
  /** For people: `refund/offers-credit (suite support) changed`. From files: make it visible. */
  text: string;
}

export interface GuardChanges {
  prompts: GuardChange[];
  criteria: GuardChange[];
  /** Blesses that were not there before. */
  blesses: RecordedBless[];
}

/**
 * What means something else after than before. A prompt that was renamed, copied or taken away tells nobody anything new;
 * checks that were renamed, moved or written another way ask the same. What is new among the criteria counts: it was never
 * seen to hold for the old prompt.
 */
export function guardChanges(before: GuardSnapshot, after: GuardSnapshot): GuardChanges {
  const known = new Set(before.blesses.map(({ key }) => key));
  return {
    prompts: changedPrompts(before.prompts, after.prompts),
    criteria: [
      ...changedSuites(before.suites, after.suites),
      ...changedGate(before.gate, after.gate),
      ...changedBaselines(before.baselines, after.baselines),
    ],
    blesses: after.blesses.filter(({ key }) => !known.has(key)),
  };
}

/** What a merge itself changes: only what is another thing than in all of its parents. */
export function commonChanges(sides: readonly GuardChanges[]): GuardChanges {
  const [first, ...rest] = sides;
  if (!first) return { prompts: [], criteria: [], blesses: [] };
  const inAll = <T extends { key: string }>(list: readonly T[], pick: (side: GuardChanges) => readonly T[]) =>
    list.filter(({ key }) => rest.every((side) => pick(side).some((one) => one.key === key)));
  return {
    prompts: inAll(first.prompts, (side) => side.prompts),
    criteria: inAll(first.criteria, (side) => side.criteria),
    blesses: inAll(first.blesses, (side) => side.blesses),
  };
}

/** Whether a commit with these changes is refused. */
export function isRefused({ prompts, criteria }: GuardChanges): boolean {
  return prompts.length > 0 && criteria.length > 0;
}

/** Blesses whose reason a commit message does not hold; line breaks, case and marks between words do not matter. */
export function unexplainedBlesses({ blesses }: GuardChanges, message: string): RecordedBless[] {
  const said = words(message);
  return blesses.filter(({ reason }) => !said.includes(words(reason)));
}

function words(text: string): string {
  return ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;
}

/**
 * Texts that were not there before. One in a new file is an edit where it takes the place of another: under the same name
 * in config or suites, or as the next number beside it (`v14.md`, `v15.md`). Else it is the first of its kind.
 */
function changedPrompts(
  before: ReadonlyMap<string, GuardedPrompt>,
  after: ReadonlyMap<string, GuardedPrompt>,
): GuardChange[] {
  const texts = new Set(Array.from(before.values(), ({ hash }) => hash));
  const roles = new Set([...before.values()].flatMap((prompt) => prompt.roles));
  const versions = new Set([...before.keys()].map(withoutNumbers));
  return [...after].flatMap(([path, prompt]): GuardChange[] => {
    if (texts.has(prompt.hash)) return [];
    const isEdit = before.has(path);
    const isVersion = versions.has(withoutNumbers(path)) || prompt.roles.some((role) => roles.has(role));
    if (!isEdit && !isVersion) return [];
    const text = `${path} ${isEdit ? 'changed' : 'is a new version'}`;
    return [{ kind: 'prompt', key: `prompt ${path} ${prompt.hash}`, path, text }];
  });
}

function withoutNumbers(path: string): string {
  return path.replace(/\d+(?=[^/]*$)/g, '0');
}

const noCriteria: SuiteCriteria = { scenarios: new Map() };

function changedSuites(
  before: ReadonlyMap<string, SuiteCriteria>,
  after: ReadonlyMap<string, SuiteCriteria>,
): GuardChange[] {
  const renamed = renamedSuites(before, after);
  const changes: GuardChange[] = [];
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    if (renamed.has(name)) continue;
    const from = before.get(name) ?? noCriteria;
    const to = after.get(name) ?? noCriteria;
    changes.push(...changedScenarios(name, from.scenarios, to.scenarios));
    if (from.judge !== to.judge && from.judge !== undefined && to.judge !== undefined)
      changes.push({
        kind: 'judge',
        key: `judge ${name} ${to.judge}`,
        text: `the judge of suite ${name} changed`,
      });
  }
  return changes;
}

function changedGate(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): GuardChange[] {
  return [...after].flatMap(([name, to]): GuardChange[] => {
    const from = before.get(name);
    if (from === undefined || from === to) return [];
    const text = `the gate changed: ${name} from ${from} to ${to}`;
    return [{ kind: 'gate', key: `gate ${name} ${to}`, text }];
  });
}

/** Names on either side that only call the same suite something else. */
function renamedSuites(
  before: ReadonlyMap<string, SuiteCriteria>,
  after: ReadonlyMap<string, SuiteCriteria>,
): Set<string> {
  const meaning = ({ scenarios, judge }: SuiteCriteria) =>
    JSON.stringify([judge, [...scenarios].map(([id, checks]) => [id, ...hashesOf(checks)]).sort()]);
  return renamedKeys(before, after, meaning);
}

function changedScenarios(
  suite: string,
  before: ReadonlyMap<string, ReadonlyMap<string, string>>,
  after: ReadonlyMap<string, ReadonlyMap<string, string>>,
): GuardChange[] {
  const renamed = renamedKeys(before, after, (checks) => JSON.stringify(hashesOf(checks)));
  const none: ReadonlyMap<string, string> = new Map();
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((scenario) =>
    renamed.has(scenario)
      ? []
      : changedChecks(suite, scenario, before.get(scenario) ?? none, after.get(scenario) ?? none),
  );
}

function changedChecks(
  suite: string,
  scenario: string,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): GuardChange[] {
  const renamed = renamedKeys(before, after, (hash) => hash);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((check): GuardChange[] => {
    const [from, to] = [before.get(check), after.get(check)];
    if (from === to || renamed.has(check)) return [];
    const what = from === undefined ? 'is new' : to === undefined ? 'is gone' : 'changed';
    return [
      {
        kind: 'check',
        key: `check ${suite} ${scenario} ${check} ${to ?? ''}`,
        shared: `${check} of suite ${suite} ${what}`,
        text: `${scenario}/${check} of suite ${suite} ${what}`,
      },
    ];
  });
}

function hashesOf(checks: ReadonlyMap<string, string>): string[] {
  return [...checks.values()].sort();
}

/** Keys that are on one side only and whose meaning is on the other side under another such key. */
function renamedKeys<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  meaning: (value: T) => string,
): Set<string> {
  const gone = new Map<string, string[]>();
  for (const [key, value] of before) {
    if (after.has(key)) continue;
    const same = gone.get(meaning(value)) ?? [];
    gone.set(meaning(value), [...same, key]);
  }
  const renamed = new Set<string>();
  for (const [key, value] of after) {
    if (before.has(key)) continue;
    const old = gone.get(meaning(value))?.shift();
    if (old === undefined) continue;
    renamed.add(old).add(key);
  }
  return renamed;
}

/** Expectations that are others, or dropped. What was not expected before is no change of what was. */
function changedBaselines(
  before: GuardSnapshot['baselines'],
  after: GuardSnapshot['baselines'],
): GuardChange[] {
  const meaningOf = ({ verdict, hash }: BaselineMeaning) => `${verdict} ${hash}`;
  const movedFiles = renamedKeys(before, after, (expected) =>
    JSON.stringify([...expected].map(([name, one]) => [name, meaningOf(one)]).sort()),
  );
  return [...before].flatMap(([file, expected]) => {
    if (movedFiles.has(file)) return [];
    const now = after.get(file) ?? new Map<string, BaselineMeaning>();
    const renamed = renamedKeys(expected, now, meaningOf);
    return [...expected].flatMap(([name, from]): GuardChange[] => {
      const to = now.get(name);
      if (renamed.has(name) || (to && meaningOf(to) === meaningOf(from))) return [];
      const what = !to
        ? 'is no longer expected anything of'
        : to.verdict === from.verdict
          ? `is expected to ${to.verdict} as it asks now`
          : `was expected to ${from.verdict} and now to ${to.verdict}`;
      const key = `baseline ${file} ${name} ${to ? meaningOf(to) : ''}`;
      return [{ kind: 'baseline', key, text: `${name} ${what} (${file})` }];
    });
  });
}
