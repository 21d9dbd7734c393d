import { addUsage, ModelError, noUsage, type Usage } from '../../model/types.js';
import type { CheckSpec } from '../../suite/types.js';
import { oneLine } from '../quote.js';
import { allTogether } from '../together.js';
import { hasNoText, nothingToRead, selectTurns, undecided } from '../turns.js';
import type {
  AskJudge,
  CheckOutcome,
  CheckVerdict,
  GradeContext,
  JudgeQuestion,
  JudgeResult,
  JudgeTask,
  JudgeVerdict,
} from '../types.js';
import { majority, medianVerdict } from './verdicts.js';

/** What a judged check makes of the judge. */
export interface JudgedCheck {
  task: JudgeTask;
  /** With a score: at least this one passes. */
  minScore?: number | undefined;
  /** Whether a verdict passes; undefined where it lacks what was asked for. Not used with a score. */
  passes(verdict: JudgeVerdict): boolean | undefined;
  /** Says what of a verdict decided, before the judge's own reason. */
  explain?(verdict: JudgeVerdict): string;
  /** It passes because of something that is not said, so a reply without text leaves it unknown. */
  isAbsence?: boolean;
}

/** Characters of a judge's reason that the check's own reason repeats; the verdict keeps all of it. */
const longestReason = 600;

/** Asks the judge as often as the trial needs, and makes one outcome of its verdicts. */
export async function gradeByJudge(
  check: JudgedCheck,
  context: GradeContext,
  spec: CheckSpec,
): Promise<CheckOutcome> {
  const { askJudge } = context;
  if (!askJudge) return { verdict: 'unknown', reason: 'the suite names no judge' };
  const on = spec.on ?? 'replies';
  const selection = selectTurns(context.transcript, on);
  if (selection.open) return undecided(selection.open);
  // No judge is asked about nothing: it would find nothing wrong with it.
  const [first] = selection.turns;
  if (!first || selection.turns.every(hasNoText))
    return first ? nothingToRead(first) : { verdict: 'unknown', reason: 'there is no turn to read' };

  const count = context.judgeVerdicts ?? 1;
  const before = ((context.repeat ?? 1) - 1) * count;
  const answers = await allTogether(
    Array.from({ length: count }, (_, at) => (signal: AbortSignal) => {
      const seed = `${context.seed}/judge/${spec.id}`;
      return askOrExplain(askJudge, {
        task: check.task,
        transcript: context.transcript,
        on,
        seed: at === 0 ? seed : `${seed}/${at + 1}`,
        index: before + at + 1,
        signal,
      });
    }),
    context.signal,
  );
  const judgeUsage = answers.reduce((sum, { usage }) => addUsage(sum, usage), noUsage);
  const verdicts = answers.map(({ verdict }) => verdict && withPass(check, verdict));
  const outcome = combine(check, verdicts, answers.find(({ why }) => why !== undefined)?.why);
  const used = outcome.judge ? { judgeUsage } : {};
  const empty = check.isAbsence ? selection.turns.find(hasNoText) : undefined;
  if (empty && outcome.verdict === 'pass') return { ...outcome, ...nothingToRead(empty), ...used };
  const evidence = on === 'replies' ? [] : selection.turns.map((turn) => ({ turn: turn.index }));
  return { ...outcome, ...(outcome.judge && { evidence }), ...used };
}

/** Pass and score as the check takes them, so that a reader of the verdict need not know the check. */
function withPass(check: JudgedCheck, verdict: JudgeVerdict): JudgeVerdict {
  if (check.minScore !== undefined) return verdict;
  const pass = check.passes(verdict);
  const { pass: _said, ...rest } = verdict;
  return pass === undefined ? rest : { ...rest, pass };
}

