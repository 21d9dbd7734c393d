import type { ExitCode } from '../../base/errors.js';
import { attributionTrials } from '../../compare/attribute.js';
import { confirmationTrials } from '../../compare/confirm.js';
import { knownRange, knownText } from '../../compare/known.js';
import { knownTrials } from '../../compare/score.js';
import type { PlannedComparison } from '../../report/plan.js';
import type { CommandIo } from '../io.js';
import { tellNotes } from './notes.js';
import type { PlannedSuite } from './planned-run.js';

/** `--dry-run`: prints what would be run, on what, and what that would be compared with. */
export async function printPlans(
  isJson: boolean,
  planned: readonly PlannedSuite[],
  io: CommandIo,
): Promise<ExitCode> {
  const [{ planFacts, planLines }, { safeJson }, { plannedJudge, plannedUser }, { writeLines }] =
    await Promise.all([
      import('../../report/plan.js'),
      import('../../report/json.js'),
      import('../../run/parts.js'),
      import('./output.js'),
    ]);
  for (const { notes } of planned) tellNotes(notes, io);
  const plans = planned.map((one) => ({
    suite: one.prepared.suite,
    conditions: one.prepared.conditions.map(({ condition }) => condition),
    comparison: comparisonOf(one),
    judge: plannedJudge(one.prepared.judge),
    vendors: one.prepared.vendors,
    user: plannedUser(one.prepared.user),
    repeat: one.settings.repeat.value,
    concurrency: one.settings.concurrency.value,
    seed: one.settings.seed.value,
  }));
  if (isJson) {
    await writeLines(io.stdout, [safeJson({ plans: plans.map(planFacts) })]);
    return 0;
  }
  for (const plan of plans) await writeLines(io.stdout, planLines(plan), io.env);
  return 0;
}

/** What is compared with what, and how many trials that may take beside those that are planned. */
function comparisonOf({ prepared, gate, purpose }: PlannedSuite): PlannedComparison {
  const { base, baseline, conditions, suite } = prepared;
  const scenarios = suite.scenarios.length;
  const nothingMore = { trials: 0 };
  switch (purpose) {
    case 'aa':
      return { text: 'with itself: the noise floor of the suite', confirmation: nothingMore };
    case 'attribution':
      return {
        text: 'b with a, by what is stable under both',
        confirmation: {
          trials: scenarios * 2 * attributionTrials,
          rule: `scenarios with an attributed check run again, ${attributionTrials} trials a side`,
        },
      };
    case undefined:
  }
  if (!base) return { text: 'with nothing', confirmation: nothingMore };
  const isConfirmed = gate.confirm && gate.failOn.length > 0;
  const range = baseline && knownRange(baseline.evidence);
  const isKnown = range !== undefined && range.least >= knownTrials;
  const isBaseRun = base.condition !== undefined && !isKnown;
  const sides = isBaseRun ? 2 : 1;
  const condition = conditions.find(({ condition: { id } }) => id === base.condition)?.condition;
  const known = baseline && knownText(baseline.evidence);
  const name =
    base.kind === 'baseline'
      ? `${base.file} (${baseline?.evidence.condition.promptName}${known === undefined ? '' : `, known by ${known}`})`
      : `condition ${base.condition} (${condition?.promptName} on ${condition?.model}), run beside it`;
  return {
    text: `with ${name}`,
    confirmation: isConfirmed
      ? {
          trials: scenarios * sides * confirmationTrials,
          rule: `scenarios with a suspect run again, ${confirmationTrials} trials${isBaseRun ? ', and as many of the base' : ''}`,
        }
      : nothingMore,
  };
}
