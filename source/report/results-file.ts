import path from 'node:path';
import { writeFileAtomically } from '../base/atomic.js';
import { messageOf, UserError } from '../base/errors.js';
import { makeVisible } from '../base/text.js';
import type { Decision } from '../compare/gate.js';
import { cacheHitRate, effectiveInput, type Usage } from '../model/types.js';
import type { Condition } from '../run/planned.js';
import { countedTally } from '../tally/quarantine.js';
import { type Rate, scoresOf } from '../tally/scores.js';
import type { RunTally } from '../tally/types.js';
import { checkRate, checkVerdict } from '../tally/verdict.js';
import { isSimulatedRun } from './run-facts.js';

/** Version of the file's form; grows only when something is renamed or taken away. */
const formatVersion = 1;

/**
 * Writes the scores of a labelled run beside its suite, `results/<YYYYMMDD_HHMMSS>_<label>.yaml` below `suiteFolder`,
 * to keep in git: condition, scores in all, per axis and per tag, tokens, and what failed for which reason. The time is
 * that at which the run started, UTC. Gives the file; undefined where the run has no verdict: a run that was
 * interrupted or tainted has no scores to keep, and neither has a bisect. Throws UserError when it cannot be written.
 */
export async function writeResults(
  suiteFolder: string,
  tally: RunTally,
  decision: Decision,
  label: string,
): Promise<string | undefined> {
  if (decision.verdict === 'none' || decision.verdict === 'interrupted') return undefined;
  if (tally.started.purpose === 'bisect') return undefined;
  const file = path.join(suiteFolder, 'results', resultsFileName(tally.started.at, label));
  const { stringify } = await import('../base/yaml.js');
  const text = stringify(resultsOf(tally, decision, label), visibly, { lineWidth: 120 });
  try {
    await writeFileAtomically(file, text, 0o644);
  } catch (error) {
    const why = messageOf(error);
    throw new UserError(`the results cannot be kept in ${file}: ${why}`);
  }
  return file;
}

/** Every text as it is safe to show: YAML would write bidirectional and invisible characters as they are. */
function visibly(_key: unknown, value: unknown): unknown {
  return typeof value === 'string' ? makeVisible(value, { keepNewlines: true }) : value;
}

/** `20261130_142530_before-the-edit.yaml`: letters, digits, `.`, `_` and `-` of the label, whatever else it holds. */
export function resultsFileName(startedAt: number, label: string): string {
  const [date = '', time = ''] = new Date(startedAt).toISOString().split('T');
  const stamp = `${date.replaceAll('-', '')}_${time.slice(0, 8).replaceAll(':', '')}`;
  const safe = label
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  return `${stamp}_${Array.from(safe).slice(0, 60).join('') || 'run'}.yaml`;
}

function resultsOf(tally: RunTally, decision: Decision, label: string) {
  const { started } = tally;
  return {
    format: formatVersion,
    label,
    ...(started.note !== undefined && { note: started.note }),
    suite: started.suite,
    run: started.runId,
    started: new Date(started.at).toISOString(),
    ...(started.git && { commit: started.git.commit, dirty: started.git.dirty }),
    verdict: decision.headline,
    simulated: isSimulatedRun(started),
    repeat: started.plan.repeat,
    seed: started.seed,
    ...(started.judge && { judge: { model: started.judge.model, prompt: started.judge.prompt } }),
    conditions: tally.conditions
      .filter(({ standby }) => standby !== true)
      .map((condition) => conditionResults(tally, condition)),
    tokens: {
      agent: usageFacts(tally.tokens.agent),
      ...(tally.tokens.isAgentPartial && { agentReportedInPart: true }),
      ...(tally.tokens.user && { user: usageFacts(tally.tokens.user) }),
      judge: usageFacts(tally.tokens.judge),
    },
  };
}

function conditionResults(tally: RunTally, condition: Condition) {
  const { all, axes, tags, meanJudged } = scoresOf(tally, condition.id);
  const byName = <R extends Rate>(rates: readonly R[], name: (rate: R) => string) =>
    Object.fromEntries(rates.map((rate) => [name(rate), rateFacts(rate)]));
  return {
    prompt: condition.promptName,
    ...(condition.promptPath !== undefined && { promptPath: condition.promptPath }),
    ...(condition.promptSha256 !== undefined && { promptSha256: condition.promptSha256 }),
    model: condition.model,
    ...(condition.temperature !== undefined && { temperature: condition.temperature }),
    ...(condition.liveTools && { liveTools: true }),
    hash: condition.hash,
    scores: {
      all: rateFacts(all),
      ...(axes.length > 0 && { axes: byName(axes, ({ axis }) => axis) }),
      ...(tags.length > 0 && { tags: byName(tags, ({ tag }) => tag) }),
      ...(meanJudged !== undefined && { meanJudged: rounded(meanJudged) }),
    },
    failures: failuresOf(tally, condition),
  };
}

/** Checks that fail and count, with the reason of the first trial that did. */
function failuresOf(tally: RunTally, condition: Condition) {
  return countedTally(tally).rows.flatMap((row) => {
    const group = row.groups.find((one) => one.condition === condition.id);
    return Array.from(group?.checks ?? [], ([check, counts]) => ({ check, counts }))
      .filter(({ counts }) => checkVerdict(counts) === 'fail')
      .map(({ check, counts }) => ({
        scenario: row.scenario.id,
        check,
        ...checkRate(counts),
        reason: counts.why?.reason ?? '',
      }));
  });
}

function rateFacts({ passed, of, scenarios }: Rate) {
  return { passed, of, ...(of > 0 && { share: rounded(passed / of) }), scenarios };
}

function usageFacts(usage: Usage) {
  const rate = cacheHitRate(usage);
  return {
    ...usage,
    ...(rate !== undefined && { cacheHitRate: rounded(rate) }),
    effectiveInput: rounded(effectiveInput(usage)),
  };
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
