import type { z } from 'zod';
import type { Clock } from '../base/clock.js';
import type { Json, JsonObject } from '../base/json.js';
import type { Usage } from '../model/types.js';
import type { Transcript } from '../play/types.js';
import type { CheckSpec, Profile, TurnSelector } from '../suite/types.js';

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

/** What a judge said once, as far as it was understood. */
export interface JudgeVerdict {
  model: string;
  /** `name@N` */
  prompt: string;
  score?: number;
  /** Whether the check passes by what it said. */
  pass?: boolean;
  /**
   * What it answered where it was asked for facts rather than for a verdict: `stated`, `refused`, or one member
   * for each thing to convey (`must_1`, `must_not_1`). `pass` follows from it.
   */
  answers?: Record<string, boolean>;
  reason: string;
  /** The answer as it came, kept where it could not be parsed. */
  raw?: string;
  /** It was given before, to the same question, and kept: no tokens were used. */
  cached?: true;
}

/** What the judge said of one check on one trial. */
export interface JudgeResult extends JudgeVerdict {
  /**
   * All verdicts, where more than one was asked for. The members of the result itself are then those of the
   * verdict that speaks for all, with their median as `score`.
   */
  verdicts?: JudgeVerdict[];
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
  judge?: JudgeResult;
  /** Tokens that the judge used. */
  judgeUsage?: Usage;
}

/** What a check may know of the scenario; a `Scenario` is one. */
export interface ScenarioFacts {
  id: string;
  tags: string[];
  tenant?: string;
  variables: Record<string, string | number | boolean>;
  profile?: Profile;
  history?: Json;
}

/** What a check may look at. */
export interface GradeContext {
  transcript: Transcript;
  /** The folder of the suite, absolute: files named by checks stand below it. */
  suiteFolder: string;
  /** Told to custom checks. */
  scenario?: ScenarioFacts;
  /** Asks the judge once. Not set: the suite names no judge, and judged checks are unknown. */
  askJudge?: AskJudge;
  /** Verdicts that each judged check asks for, see `verdictsPerTrial`. Default 1. */
  judgeVerdicts?: number;
  /** Which repeat of its scenario the trial is, from 1: a judge's cache tells verdicts of equal replies apart by it. */
  repeat?: number;
  /** The values that the product says it is tuned with. Not set: it gave none, and checks that need one are unknown. */
  tuning?: Json;
  /** Times custom checks. Default: the system's. */
  clock?: Clock;
  /** Environment of custom commands. Default: that of this process. */
  env?: Record<string, string | undefined>;
  /** Seed of this trial's judge draws. */
  seed: string;
  signal?: AbortSignal;
}

/** What the judge is to find out. */
export type JudgeTask =
  /** Ask for a score of 1 to 5, or for pass and fail. */
  | { kind: 'judge'; rubric: string; fact?: string; scale: 'score' | 'pass-fail' }
  /** Which of these things the replies convey, each one asked for by itself. */
  | { kind: 'conveys'; must: string[]; mustNot: string[]; may: string[]; fact?: string }
  /** Whether the replies state the claim. */
  | { kind: 'fact'; claim: string }
  /** Whether the agent refused what it was asked for. */
  | { kind: 'refusal' };

/** What the judge is given. All text from the conversation is fenced as data. */
export interface JudgeQuestion {
  task: JudgeTask;
  transcript: Transcript;
  on: TurnSelector;
  seed: string;
  /**
   * Number of this verdict among all that are asked of the scenario's trials, from 1. The cache never answers
   * one number with another's verdict.
   */
  index: number;
  signal?: AbortSignal;
}

export type AskJudge = (question: JudgeQuestion) => Promise<{ verdict: JudgeVerdict; usage: Usage }>;

/** A verdict as it is kept for later. */
export type CachedVerdict = Pick<JudgeVerdict, 'score' | 'pass' | 'answers' | 'reason'>;

/** Keeps verdicts by a key that names all that decides them. Neither function ever throws: a cache may forget. */
export interface JudgeCache {
  get(key: string): Promise<CachedVerdict | undefined>;
  set(key: string, value: CachedVerdict): Promise<void>;
}

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
  /** Where a check says itself whether it is hard or judged; `kind` is then the default. */
  kindOf?(args: Args): 'hard' | 'judged';
  /** Arguments that name code or files: never taken from what a product says of itself. */
  untunable?: readonly (keyof Args & string)[];
  /** What a judged check asks the judge for: the judge's prompt has to say how. */
  asksFor?: JudgeTask['kind'];
  /** What else the documentation has to say, a paragraph each, in Markdown. */
  notes?: readonly string[];
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
