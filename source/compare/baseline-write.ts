import path from 'node:path';
import type { Document, Pair, Scalar, YAMLMap } from 'yaml';
import { writeFileAtomically } from '../base/atomic.js';
import { normaliseText, readTextFile } from '../base/document.js';
import { isJsonObject, type Json, type JsonObject } from '../base/json.js';
import { makeFolder } from '../base/make-folder.js';
import type { Baseline, BaselineCheck, BaselineScenario, Superseded } from './baseline-schema.js';

const about = `# What this suite is known to do under one condition. Written by evalrun baseline save, one criterion by evalrun
# baseline bless; comments stay.
`;

/**
 * The text of a baseline file. `before` is what the file holds now, if it is there: what a person wrote beside the
 * values stays, and a baseline that says the same gives the same text. `schema`: where editors find the schema.
 */
export async function baselineText(baseline: Baseline, before?: string, schema?: string): Promise<string> {
  const yaml = await import('../base/yaml.js');
  const old = before === undefined ? undefined : normaliseText(before);
  const document: Document =
    old === undefined ? new yaml.Document({}) : yaml.parseDocument(old, { schema: 'core' });
  const contents = yaml.isMap(document.contents) ? document.contents : undefined;
  document.contents = writeMap(yaml, contents, plain(baseline), []) as typeof document.contents;
  const text = document.toString({ lineWidth: 0, flowCollectionPadding: false });
  if (old !== undefined) return text;
  const editor = schema === undefined ? '' : `# yaml-language-server: $schema=${schema}\n`;
  return `${editor}${about}${text}`;
}

/** Writes a baseline file, and says whether anything in it changed. Missing folders are made. */
export async function writeBaseline(file: string, baseline: Baseline, schema?: string): Promise<boolean> {
  const { text: before } = await readTextFile(file, file);
  const text = await baselineText(baseline, before, schema);
  if (text === before) return false;
  // The folder is for everyone who reads the project, unlike those that writing atomically makes.
  await makeFolder(path.dirname(file));
  await writeFileAtomically(file, text, 0o644);
  return true;
}

/** The baseline with its keys in the order of the file: scenarios and checks by id, the rest as it is read best. */
function plain(baseline: Baseline): JsonObject {
  const { suite, note, condition, lastRun, runs, scenarios } = baseline;
  const { target, model, fixtures, prompt, settings, answered, judge, user, parts } = condition;
  const { id, at, commit, regradeOf, repeat, trials, cache, tokens } = lastRun;
  return known({
    suite,
    note,
    condition: known({
      target,
      model,
      fixtures,
      prompt: prompt && known({ ...prompt }),
      settings: settings && known({ ...settings }),
      answered: { ...answered },
      judge: judge && { ...judge },
      user: user && { ...user },
      parts: sorted(parts),
    }),
    lastRun: known({ id, at, commit, regradeOf, repeat, trials, cache, tokens: known({ ...tokens }) }),
    runs: [...runs].sort(),
    scenarios: sortedBy(scenarios, plainScenario),
  });
}

function plainScenario({
  hash,
  parts,
  simulatedUser,
  usage,
  runs,
  checks,
  history,
}: BaselineScenario): JsonObject {
  return known({
    hash,
    parts: { ...parts },
    simulatedUser,
    usage: usage && { ...usage },
    runs: runs && runs.length > 0 ? [...runs].sort() : undefined,
    checks: sortedBy(checks, plainCheck),
    history: history && history.length > 0 ? history.map(plainSuperseded) : undefined,
  });
}

function plainCheck(check: BaselineCheck): JsonObject {
  const {
    verdict,
    passed,
    of,
    score,
    scores,
    axes,
    type,
    axis,
    absolute,
    hash,
    rubric,
    known: why,
    condition,
  } = check;
  return known({
    verdict,
    passed,
    of,
    score,
    scores: scores && sortedBy(scores, (trials) => trials),
    axes: axes && sortedBy(axes, (rate) => [...rate]),
    type,
    axis,
    absolute,
    hash,
    rubric,
    condition,
    known: why,
  });
}

