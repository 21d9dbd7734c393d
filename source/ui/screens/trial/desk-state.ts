import type { Clock } from '../../../base/clock.js';
import { messageOf } from '../../../base/errors.js';
import type { Label } from '../../../grade/labels/types.js';
import type { CheckResult } from '../../../grade/types.js';
import { type TrialKey, trialId } from '../../../run/events.js';
import type { RunStarted } from '../../../run/reader.js';
import type { SavedReview } from '../../../run/reviews.js';
import type { TrialRecord } from '../../../run/types.js';
import type { Told } from '../../told.js';
import type { AppRun, GivenLabel, TrialDesk } from '../../types.js';

/** A conversation that the reviewer is reading. */
export interface ReadingReview {
  trial: TrialKey;
  /** Which turn its answer has come to; 0 before the first. */
  turn: number;
  of: number;
  startedAt: number;
}

/** What the trial screen knows of a run beside its journal. Changes only between frames. */
export interface DeskState {
  /** Undefined while it is being read. */
  readonly desk: TrialDesk | undefined;
  /** Why it cannot be read; the trial is shown all the same. */
  readonly problem: string | undefined;
  readonly labels: readonly Label[];
  reviewOf(trial: TrialKey): SavedReview | undefined;
  readonly reading: ReadingReview | undefined;
  /** Has a conversation read. Resolves with what to tell the person; undefined when it was cancelled. */
  review(record: TrialRecord): Promise<Told | undefined>;
  /** Ends the reading that is going on. */
  cancel(): void;
  /** What this person said of a verdict since the app was opened. */
  givenOn(trial: TrialKey, checkId: string): Given | undefined;
  label(record: TrialRecord, result: CheckResult, agrees: boolean): Promise<Told>;
  takeBack(trial: TrialKey, checkId: string): Told;
}

export interface Given extends GivenLabel {
  agrees: boolean;
}

/** How often the time of a reading is drawn anew. */
const tickMs = 500;

