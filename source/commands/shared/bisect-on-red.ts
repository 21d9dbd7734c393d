import path from 'node:path';
import { UserError } from '../../base/errors.js';
import { listed, quote } from '../../base/quote.js';
import { spentTrials } from '../../bisect/session.js';
import { isSameChoice } from '../../bisect/watched.js';
import { elsewhere } from '../../compare/elsewhere.js';
import { candidateOf, type Judgement } from '../../compare/judge-run.js';
import { regressionsOf } from '../../compare/regressions.js';
import type { Project } from '../../project/config.js';
import { logsFolder } from '../../project/paths.js';
import type { PromptVersion } from '../../project/prompts.js';
import type { RunSettings } from '../../project/run-settings.js';
import { differencesText } from '../../report/changes.js';
import { countOf } from '../../report/format.js';
import type { Watched } from '../../run/bisect-events.js';
import { bisectsOf, type KnownBisect } from '../../run/bisects-of.js';
import type { Condition } from '../../run/planned.js';
import { findRuns } from '../../run/runs.js';
import { promptOf } from '../../suite/target.js';
import type { Suite } from '../../suite/types.js';
import type { RunTally } from '../../tally/types.js';
import type { CommandIo } from '../io.js';
import { sidesOf } from './bisect-elsewhere.js';
import { driveBisect, endedBisect } from './bisect-headless.js';
import { readRecord } from './bisect-journal.js';
import { promptOfThen } from './choose-base.js';
import { loadWithFixtures } from './choose-suite.js';
import { readJudging } from './judging.js';
import { makeBisect, reopenBisect } from './make-bisect.js';
import { tellNotes } from './notes.js';
import { prepareBisect } from './prepare-bisect.js';

/** What `--bisect-on-red` says of the bisects that follow a red gate. */
export interface OnRed {
  /** Trials of all of them together. */
  budget: number;
  settings: RunSettings;
  /** Standard output is for JSON alone. */
  isJson: boolean;
  /** The words of the line, for the journals. */
  line: readonly string[];
}

/** A run that has ended, and what was said of it. */
export interface JudgedRun extends Pick<Judgement, 'decision' | 'comparison'> {
  tally: RunTally;
  folder: string;
}

/** Trials of all bisects of a run, where the line does not say. */
export const budgetOnRed = 200;

/** Both ends are measured twice: with less nothing is found. */
const leastBudget = 5;

/** Why there is nothing that could be bisected: the end of a sentence for a person. */
class Unbisectable extends Error {}

/**
 * Where the gate went red, bisects each scenario that regressed, all of its regressed criteria as one outcome, one scenario
 * after another. The budget is shared: each gets its part of what those before it left. What was found stands in the
 * journals of the bisects, which name the run; that something cannot be bisected, or that a bisect was interrupted, is told
 * on standard error and changes nothing of what the gate says.
 */
export async function bisectOnRed(
  run: JudgedRun,
  onRed: OnRed,
  project: Project,
  io: CommandIo,
): Promise<void> {
  if (run.decision.verdict !== 'fail') return;
  try {
    await bisectAll(run, onRed, project, io);
  } catch (error) {
    if (!(error instanceof UserError) && !(error instanceof Unbisectable)) throw error;
    tellNotes([`note: not bisected: ${error.message}`], io);
  }
}

async function bisectAll(run: JudgedRun, onRed: OnRed, project: Project, io: CommandIo): Promise<void> {
  const scenarios = scenariosOf(run);
  const { fixtures } = run.tally.started;
  const folder = fixtures === undefined ? undefined : path.resolve(project.root, fixtures);
  const suite = await loadWithFixtures(project, run.tally.started.suite, folder);
  const ends = await endsOf(run, suite, project, io);
  const before = await bisectsOf(run.folder);
  let left = onRed.budget;
  tellNotes([planNote(scenarios, ends, left)], io);
  for (const [index, watched] of scenarios.entries()) {
    const [name = ''] = watched.map(({ scenario }) => scenario);
    const known = before.findLast((one) => isSameChoice(one.watched, watched));
    if (known?.state === 'done') {
      left = Math.max(0, left - (await spentOn(known)));
      continue;
    }
    const budget = Math.floor(left / (scenarios.length - index));
    if (!known && budget < leastBudget) {
      tellNotes([`note: ${quote(name)} is not bisected: ${countOf(budget, 'trial')} would find nothing`], io);
      continue;
    }
    const options = { settings: seeded(onRed.settings, run.tally, name), isAttended: false };
    const open = async () => {
      if (known) return reopenBisect({ ...known, suite: suite.name }, options, project, io);
      const prepared = await prepareBisect(project, suite, choiceOf(run, ends, watched, budget), io.env);
      const facts = { ...options, line: onRed.line, ...(fixtures !== undefined && { fixtures }) };
      return makeBisect(prepared, facts, project, io);
    };
    if (!onRed.isJson) io.stdout.write('\n');
    const opened = await driveBisect(open, { isJson: onRed.isJson }, io);
    left = Math.max(0, left - spentTrials(opened.record.session()));
    if (endedBisect(opened, project, io).decision.verdict !== 'interrupted') continue;
    tellNotes(interruptedNotes(opened.run.runId, scenarios.slice(index + 1), run, io), io);
    return;
  }
}

