import { basename } from 'node:path';
import type { PlannedJudge, PlannedUser } from '../run/identity.js';
import type { Condition } from '../run/planned.js';
import type { Suite } from '../suite/types.js';
import { countOf, inline } from './format.js';
import { conditionTitle, isSimulatedModel, simulatedNotice, vendorNotice } from './run-facts.js';

/** What would be compared with what. */
export interface PlannedComparison {
  /** `with v14, …`; of plain words and names of files, not made safe yet. */
  text: string;
  /** Trials that it takes at most beside the planned ones, and after which rule. */
  confirmation: { trials: number; rule?: string };
}

/** What a run would do, for `--dry-run`. */
export interface PlannedRun {
  suite: Suite;
  conditions: Condition[];
  comparison: PlannedComparison;
  judge: PlannedJudge | undefined;
  /** Whose the models of gateways are, see `sameVendor`. */
  vendors?: Record<string, string> | undefined;
  user: PlannedUser | undefined;
  repeat: number;
  concurrency: number;
  seed: string | undefined;
}

/** A plan as lines. */
export function* planLines(plan: PlannedRun): Generator<string> {
  const { suite, conditions, comparison, judge, user, repeat } = plan;
  const trials = trialsOf(plan);
  const tried = conditions.filter(({ standby }) => standby !== true).length;
  yield `${inline(suite.name)}   ${countOf(trials, 'trial')}: ${countOf(suite.scenarios.length, 'scenario')} x ${countOf(tried, 'condition')} x ${repeat}   ${plan.concurrency} at once   seed ${inline(plan.seed ?? 'drawn at the start')}`;
  yield `  target      ${inline(targetText(suite, conditions))}`;
  for (const condition of conditions) {
    const { promptPath, promptSha256, promptDirty } = condition;
    const changed = promptDirty ? ', not committed' : '';
    const id = (conditions.length > 1 ? condition.id : '').padEnd(1);
    const only = condition.standby ? '   stands by for the confirmation' : '';
    const where = promptPath === undefined ? '' : `   ${promptPath} ${promptSha256?.slice(0, 12)}${changed}`;
    yield `  condition ${id} ${conditionTitle(condition)}${inline(where)}${only}`;
  }
  yield `  compared    ${inline(comparison.text)}`;
  const { trials: more, rule } = comparison.confirmation;
  if (rule !== undefined) yield `  confirmed   ${rule}: ${countOf(more, 'trial')} more at most`;
  if (judge) yield `  judge       ${inline(`${judge.prompt} on ${judge.model}`)}`;
  if (user)
    yield `  user        ${inline(`${user.model} plays the user of simulated turns (${user.prompt})`)}`;
  const vendor = judge && vendorNotice(conditions, judge.model, plan.vendors);
  if (vendor) yield `  ${vendor.text}`;
  if ([...conditions.map(({ model }) => model), judge?.model ?? '', user?.model ?? ''].some(isSimulatedModel))
    yield `  ${simulatedNotice}`;
  for (const scenario of suite.scenarios) {
    const tags = scenario.tags.length > 0 ? `   ${inline(scenario.tags.join(' '))}` : '';
    yield `  scenario    ${inline(scenario.id)}   ${countOf(scenario.turns.length, 'turn')}, ${countOf(scenario.checks.length, 'check')}${tags}`;
  }
}

function trialsOf({ suite, conditions, repeat }: PlannedRun): number {
  return suite.scenarios.length * conditions.filter(({ standby }) => standby !== true).length * repeat;
}

/** What is tested, and what answers its tool calls. */
function targetText({ target }: Suite, conditions: readonly Condition[]): string {
  switch (target.kind) {
    case 'prompt': {
      const isLive = conditions.some(({ liveTools }) => liveTools === true);
      const tools = target.tools.length === 0 ? 'no tools' : countOf(target.tools.length, 'tool');
      return `prompt, ${tools}${target.tools.length === 0 ? '' : isLive ? ', called for real' : ', answered by fixtures'}`;
    }
    case 'http':
      return `http, a product at ${target.baseURL}`;
    case 'command':
      return `command, ${target.command.join(' ')}`;
    case 'module':
      return `module, ${basename(target.file)}`;
  }
}

/** The same for machines. */
export function planFacts(plan: PlannedRun) {
  const { suite, conditions, comparison, judge, user, repeat, concurrency, seed } = plan;
  return {
    suite: suite.name,
    target: suite.target.kind,
    liveTools: conditions.some(({ liveTools }) => liveTools === true),
    trials: trialsOf(plan),
    compared: comparison.text,
    confirmationTrials: comparison.confirmation.trials,
    repeat,
    concurrency,
    seed: seed ?? null,
    conditions,
    judge: judge ?? null,
    user: user ?? null,
    scenarios: suite.scenarios.map(({ id, hash, tags, turns, checks }) => ({
      id,
      hash,
      tags,
      turns: turns.length,
      checks: checks.map((check) => check.id),
    })),
  };
}