/** Opens the desk of a run and keeps what it gives. `onChange` is told whenever there is something new to draw. */
export function openDeskState(
  run: AppRun,
  started: RunStarted,
  clock: Clock,
  onChange: () => void,
): DeskState & { close(): void } {
  let desk: TrialDesk | undefined;
  let problem: string | undefined;
  let labels: readonly Label[] = [];
  let reviews: ReadonlyMap<string, SavedReview> = new Map();
  let reading: (ReadingReview & { controller: AbortController }) | undefined;
  const given = new Map<string, Given>();
  let isClosed = false;
  let ticker: NodeJS.Timeout | undefined;
  const changed = () => {
    if (!isClosed) onChange();
  };

  async function open(): Promise<void> {
    try {
      desk = await run.openDesk?.(started);
      reviews = (await desk?.readReviews()) ?? reviews;
      labels = (await desk?.readLabels()) ?? labels;
    } catch (error) {
      problem = firstLineOf(error);
    }
    changed();
  }
  void open();

  return {
    get desk() {
      return desk;
    },
    get problem() {
      return problem;
    },
    get labels() {
      return labels;
    },
    get reading() {
      return reading;
    },
    reviewOf: (trial) => reviews.get(trialId(trial)),
    async review(record) {
      if (!desk || reading) return undefined;
      const controller = new AbortController();
      const mine = {
        trial: record.key,
        turn: 0,
        of: record.turns.length,
        startedAt: clock.now(),
        controller,
      };
      reading = mine;
      ticker = setInterval(changed, tickMs);
      changed();
      try {
        const review = await desk.review(record, {
          signal: controller.signal,
          onTurn: (turn) => {
            mine.turn = Math.min(turn, mine.of);
          },
        });
        reviews = new Map([...reviews, [trialId(record.key), review]]);
        return toldOf(review);
      } catch (error) {
        return controller.signal.aborted ? undefined : { text: firstLineOf(error), isProblem: true };
      } finally {
        if (reading === mine) {
          reading = undefined;
          clearInterval(ticker);
        }
        changed();
      }
    },
    cancel() {
      reading?.controller.abort(new Error('cancelled'));
      reading = undefined;
      clearInterval(ticker);
    },
    givenOn: (trial, checkId) => given.get(caseOf(trial, checkId)),
    async label(record, result, agrees) {
      const id = caseOf(record.key, result.checkId);
      const before = given.get(id);
      try {
        if (!desk) throw new Error('the labels are not read yet');
        if (before) takeOut(id, before);
        // Taken back while it is still being written, it is taken out as soon as it stands.
        const pending = { isTaken: false };
        const takeBack = () => {
          pending.isTaken = true;
          return true;
        };
        const judged = result.verdict === 'fail' ? 'fail' : 'pass';
        const expected = agrees === (judged === 'pass') ? 'pass' : 'fail';
        given.set(id, { expected, agrees, takeBack });
        changed();
        const label = await desk.label(record, result, agrees);
        if (pending.isTaken) {
          label.takeBack();
          return { text: 'taken back', isProblem: false };
        }
        given.set(id, { ...label, agrees });
        labels = await desk.readLabels();
        const word = agrees ? 'as' : 'against';
        return {
          text: `labelled ${label.expected} ${word} the judge, not blind; u undoes it`,
          isProblem: false,
        };
      } catch (error) {
        given.delete(id);
        return { text: firstLineOf(error), isProblem: true };
      } finally {
        changed();
      }
    },
    takeBack(trial, checkId) {
      const id = caseOf(trial, checkId);
      const label = given.get(id);
      if (!label) return { text: 'nothing was said of this verdict', isProblem: false };
      try {
        const isGone = takeOut(id, label);
        void reread();
        if (isGone) return { text: 'taken back', isProblem: false };
        return {
          text: `${desk?.file} was changed by somebody else: the label is still in it`,
          isProblem: true,
        };
      } catch (error) {
        return { text: firstLineOf(error), isProblem: true };
      }
    },
    close() {
      isClosed = true;
      clearInterval(ticker);
      reading?.controller.abort(new Error('the app was closed'));
    },
  };

  function takeOut(id: string, label: Given): boolean {
    const isGone = label.takeBack();
    given.delete(id);
    return isGone;
  }

  async function reread(): Promise<void> {
    try {
      labels = (await desk?.readLabels()) ?? [];
    } catch (error) {
      problem = firstLineOf(error);
    }
    changed();
  }
}

function caseOf(trial: TrialKey, checkId: string): string {
  return `${trialId(trial)}\n${checkId}`;
}

function firstLineOf(error: unknown): string {
  const [first = ''] = messageOf(error).split('\n');
  return first;
}

function toldOf({ unread, turns }: SavedReview): Told {
  if (unread) return { text: `the reviewer's answer could not be read: ${unread.why}`, isProblem: true };
  const missed = turns.reduce((sum, turn) => sum + turn.missed.length, 0);
  const early = turns.reduce((sum, turn) => sum + turn.tooEarly.length, 0);
  return { text: `reviewed: ${missed} missed, ${early} too early; shown beside the turns`, isProblem: false };
}

/**
 * The label that was given on exactly this verdict; undefined where there is none. A label does not name the condition of
 * its trial, so its conversation has to be that of the record.
 */
export function labelOf(
  { runId }: RunStarted,
  labels: readonly Label[],
  record: TrialRecord | undefined,
  checkId: string,
): Label | undefined {
  const { key, turns } = record ?? {};
  return labels.find(
    ({ from, turns: labelled }) =>
      from?.run === runId &&
      from.scenario === key?.scenario &&
      from.trial === key.repeat &&
      from.check === checkId &&
      labelled.every(({ message, reply }) =>
        turns?.some((turn) => turn.message === message && turn.reply.text === reply.text),
      ),
  );
}
