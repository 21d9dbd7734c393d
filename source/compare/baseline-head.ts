import { contentHash } from '../base/hash.js';
import type { Baseline } from './baseline-schema.js';
import type { Evidence } from './types.js';

/** What is said of a whole run beside its evidence. */
export interface RunRemarks {
  /** Commit that the project stood at when the run was made. */
  commit?: string;
  /** The run whose conversations this one graded again: its trials are those of that run. */
  regradeOf?: string;
  note?: string;
}

/** In what a run differs from what a baseline was made with: names of parts, for people. */
export interface ConditionDifference {
  /** The agent or what it works with: nothing of the baseline can be added to. */
  agent: string[];
  /** The judge is another, and there is something to judge. */
  judge: boolean;
  /** The user is played by another, where a user is played. */
  user: boolean;
}

const partNames = [
  ['prompt', 'prompt'],
  ['model', 'model'],
  ['settings', 'settings'],
  ['tools', 'tools'],
  ['target', 'target'],
  ['liveTools', 'live tools'],
] as const;

export function differenceFrom(baseline: Baseline, evidence: Evidence): ConditionDifference {
  const { parts, answered, judge, user } = baseline.condition;
  const now = evidence.condition.parts;
  return {
    agent: [
      ...partNames.filter(([key]) => parts[key] !== now[key]).map(([, name]) => name),
      ...(differ(answered.models, evidence.answered.models) ? ['model that answered'] : []),
      ...(differ(answered.versions, evidence.answered.versions) ? ['version of the product'] : []),
    ],
    judge: evidence.judge !== undefined && judge !== undefined && differ(judge, judgeOf(evidence.judge)),
    user: evidence.user !== undefined && user !== undefined && differ(user, userOf(evidence.user)),
  };
}

function differ(a: unknown, b: unknown): boolean {
  return contentHash(a) !== contentHash(b);
}

/** The differences as words; none: the same condition. */
export function namesOfDifference({ agent, judge, user }: ConditionDifference): string[] {
  return [...agent, ...(judge ? ['judge'] : []), ...(user ? ['simulated user'] : [])];
}

/** What a whole run says at the top of the file. */
export function baselineHead(evidence: Evidence, run: RunRemarks): Omit<Baseline, 'runs' | 'scenarios'> {
  const { suite, runId, at, answered, judge, user, repeat, trials, cache, tokens } = evidence;
  return {
    suite,
    ...(run.note !== undefined && { note: run.note }),
    condition: {
      ...agentOf(evidence),
      answered: { models: [...answered.models], versions: [...answered.versions] },
      ...(judge && { judge: judgeOf(judge) }),
      ...(user && { user: userOf(user) }),
      parts: { ...evidence.condition.parts },
    },
    lastRun: {
      id: runId,
      at: `${new Date(at).toISOString().slice(0, 19)}Z`,
      ...(run.commit !== undefined && { commit: run.commit }),
      ...(run.regradeOf !== undefined && { regradeOf: run.regradeOf }),
      repeat,
      trials,
      cache,
      tokens: { ...tokens },
    },
  };
}

type Agent = Pick<Baseline['condition'], 'target' | 'model' | 'fixtures' | 'prompt' | 'settings'>;

function agentOf({ condition }: Evidence): Agent {
  const { target, model, liveTools, temperature, maxTokens, maxSteps } = condition;
  const { promptName, promptPath, promptSha256, promptCommit, promptDirty } = condition;
  const settings = {
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(maxSteps !== undefined && { maxSteps }),
  };
  const prompt = promptPath !== undefined &&
    promptSha256 !== undefined && {
      name: promptName,
      path: promptPath,
      sha256: promptSha256,
      ...(promptCommit !== undefined && { commit: promptCommit }),
      ...(promptDirty && { dirty: true as const }),
    };
  return {
    target,
    model,
    fixtures: liveTools ? 'live' : 'recorded',
    ...(prompt && { prompt }),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
}

function judgeOf({ model, prompt, promptSha256 }: NonNullable<Evidence['judge']>) {
  return { model, prompt, sha256: promptSha256 };
}

function userOf({ model, prompt }: NonNullable<Evidence['user']>) {
  return { model, prompt };
}
