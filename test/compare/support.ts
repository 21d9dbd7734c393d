import { compareEvidence } from '../../source/compare/compare.js';
import { confirm, findSuspects } from '../../source/compare/confirm.js';
import { evidenceOf } from '../../source/compare/evidence.js';
import { type Decision, decide } from '../../source/compare/gate.js';
import type { Comparison, Evidence, Suspect } from '../../source/compare/types.js';
import type { CheckResult } from '../../source/grade/types.js';
import { noUsage } from '../../source/model/types.js';
import { defaultGate, type GateSettings } from '../../source/project/gate-settings.js';
import type { PlannedScenario } from '../../source/run/planned.js';
import type { RunTally } from '../../source/tally/types.js';
import {
  type Feed,
  feedOf,
  finished,
  plannedCondition,
  plannedScenario,
  runStarted,
} from '../tally/support.js';

/**
 * What the trials of one check say, a character each: `p` pass, `w` warn, `f` fail, `u` unknown, `e` error, and a judge's
 * score of 1 to 5, which passes from 3 on.
 */
export type Letters = string;

/** One scenario with one check, run under the candidate (`a`) and its base (`b`). */
export interface Situation {
  base: Letters;
  candidate: Letters;
  /** Trials of the confirmation. */
  again?: { base?: Letters; candidate?: Letters };
  check?: Partial<PlannedScenario['checks'][number]>;
  settings?: Partial<GateSettings>;
  /** The base is a file that knows the check by so many trials. */
  known?: { passed: number; of: number };
  /** Changes of one side that the trials cannot express. */
  edit?: (base: Evidence, candidate: Evidence) => void;
}

export interface Outcome {
  comparison: Comparison;
  suspects: Suspect[];
  decision: Decision;
  tally: RunTally;
}

export function outcomeOf(situation: Situation): Outcome {
  const settings: GateSettings = { ...defaultGate, minCoverage: 0, ...situation.settings };
  const scenario = plannedScenario('refund');
  scenario.checks = [{ id: 'c', type: 't', kind: 'hard', absolute: false, hash: 'h', ...situation.check }];
  const conditions = [plannedCondition('a'), plannedCondition('b')];
  const base = { kind: 'condition' as const, condition: 'b' };
  const feed = feedOf({
    ...runStarted([scenario], situation.candidate.length, conditions),
    base,
    judge: { model: 'judge', prompt: 'default@1', promptSha256: 'abc' },
  });
  playLetters(feed, 'a', situation.candidate);
  playLetters(feed, 'b', situation.base);
  for (const [condition, letters] of [
    ['a', situation.again?.candidate],
    ['b', situation.again?.base],
  ] as const) {
    if (letters === undefined) continue;
    const from = situation.candidate.length + 1;
    const to = from + letters.length - 1;
    const extension = { scenario: 'refund', condition, from, to, confirms: true as const };
    feed.tell({ type: 'plan-extended', at: 3000, ...extension });
    playLetters(feed, condition, letters, from);
  }
  feed.tell(finished());
  const from = evidenceOf(feed.tally, 'b');
  const to = evidenceOf(feed.tally, 'a');
  if (situation.known) {
    from.kind = 'baseline';
    const check = from.scenarios.get('refund')?.checks.get('c');
    if (check) Object.assign(check, situation.known);
  }
  situation.edit?.(from, to);
  const compared = compareEvidence(from, to, settings);
  const comparison = confirm(compared, settings);
  return {
    comparison,
    suspects: findSuspects(compared, settings),
    decision: decide(feed.tally, settings, comparison),
    tally: feed.tally,
  };
}

/** Plays the trials of the one check of `refund`. */
export function playLetters(feed: Feed, condition: string, letters: Letters, from = 1): void {
  const verdicts = { p: 'pass', w: 'warn', f: 'fail', u: 'unknown' } as const;
  for (const [index, letter] of [...letters].entries()) {
    const trial = { scenario: 'refund', condition, repeat: from + index };
    if (letter === 'e') {
      feed.errored(trial);
      continue;
    }
    const score = Number(letter);
    const isScore = !Number.isNaN(score);
    const result: CheckResult = {
      checkId: 'c',
      type: 't',
      kind: isScore ? 'judged' : 'hard',
      verdict: isScore ? (score >= 3 ? 'pass' : 'fail') : verdicts[letter as keyof typeof verdicts],
      reason: `it was ${letter}`,
      ...(isScore && { score }),
    };
    feed.tell({ type: 'trial-started', at: 2000, trial, attempt: 1 });
    feed.tell({ type: 'check-finished', at: 2001, trial, attempt: 1, result });
    feed.tell({
      type: 'trial-finished',
      at: 2002,
      trial,
      attempt: 1,
      end: { kind: 'completed' },
      unsent: [],
      ms: 1,
      tokens: { agent: { ...noUsage, input: 100 }, judge: noUsage },
    });
  }
}
