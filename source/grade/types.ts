import type { z } from 'zod';
import type { JsonObject } from '../base/json.js';
import type { Usage } from '../model/types.js';
import type { Transcript } from '../play/types.js';
import type { CheckSpec, TurnSelector } from '../suite/types.js';

/** How one check ended on one trial. `warn` counts as passed and caps the check at warn. */
export type CheckVerdict = 'pass' | 'warn' | 'fail' | 'unknown';

/**
 * Where in the transcript the reason is seen. `turn` from 1. `part` is the index into the reply's parts,
 * `start` and `end` UTF-16 offsets into that part's text; without them the whole turn or part is meant.
 */
export interface Evidence {
  turn: number;
  part?: number;
  start?: number;
  end?: number;
}

/** What a judge said, as far as it was understood. */
export interface JudgeVerdict {
  model: string;
  /** `name@N` */
  prompt: string;
  score?: number;
  pass?: boolean;
  reason: string;
  /** The answer as it came, kept where it could not be parsed. */
  raw?: string;
}

/** What grading says of one check on one trial. */
export interface CheckResult {
  checkId: string;
  type: string;
  kind: 'hard' | 'judged';
  verdict: CheckVerdict;
  /** What was seen, in one sentence. Of a failed check: what was expected and what was there instead. */
  reason: string;
  /** Judged checks: 1 to 5. */
  score?: number;
  /** Shares of parts that were right, 0 to 1, by axis. */
  axes?: Record<string, number>;
  evidence?: Evidence[];
  judge?: JudgeVerdict;
  /** Tokens that the judge used. */
  judgeUsage?: Usage;
}

/** What a check may look at. */
export interface GradeContext {
  transcript: Transcript;
  /** The folder of the suite, absolute: files named by checks stand below it. */
  suiteFolder: string;
  /** Asks the judge once. Not set: the suite names no judge, and judged checks are unknown. */
  askJudge?: AskJudge;
  /** Seed of this trial's judge draws. */
  seed: string;
  signal?: AbortSignal;
}

/** What the judge is given. All text from the conversation is fenced as data. */
export interface JudgeQuestion {
  rubric: string;
  fact?: string;
  /** Ask for a score of 1 to 5, or for pass and fail. */
  scale: 'score' | 'pass-fail';
  transcript: Transcript;
  on: TurnSelector;
  seed: string;
  signal?: AbortSignal;
}

export type AskJudge = (question: JudgeQuestion) => Promise<{ verdict: JudgeVerdict; usage: Usage }>;

/** A check's outcome before the common parts (id, type, kind) are added. */
export type CheckOutcome = Omit<CheckResult, 'checkId' | 'type' | 'kind'>;

/** A mistake in one argument of a check. */
export interface ArgumentMistake {
  path: (string | number)[];
  message: string;
}

/**
 * One type of check: a family file exports its definitions, the registry lists them.
 * A new check type is one new file and one line in the registry.
 */
export interface CheckDefinition<Args extends object = JsonObject> {
  type: string;
  kind: 'hard' | 'judged';
  /** One sentence for docs and the editor. */
  summary: string;
  /** Of the arguments alone; strict. `id`, `type`, `on`, `absolute`, `axis` are common to all checks. */
  schema: z.ZodType<Args>;
  /** Arguments as they would be written, for the documentation. */
  example: JsonObject;
  /** Which turns it reads when `on` is not given; not set: it looks at the whole trial, and `on` means nothing to it. */
  defaultOn?: TurnSelector;
  /** One violation is a defect. */
  absoluteByDefault?: boolean;
  /** The part of the made-up id that tells this check from others of its type (`refund_order`, `full refund`). */
  mainArgument(args: Args): string;
  /**
   * Mistakes that a schema cannot see (a pattern that does not compile): a message and the path of the argument.
   * With `suiteFolder` (absolute) the files that the check names are read too.
   */
  validate?(args: Args, suiteFolder?: string): ArgumentMistake[];
  /** Never throws for what a transcript says. */
  grade(args: Args, context: GradeContext, spec: CheckSpec): CheckOutcome | Promise<CheckOutcome>;
}