/** Trials that one of before took; of one that cannot be read it is not known. */
async function spentOn({ journal }: KnownBisect): Promise<number> {
  const read = await readRecord(journal).catch(() => undefined);
  return read ? spentTrials(read.record.session()) : 0;
}

/** Regressed criteria by scenario. Throws Unbisectable where there are none. */
function scenariosOf({ decision, comparison }: JudgedRun): Watched[][] {
  if (!comparison)
    throw new Unbisectable('nothing was compared, so no prompt is known that passes; --baseline names one');
  const byScenario = new Map<string, Watched[]>();
  for (const key of regressionsOf(decision, comparison))
    byScenario.set(key.scenario, [...(byScenario.get(key.scenario) ?? []), key]);
  if (byScenario.size === 0)
    throw new Unbisectable('what blocks is no criterion that passed before and fails now');
  return [...byScenario.values()];
}

interface Ends {
  good: PromptVersion;
  bad: PromptVersion;
  candidate: Condition;
}

/** The prompts as they were run. Throws Unbisectable where one cannot be had, and where they are the same. */
async function endsOf(
  { tally, comparison, folder }: JudgedRun,
  suite: Suite,
  project: Project,
  io: CommandIo,
): Promise<Ends> {
  const base = comparison?.base.condition;
  const id = candidateOf(tally);
  const candidate = tally.conditions.find((one) => one.id === id);
  if (!comparison || !base || !candidate) throw new Unbisectable('nothing was compared');
  if (promptOf(suite) === undefined || candidate.promptSha256 === undefined)
    throw new Unbisectable(`the suite ${quote(suite.name)} names no prompt, so there are no words to bisect`);
  if (base.promptSha256 === candidate.promptSha256)
    throw new Unbisectable(
      `the prompt is the same on both sides; ${await othersText(tally, folder, project, io)}`,
    );
  const [good, bad] = [
    await asItWas(base, suite, project, 'what it was compared with'),
    await asItWas(candidate, suite, project, 'the candidate'),
  ];
  return { good, bad, candidate };
}

/** What differs where the prompt does not. */
async function othersText(
  tally: RunTally,
  folder: string,
  project: Project,
  { env }: CommandIo,
): Promise<string> {
  const places = await findRuns(logsFolder(project, env));
  const sides = await sidesOf(tally, (await readJudging(folder, project, env)).baseline, places);
  const differences = sides ? elsewhere(sides.base, sides.candidate, []) : [];
  return differences.length === 0
    ? 'nothing that is recorded differs'
    : `what differs: ${differencesText({ differences })}`;
}

async function asItWas(
  then: Condition,
  suite: Suite,
  project: Project,
  whose: string,
): Promise<PromptVersion> {
  const prompt = await promptOfThen(project, suite, then);
  if (prompt) return prompt;
  const { promptPath, promptCommit } = then;
  if (promptPath === undefined) throw new Unbisectable(`${whose} was given no prompt`);
  const commit = promptCommit === undefined ? '' : `, and so does commit ${promptCommit.slice(0, 8)}`;
  throw new Unbisectable(
    `the prompt of ${whose} cannot be had any more: ${quote(promptPath)} says something else today${commit}`,
  );
}

function choiceOf(
  { tally }: JudgedRun,
  { good, bad, candidate }: Ends,
  watched: readonly Watched[],
  budget: number,
): Parameters<typeof prepareBisect>[2] {
  return {
    good,
    bad,
    watched,
    split: 'hunk',
    strategy: 'auto',
    repeats: undefined,
    budget,
    // The rest of the suite on the narrowed prompt would be beside the budget.
    skipsCure: true,
    model: candidate.model,
    liveTools: candidate.liveTools === true,
    of: tally.started.runId,
  };
}

/** Other draws than those that raised the flag, and the same ones when all of it is done again. */
function seeded(settings: RunSettings, { started }: RunTally, scenario: string): RunSettings {
  return { ...settings, seed: { ...settings.seed, value: `${started.seed} bisect ${scenario}` } };
}

function planNote(scenarios: readonly Watched[][], { good, bad }: Ends, budget: number): string {
  const ids = scenarios.map(([first]) => quote(first?.scenario ?? ''));
  const shared = scenarios.length > 1 ? `, shared by ${scenarios.length}` : '';
  return `note: the gate is red: bisecting ${good.name} → ${bad.name} by ${listed(ids, 'and')}, within ${countOf(budget, 'trial')}${shared}`;
}

function interruptedNotes(
  runId: string,
  left: readonly Watched[][],
  { tally }: JudgedRun,
  { program }: CommandIo,
): string[] {
  const ids = left.map(([first]) => quote(first?.scenario ?? ''));
  return [
    `note: the bisect was interrupted; go on with: ${program} bisect --resume ${runId}`,
    ...(ids.length > 0
      ? [
          `note: not bisected yet: ${listed(ids, 'and')}; all that is left is done by: ${program} run --resume ${tally.started.runId} --bisect-on-red`,
        ]
      : []),
  ];
}
