import type { Turn } from '../../play/types.js';
import type { CheckSpec, Place } from '../../suite/types.js';

/** What a person, or a judge, said of one case. `unknown`: a judge's answer that decides nothing. */
export interface LabelVerdict {
  pass: boolean | 'unknown';
  /** 1 to 5, where a score was asked for. */
  score?: number;
}

/** What a judge said of a labelled case. */
export interface JudgedLabel extends LabelVerdict {
  /** `provider:model` */
  model: string;
  /** `name@N` */
  prompt: string;
  /** The first 12 hexadecimal digits of the SHA-256 of that prompt. */
  sha256: string;
}

/** Where a labelled case was taken from. */
export interface LabelOrigin {
  suite: string;
  scenario: string;
  check: string;
  run?: string;
  /** Number of the trial, from 1. */
  trial?: number;
}

/** A verdict of a person on one case, to hold a judge against. */
export interface Label {
  place: Place;
  /** The judged check, as a scenario would have it. */
  check: CheckSpec;
  /** See `rubricHash`. */
  rubric: string;
  /** The turns that the check reads. */
  turns: Turn[];
  expected: LabelVerdict & { pass: boolean };
  by?: string;
  /** `2026-11-30` */
  at?: string;
  note?: string;
  /** The person had another verdict before the judge's was shown. */
  isRevised?: true;
  /** The person saw the judge's verdict before they gave theirs: it says little of whether they would have agreed. */
  isSighted?: true;
  from?: LabelOrigin;
  judged?: JudgedLabel;
}

/** The labels of a judge prompt. `unread`: there are some, and they cannot be read. */
export type KnownLabels = readonly Label[] | 'unread';
