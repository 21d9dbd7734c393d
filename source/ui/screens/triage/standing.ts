import { messageOf } from '../../../base/errors.js';
import { entryName } from '../../../compare/quarantine-words.js';
import type { CriterionKey } from '../../../compare/types.js';
import type { Disagreement } from '../../../triage/disagree.js';
import type { SuiteTriage } from '../../../triage/triage.js';
import type { Told } from '../../told.js';
import type {
  DisagreeingTrials,
  QuarantineKey,
  QuarantineWish,
  TakeBack,
  TriageDesk,
  TriageSuite,
} from '../../triage-desk.js';

/** What the screens know of the triage of one suite. Changes only between frames. */
export interface TriageStanding {
  readonly suite: string;
  /** Undefined while it is read, and where it cannot be. */
  readonly triage: SuiteTriage | undefined;
  /** Why it cannot be read. */
  readonly problem: string | undefined;
  /** What the last change was, which can be taken back; undefined where nothing was changed. */
  readonly lastChange: string | undefined;
  /** The trials that were opened last. */
  readonly trials: DisagreeingTrials | undefined;
  /** Reads all of it again. Never rejects. */
  refresh(): Promise<void>;
  /** What a new entry is proposed to say, or why it cannot be one. Never rejects. */
  propose(key: QuarantineKey): Promise<Awaited<ReturnType<TriageDesk['propose']>> | { problem: string }>;
  /** The last day that is proposed today; undefined where nothing can be read. Never rejects. */
  proposeEnd(): Promise<string | undefined>;
  /** What is wrong with a last day; undefined of one that can be. */
  whyNoEnd(until: string): string | undefined;
  /** Where a scenario is written; undefined of one that is not there any more. */
  placeOf(scenario: string): ReturnType<TriageDesk['placeOf']>;
  /** Each gives what to tell the person, and never rejects. */
  quarantine(wish: QuarantineWish): Promise<Told>;
  release(key: QuarantineKey): Promise<Told>;
  extend(key: QuarantineKey, until: string): Promise<Told>;
  undo(): Promise<Told>;
  /** Finds two trials that disagree; the problem where not even one of them can be read. Never rejects. */
  openTrials(criterion: CriterionKey, runs: Disagreement): Promise<DisagreeingTrials | { problem: string }>;
}

/** Opens the triage of a suite and reads it. `onChange` is told whenever there is something new to draw. */
export function openTriageStanding(
  { suite, open }: TriageSuite,
  onChange: () => void,
): TriageStanding & { close(): void } {
  let desk: TriageDesk | undefined;
  let triage: SuiteTriage | undefined;
  let problem: string | undefined;
  let trials: DisagreeingTrials | undefined;
  let changes: { what: string; takeBack: TakeBack }[] = [];
  let isClosed = false;
  const opening = openDesk();
  let reading: Promise<void> = refresh();

  async function openDesk(): Promise<TriageDesk> {
    const opened = await open();
    desk = opened;
    return opened;
  }
  // Told by whoever waits for it.
  opening.catch(() => {});

  async function refresh(): Promise<void> {
    try {
      triage = await (await opening).read();
      problem = undefined;
    } catch (error) {
      problem = messageOf(error);
    }
    if (!isClosed) onChange();
  }

  async function change(
    did: string,
    key: QuarantineKey,
    make: (desk: TriageDesk) => Promise<TakeBack>,
  ): Promise<Told> {
    try {
      const takeBack = await make(await opening);
      const name = entryName(key);
      changes = [...changes, { what: `${did}: ${name}`, takeBack }];
      await refresh();
      return { text: `${did}, from the next run on; u takes it back: ${name}`, isProblem: false };
    } catch (error) {
      await refresh();
      return { text: `not done: ${messageOf(error)}`, isProblem: true };
    }
  }

  return {
    suite,
    get triage() {
      return triage;
    },
    get problem() {
      return problem;
    },
    get lastChange() {
      return changes.at(-1)?.what;
    },
    get trials() {
      return trials;
    },
    refresh() {
      reading = refresh();
      return reading;
    },
    async propose(key) {
      try {
        await reading;
        return await (await opening).propose(key);
      } catch (error) {
        return { problem: messageOf(error) };
      }
    },
    proposeEnd: () =>
      opening.then(
        (one) => one.proposeEnd(),
        () => undefined,
      ),
    whyNoEnd: (until) => desk?.whyNoEnd(until),
    placeOf: (scenario) => desk?.placeOf(scenario),
    quarantine: (wish) => change(`quarantined until ${wish.until}`, wish, (one) => one.quarantine(wish)),
    release: (key) => change('released', key, (one) => one.release(key)),
    extend: (key, until) => change(`extended until ${until}`, key, (one) => one.extend(key, until)),
    async undo() {
      const last = changes.at(-1);
      if (!last) return { text: 'nothing was changed here', isProblem: true };
      try {
        last.takeBack();
        changes = changes.slice(0, -1);
        await refresh();
        return { text: `taken back: ${last.what}`, isProblem: false };
      } catch (error) {
        // What cannot be taken back once never can: the file is somebody else's now.
        changes = [];
        await refresh();
        return { text: `not taken back: ${messageOf(error)}`, isProblem: true };
      }
    },
    async openTrials(criterion, runs) {
      try {
        const found = await (await opening).openTrials(criterion, runs);
        if ('problem' in found.pass && 'problem' in found.fail) return { problem: found.fail.problem };
        trials = found;
        return found;
      } catch (error) {
        return { problem: messageOf(error) };
      }
    },
    close() {
      isClosed = true;
    },
  };
}
