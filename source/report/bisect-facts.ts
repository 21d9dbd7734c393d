import type { z } from 'zod';
import { sha256 } from '../base/hash.js';
import { candidateName } from '../bisect/candidate-prompt.js';
import type { RecordedTrial } from '../bisect/recorded-trials.js';
import type { BisectPurpose, PlannedEnd } from '../run/bisect-events.js';
import { activeTime } from '../tally/tally.js';
import { unifiedLines } from './bisect-diff.js';
import { digestBisect, type HunkStanding, type Narrowed } from './bisect-digest.js';
import type { FinishedBisect } from './bisect-finished.js';
import type { bisectSchema } from './bisect-schema.js';
import { findingFacts, numbers } from './finding-facts.js';
import { isSimulatedRun } from './run-facts.js';

type Facts = z.input<typeof bisectSchema>;

/** A bisect for machines: what `--json` prints and `--report FILE.json` writes. Hunks are counted from 1. */
export function bisectFacts(finished: FinishedBisect): Facts {
  const { record, tally, decision, journal, version, written } = finished;
  const { found } = tally;
  const { started, planned, trials } = record;
  const digest = digestBisect(record, found);
  const { narrowed, hunks, takenBack } = digest;
  const undone = record.undone();
  const { tokens } = tally;
  return {
    format: 1,
    evalrun: version,
    runId: started.runId,
    suite: started.suite,
    simulated: isSimulatedRun(started),
    exitCode: finished.exitCode ?? decision.exitCode,
    state: tally.state,
    stopReason: tally.stopReason ?? null,
    headline: found?.headline ?? decision.headline,
    reasons: [...(found?.reasons ?? decision.reasons)],
    finding: findingFacts(found?.finding),
    of: planned.of ?? null,
    good: endFacts(planned.good),
    bad: endFacts(planned.bad),
    model: started.plan.conditions[1]?.model ?? '',
    split: planned.split,
    strategy: digest.strategy,
    begunAs: planned.strategy,
    seed: started.seed,
    label: started.label ?? null,
    note: started.note ?? null,
    notes: digest.notes.map(({ hunk, text }) => ({ hunk: hunk ?? null, text })),
    watched: record.watched().map(({ scenario, check }) => ({ scenario, check: check ?? null })),
    ends: digest.ends,
    notThePrompt: digest.belief?.notThePrompt ?? null,
    hunks: hunks.map(hunkFacts),
    notTested: hunks.filter(({ isTested }) => !isTested).map(({ number }) => number),
    trials: trials.map((trial) => ({
      trial: trial.trial,
      candidate: trial.candidate,
      name: candidateName(planned, trial.candidate),
      purpose: purposeFacts(trial.purpose),
      outcome: trial.purpose.kind === 'suite' ? null : (record.outcomeOf(trial) ?? null),
      takenBack: undone.has(trial),
      conversations: trial.cells.map(conversationFacts),
    })),
    takenBack: { trials: takenBack?.trials ?? 0, shown: takenBack?.shown ?? [] },
    spent: {
      trials: digest.spent,
      budget: digest.budget,
      conversations: tally.trials.done,
      ms: activeTime(tally, tally.lastAt),
      tokens: {
        agent: { ...tokens.agent },
        judge: { ...tokens.judge },
        user: tokens.user ? { ...tokens.user } : null,
        agentPartial: tokens.isAgentPartial ?? false,
      },
    },
    narrowed: narrowed ? narrowedFacts(narrowed, planned.bad, written) : null,
    journal,
  };
}

function endFacts({ name, path, sha256, commit }: PlannedEnd): Facts['good'] {
  return { name, path, sha256, commit: commit ?? null };
}

function hunkFacts({ hunk, ...standing }: HunkStanding): Facts['hunks'][number] {
  const { id, kind, title, lineA, lineB, oldText, newText } = hunk;
  return {
    number: standing.number,
    id,
    kind,
    title,
    goodLine: lineA,
    badLine: lineB,
    old: oldText,
    new: newText,
    needs: standing.needs,
    belief: standing.belief ?? null,
    guilty: standing.isGuilty,
    tested: standing.isTested,
    applied: standing.applied,
    reverted: standing.reverted,
    alone: standing.alone,
    word: standing.word ?? null,
  };
}

function purposeFacts(purpose: BisectPurpose): Facts['trials'][number]['purpose'] {
  switch (purpose.kind) {
    case 'step':
      return { kind: purpose.kind, hunks: numbers([purpose.hunk]) };
    case 'confirm':
    case 'cure':
    case 'suite':
      return { kind: purpose.kind, hunks: numbers(purpose.hunks) };
    case 'ends':
    case 'search':
      return { kind: purpose.kind, hunks: [] };
  }
}

function conversationFacts({ key, state, checks }: RecordedTrial['cells'][number]) {
  return { ...key, state, checks: Object.fromEntries(checks) };
}

function narrowedFacts(
  { name, text, reverted, confirmation, cure, all, suite }: Narrowed,
  bad: PlannedEnd,
  written: string | undefined,
): NonNullable<Facts['narrowed']> {
  return {
    name,
    reverted,
    text,
    sha256: sha256(text),
    diff: unifiedLines(bad, { name, text }).join('\n'),
    confirmation,
    cure,
    all,
    suite: suite
      .filter(({ run }) => run > 0)
      .map(({ good, ...one }) => ({ ...one, ...(good && { good: { ...good } }) })),
    file: written ?? null,
  };
}