function combine(
  check: JudgedCheck,
  verdicts: readonly (JudgeVerdict | undefined)[],
  whyNot: string | undefined,
): CheckOutcome {
  const { minScore } = check;
  const { verdict, score } =
    minScore === undefined
      ? { verdict: majority(verdicts.map((one) => one?.pass)) }
      : medianVerdict(
          verdicts.map((one) => one?.score),
          minScore,
        );
  const given = verdicts.filter((one) => one !== undefined);
  const speaker = speakerOf(check, given, verdict, score);
  if (!speaker) return { verdict: 'unknown', reason: whyNot ?? 'the judge gave no verdict' };
  const judge: JudgeResult = verdicts.length === 1 ? speaker : { ...speaker, verdicts: given };
  if (verdicts.length > 1) {
    if (score !== undefined) judge.score = score;
    if (verdict === 'unknown') {
      delete judge.score;
      delete judge.pass;
    }
  }
  return {
    verdict,
    reason: `${headOf(check, verdicts, verdict, score)}${whatDecided(check, speaker, verdict, whyNot)}`,
    ...(score !== undefined && { score }),
    judge,
  };
}

/** The verdict whose reason stands for all: one that says what they say together, nearest to their score. */
function speakerOf(
  check: JudgedCheck,
  given: readonly JudgeVerdict[],
  verdict: CheckVerdict,
  score: number | undefined,
): JudgeVerdict | undefined {
  if (verdict === 'unknown') return given.find((one) => valueIn(check, one) === undefined) ?? given[0];
  const agrees = (one: JudgeVerdict) =>
    check.minScore === undefined
      ? one.pass === (verdict === 'pass')
      : one.score !== undefined && one.score >= check.minScore === (verdict === 'pass');
  const distance = (one: JudgeVerdict) => Math.abs((one.score ?? 0) - (score ?? 0));
  return given.filter(agrees).sort((a, b) => distance(a) - distance(b))[0] ?? given[0];
}

function valueIn(check: JudgedCheck, verdict: JudgeVerdict | undefined): number | boolean | undefined {
  return check.minScore === undefined ? verdict?.pass : verdict?.score;
}

/** `2 of 5, needs 3: `, or of several verdicts `3 verdicts: 2, 2, 3 → median 2, needs 3: `. */
function headOf(
  check: JudgedCheck,
  verdicts: readonly (JudgeVerdict | undefined)[],
  verdict: CheckVerdict,
  score: number | undefined,
): string {
  const needs = check.minScore === undefined || verdict !== 'fail' ? '' : `, needs ${check.minScore}`;
  if (verdicts.length === 1) return score === undefined ? '' : `${score} of 5${needs}: `;
  const each = verdicts.map((one) => {
    const value = valueIn(check, one);
    return value === undefined ? '?' : value === true ? 'pass' : value === false ? 'fail' : String(value);
  });
  const together =
    verdict === 'unknown' ? 'cannot be decided' : score === undefined ? verdict : `median ${score}${needs}`;
  return `${verdicts.length} verdicts: ${each.join(', ')} → ${together}: `;
}

function whatDecided(
  check: JudgedCheck,
  speaker: JudgeVerdict,
  verdict: CheckVerdict,
  whyNot: string | undefined,
): string {
  const why = oneLine(speaker.reason, longestReason) || 'the judge gave no reason';
  if (verdict === 'unknown') return valueIn(check, speaker) === undefined ? why : (whyNot ?? why);
  const what = check.explain?.(speaker) ?? '';
  return what === '' ? why : `${what}: ${why}`;
}

/**
 * Asks the judge; `why` says why it could not be asked. Only errors that lie in the question itself are taken as
 * that: a conversation that is too long for the judge, or that its provider refuses to process. Every other
 * ModelError (a key, a rate limit, the network) says nothing of the trial and is thrown on, for the run to handle.
 */
async function askOrExplain(
  askJudge: AskJudge,
  question: JudgeQuestion,
): Promise<{ verdict?: JudgeVerdict; why?: string; usage: Usage }> {
  try {
    return await askJudge(question);
  } catch (error) {
    const isAboutQuestion =
      error instanceof ModelError && (error.kind === 'too-long' || error.kind === 'bad-request');
    if (!isAboutQuestion) throw error;
    return { why: `the judge could not be asked: ${oneLine(error.message)}`, usage: noUsage };
  }
}