function plainSuperseded({ check, was, how, reason, by, at, run, prompt, commit }: Superseded): JsonObject {
  return known({
    check,
    was: was && plainExpectation(was),
    how,
    reason,
    by,
    at,
    run,
    prompt,
    commit,
  });
}

function plainExpectation({ verdict, passed, of, score, hash }: NonNullable<Superseded['was']>): JsonObject {
  return known({ verdict, passed, of, score, hash });
}

function known(members: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject;
}

function sorted(members: Record<string, Json | undefined>): JsonObject {
  return sortedBy(members, (value) => value ?? null);
}

function sortedBy<T>(members: Record<string, T>, toPlain: (member: T) => Json): JsonObject {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([key, value]) => [key, toPlain(value)]),
  );
}

type Yaml = typeof import('../base/yaml.js');

/** Maps and lists that stand on one line: a change of one of them is then a change of one line. */
function isOneLine(steps: readonly string[]): boolean {
  const [top, second, third] = steps;
  switch (top) {
    case 'condition':
      return steps.length > 1 && second !== 'prompt';
    case 'lastRun':
      return steps.length > 2;
    case 'scenarios':
      if (third === 'checks') return steps.length > 3;
      if (third === 'history') return steps.length > 4;
      return third === 'parts' || third === 'usage';
    default:
      return false;
  }
}

/** A map that holds exactly these members, in this order; what is kept of `old` keeps its comments and its style. */
function writeMap(
  yaml: Yaml,
  old: YAMLMap | undefined,
  wanted: JsonObject,
  steps: readonly string[],
): YAMLMap {
  const map = old ?? new yaml.YAMLMap();
  if (!old) map.flow = isOneLine(steps);
  const there = new Map<string, Pair>();
  for (const pair of map.items) there.set(String(yaml.isScalar(pair.key) ? pair.key.value : pair.key), pair);
  map.items = Object.entries(wanted).map(([key, value]) => {
    const pair = there.get(key);
    const node = writeValue(yaml, pair?.value, value, [...steps, key]);
    // Ids are texts, whatever they look like; scores are numbers.
    const isScore = steps[0] === 'scenarios' && steps[2] === 'checks' && steps[4] === 'scores';
    if (!pair) return new yaml.Pair(new yaml.Scalar(isScore ? Number(key) : key), node);
    pair.value = node;
    return pair;
  });
  return map;
}

function writeValue(yaml: Yaml, old: unknown, wanted: Json, steps: readonly string[]): unknown {
  if (isJsonObject(wanted)) return writeMap(yaml, yaml.isMap(old) ? old : undefined, wanted, steps);
  if (Array.isArray(wanted)) {
    const list = yaml.isSeq(old) ? old : new yaml.YAMLSeq();
    if (list !== old) list.flow = isOneLine(steps) || wanted.length === 0;
    else if (wanted.length > 0 && list.items.length === 0) list.flow = isOneLine(steps);
    const scalars = new Map(list.items.flatMap((item) => (yaml.isScalar(item) ? [[item.value, item]] : [])));
    list.items = wanted.map((item, index) =>
      typeof item === 'object'
        ? writeValue(yaml, list.items[index], item, [...steps, String(index)])
        : (scalars.get(item) ?? new yaml.Scalar(item)),
    );
    return list;
  }
  if (!yaml.isScalar(old)) return new yaml.Scalar(wanted);
  const scalar: Scalar = old;
  if (scalar.value === wanted) return scalar;
  // A style that the old value needed need not fit the new one.
  const fresh = new yaml.Scalar(wanted);
  if (scalar.comment) fresh.comment = scalar.comment;
  if (scalar.commentBefore) fresh.commentBefore = scalar.commentBefore;
  return fresh;
}
