import type { CriterionKey } from '../compare/types.js';
import type { QuarantineEntry } from '../run/planned.js';
import type { Disagreement } from '../triage/disagree.js';
import type { SuiteTriage } from '../triage/triage.js';
import type { BaseSource } from './base-source.js';

/** What is quarantined: one check of a scenario, or all of it. */
export type QuarantineKey = Pick<QuarantineEntry, 'scenario' | 'check'>;

/** What a person says of a new entry; the rest is known. */
export type QuarantineWish = QuarantineKey & Pick<QuarantineEntry, 'reason' | 'owner' | 'until'>;

/** Puts the file back as it was. Throws UserError where somebody changed it since. */
export type TakeBack = () => void;

/** One of two trials that disagree: where it is read, or why it cannot be. */
export type DisagreeingTrial = { source: BaseSource; repeat: number } | { problem: string };

/** Two trials of one check that came to different verdicts with nothing changed. */
export interface DisagreeingTrials extends CriterionKey {
  pass: DisagreeingTrial;
  fail: DisagreeingTrial;
}

/** The triage of one suite for the screens. All of it throws what is for the person. */
export interface TriageDesk {
  /** As the files and the history stand now. */
  read(): Promise<SuiteTriage>;
  /**
   * Who may own a new entry ('' where git knows nobody), its last day, and whether it would be about what is broken and not
   * flaky. Throws where it cannot be one.
   */
  propose(key: QuarantineKey): Promise<{ owner: string; until: string; isBroken: boolean }>;
  /** The last day that is proposed today. */
  proposeEnd(): string;
  /** What is wrong with a last day; undefined of one that can be. */
  whyNoEnd(until: string): string | undefined;
  quarantine(wish: QuarantineWish): Promise<TakeBack>;
  release(key: QuarantineKey): Promise<TakeBack>;
  extend(key: QuarantineKey, until: string): Promise<TakeBack>;
  /** The file of a scenario, absolute, and its line, from 1; undefined of one that is not there any more. */
  placeOf(scenario: string): { file: string; line: number } | undefined;
  /** Finds the two trials in the journals of their runs. */
  openTrials(criterion: CriterionKey, runs: Disagreement): Promise<DisagreeingTrials>;
}

/** A suite and how its triage is opened. */
export interface TriageSuite {
  suite: string;
  open(): Promise<TriageDesk>;
}
