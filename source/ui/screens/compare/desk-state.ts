import { messageOf } from '../../../base/errors.js';
import type { Comparison, CriterionKey } from '../../../compare/types.js';
import { type ChangeClass, criterionId, type GivenClass } from '../../../run/change-classes.js';
import type { RunTally } from '../../../tally/types.js';
import type { BaseSource } from '../../base-source.js';
import type { Told } from '../../told.js';
import type { AppRun, CompareDesk } from '../../types.js';

/** The conversations of a base, or why there are none. Neither while they are looked for. */
export interface BaseStanding {
  source?: BaseSource;
  problem?: string;
  /** Trials that the run on screen has of it: those of a confirmation, and of a scenario that was reproduced. */
  rerun?: BaseSource;
}

/** What the screens know of the changes of a run beside its journal. Changes only between frames. */
export interface ChangeDesk {
  /** Why nothing can be blessed here; undefined where it can. */
  readonly whyNoBless: string | undefined;
  /** Why nothing can be kept here; undefined where it can. */
  readonly whyNoClass: string | undefined;
  classOf(criterion: CriterionKey): GivenClass | undefined;
  /** What to tell the person. Never rejects. */
  classify(criterion: CriterionKey, is: ChangeClass | undefined): Promise<Told>;
  bless(criterion: CriterionKey, reason: string): Promise<Told>;
  /** Where the base's conversations are; looked for from the first time on that somebody asks. */
  baseOf(comparison: Comparison | undefined): BaseStanding;
}

/** What each class is called. */
export const classWords: Record<ChangeClass, string> = {
  regression: 'regression',
  'intended-change': 'intended change',
  'bad-criterion': 'bad criterion',
};

/** Opens what a run keeps of its changes. `onChange` is told whenever there is something new to draw. */
export function openChangeDesk(
  run: AppRun,
  tally: RunTally,
  onChange: () => void,
): ChangeDesk & { close(): void } {
  let desk: CompareDesk | undefined;
  let problem: string | undefined;
  let classes: ReadonlyMap<string, GivenClass> = new Map();
  let base: { of: string; standing: BaseStanding } | undefined;
  let own: BaseStanding | undefined;
  let isClosed = false;
  let isOpening = true;
  const changed = () => {
    if (!isClosed) onChange();
  };

  async function open(): Promise<void> {
    try {
      desk = await run.openCompareDesk?.(tally);
      classes = (await desk?.readClasses()) ?? classes;
    } catch (error) {
      problem = messageOf(error);
    }
    isOpening = false;
    changed();
  }
  const opening = open();

  async function lookForBase(side: Comparison['base'], of: string): Promise<void> {
    await opening;
    let standing: BaseStanding;
    try {
      if (!desk) throw new Error(problem ?? 'the conversations of the base cannot be looked up here');
      standing = { source: await desk.openBase(side) };
    } catch (error) {
      standing = { problem: messageOf(error) };
    }
    if (base?.of !== of) return;
    base = { of, standing };
    changed();
  }

  const sourceOf = (condition: string): BaseSource => ({
    tally,
    condition,
    readTrial: (key, positions) => run.readTrial(key, positions),
  });
  const again = tally.conditions.find(({ id }) => id === tally.started.base?.condition);
  const rerun = again && { hash: again.hash, source: sourceOf(again.id) };

  const whyNot = (reason: string) => (isOpening ? 'what is kept of the run is still being read' : reason);

  return {
    get whyNoBless() {
      return desk ? desk.whyNoBless : (problem ?? whyNot('nothing can be blessed here'));
    },
    get whyNoClass() {
      return desk ? undefined : (problem ?? whyNot('what is said here would not be kept'));
    },
    classOf: (criterion) => classes.get(criterionId(criterion)),
    async classify(criterion, is) {
      try {
        await opening;
        if (!desk) throw new Error(problem ?? 'there is nowhere to keep it');
        const given = await desk.classify(criterion, is);
        const next = new Map(classes);
        if (given) next.set(criterionId(criterion), given);
        else next.delete(criterionId(criterion));
        classes = next;
        return { text: given ? `kept: ${classWords[given.class]}` : 'taken back', isProblem: false };
      } catch (error) {
        return { text: `not kept: ${messageOf(error)}`, isProblem: true };
      }
    },
    async bless(criterion, reason) {
      try {
        await opening;
        if (!desk) throw new Error(problem ?? 'there is no baseline here');
        return { text: await desk.bless(criterion, reason), isProblem: false };
      } catch (error) {
        return { text: `not blessed: ${messageOf(error)}`, isProblem: true };
      }
    },
    baseOf(comparison) {
      const side = comparison?.base ?? ownBase(tally);
      if (!side) return { problem: 'the run has no base' };
      if (side.runId === tally.started.runId && side.kind === 'run') {
        const { id } = side.condition;
        if (own?.source?.condition !== id) {
          own = { source: sourceOf(id) };
        }
        return own;
      }
      if (!comparison) return {};
      const of = `${side.kind} ${side.runId} ${side.condition.hash}`;
      if (base?.of !== of) {
        base = { of, standing: {} };
        void lookForBase(comparison.base, of);
      }
      // What the run itself was held against may be another base than the one that it is held against now.
      const isSame = rerun?.hash === side.condition.hash;
      return { ...base.standing, ...(isSame && { rerun: rerun.source }) };
    },
    close() {
      isClosed = true;
    },
  };
}

/** A base that is run beside the candidate is there before anything can be compared. */
function ownBase({
  started,
}: RunTally): Pick<Comparison['base'], 'kind' | 'runId' | 'condition'> | undefined {
  const { base, plan, runId } = started;
  if (base?.kind !== 'condition') return undefined;
  const condition = plan.conditions.find(({ id }) => id === base.condition);
  return condition && { kind: 'run', runId, condition };
}
