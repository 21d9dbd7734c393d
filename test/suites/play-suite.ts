import { join } from 'node:path';
import { systemClock } from '../../source/base/clock.js';
import { gradeTrial } from '../../source/grade/grade.js';
import { createJudge } from '../../source/grade/judge/ask.js';
import { loadJudgePrompt } from '../../source/grade/judge/prompt.js';
import { checkCatalogue } from '../../source/grade/registry.js';
import type { AskJudge, CheckResult } from '../../source/grade/types.js';
import { openModel } from '../../source/model/models.js';
import type { ChatModel } from '../../source/model/types.js';
import { playTrial } from '../../source/play/trial.js';
import type { Transcript } from '../../source/play/types.js';
import { loadProject, type Project } from '../../source/project/config.js';
import { trialSeed } from '../../source/run/plan.js';
import { loadSuite } from '../../source/suite/load.js';
import type { PromptTargetSpec, Scenario, Suite } from '../../source/suite/types.js';
import { checkVerdict, worstVerdict } from '../../source/tally/verdict.js';
import { createPromptTarget } from '../../source/target/prompt.js';

/** The top of this repository, which is itself a project with suites. */
export const root = join(import.meta.dirname, '../..');

const env = { EVALRUN_SIMULATED_LATENCY: '0' };

/** A shipped suite with everything that its trials need. */
export interface OpenSuite {
  project: Project;
  suite: Suite;
  target: PromptTargetSpec;
  model: ChatModel;
  askJudge: AskJudge | undefined;
}

export async function openSuite(name: string): Promise<OpenSuite> {
  const project = await loadProject({ cwd: root, env });
  const suite = await loadSuite(project, name, checkCatalogue);
  const { target } = suite;
  if (target.kind !== 'prompt') throw new Error(`${name} tests no prompt`);
  const open = (reference: string) =>
    openModel(project.config.models[reference] ?? reference, {
      simulatedFolder: join(root, 'simulated'),
      clock: systemClock,
      env,
    });
  const model = await open(target.model);
  const { judge } = suite;
  if (judge === undefined) return { project, suite, target, model, askJudge: undefined };
  const prompt = await loadJudgePrompt(judge.prompt, [join(root, 'judges')]);
  const askJudge = createJudge({
    model: await open(judge.model),
    promptName: prompt.name,
    promptText: prompt.text,
  });
  return { project, suite, target, model, askJudge };
}

/** One trial with the draws that a run of that seed has. */
export async function playOnce(
  { suite, target, model, askJudge }: OpenSuite,
  scenario: Scenario,
  system: string,
  { seed, repeat }: { seed: string; repeat: number },
): Promise<{ transcript: Transcript; results: CheckResult[] }> {
  const trial = trialSeed(seed, suite.name, scenario.id, repeat);
  const { transcript } = await playTrial({
    target: createPromptTarget({ model, system, tools: target.tools, settings: target.settings }),
    scenario,
    seed: trial,
    maxTurns: suite.limits.maxTurns,
    clock: systemClock,
    signal: new AbortController().signal,
    onProgress: () => {},
    onTurn: () => {},
  });
  const context = {
    transcript,
    suiteFolder: suite.folder,
    seed: `${trial}/judge`,
    ...(askJudge && { askJudge }),
  };
  return { transcript, results: await gradeTrial(scenario.checks, context, () => {}) };
}

/** What three trials a scenario say: its verdict and the reasons of what did not pass, by the id of the scenario. */
export async function verdictsOf(
  open: OpenSuite,
  system: string,
  seed: string,
  scenarios: readonly Scenario[] = open.suite.scenarios,
): Promise<Map<string, { verdict: string; reasons: string[] }>> {
  const rows = new Map<string, { verdict: string; reasons: string[] }>();
  for (const scenario of scenarios) {
    const counts = new Map<
      string,
      { pass: number; warn: number; fail: number; unknown: number; error: number }
    >();
    const reasons: string[] = [];
    for (let repeat = 1; repeat <= 3; repeat++) {
      const { results } = await playOnce(open, scenario, system, { seed, repeat });
      for (const { checkId, verdict, reason } of results) {
        const count = counts.get(checkId) ?? { pass: 0, warn: 0, fail: 0, unknown: 0, error: 0 };
        count[verdict]++;
        counts.set(checkId, count);
        if (verdict !== 'pass') reasons.push(`${checkId}: ${reason}`);
      }
    }
    const verdict = worstVerdict([...counts.values()].map(checkVerdict));
    rows.set(scenario.id, { verdict: verdict ?? 'none', reasons });
  }
  return rows;
}

/** Ids of the rows with a verdict, sorted. */
export function idsWith(rows: ReadonlyMap<string, { verdict: string }>, verdict: string): string[] {
  return [...rows]
    .filter(([, row]) => row.verdict === verdict)
    .map(([id]) => id)
    .sort();
}
