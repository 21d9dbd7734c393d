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
