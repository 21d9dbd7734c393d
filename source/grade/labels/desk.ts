import { openForEdit } from '../../base/edit-file.js';
import type { Turn } from '../../play/types.js';
import { type Agreement, measureAgreement } from './agreement.js';
import { verdictOn } from './rubric-hash.js';
import type { JudgedLabel } from './types.js';
import { appendLabel, createLabelWriter, type NewLabel, removeLabel } from './write.js';

/** One verdict of a judge that a person is to give theirs on. */
export interface ReviewCase {
  check: NewLabel['check'];
  rubric: string;
  turns: Turn[];
  from: NonNullable<NewLabel['from']>;
  judged: JudgedLabel;
  /** The judge's. */
  reason: string;
}

/** What a person says of a case. */
export interface ReviewAnswer {
  /** 1 to 5, or pass and fail, as the check asks for it. */
  said: number | 'pass' | 'fail';
  note?: string;
  /** It is another one than was given before the judge's was shown. */
  isRevised: boolean;
}

/** Where a review is done: what is to be looked at, and the file that keeps what is said. */
export interface ReviewDesk {
  /** Suite and run, for the title. */
  title: string;
  /** As the file is called in messages. */
  file: string;
  cases: readonly ReviewCase[];
  /** Writes what is said of a case, in the place of what was said of it before. Throws the file system's error. */
  save(index: number, answer: ReviewAnswer): void;
  /** Takes it back. False where the file does not hold it any more as it was written. */
  remove(index: number): boolean;
}

export interface DeskOptions {
  title: string;
  /** Absolute; made when the first label is written. */
  path: string;
  file: string;
  cases: readonly ReviewCase[];
  /** Who answers. */
  by: string;
  /** `2026-11-30` */
  at: string;
}

/** A desk that writes to a labels file at once, by rename. What else stands in the file is left as it is. */
export async function createDesk(options: DeskOptions): Promise<ReviewDesk> {
  const [writeLabel, edit] = await Promise.all([createLabelWriter(), openForEdit(options.path)]);
  const written = new Map<number, string>();
  const { cases } = options;

  return {
    title: options.title,
    file: options.file,
    cases,
    save(index, { said, note, isRevised }) {
      const one = cases[index];
      if (!one) throw new RangeError(`there is no case ${index}`);
      const { reason: _, ...kept } = one;
      const label = writeLabel({
        ...kept,
        expected: verdictOn(one.check, said),
        by: options.by,
        at: options.at,
        ...(note !== undefined && note !== '' && { note }),
        ...(isRevised && { isRevised: true as const }),
      });
      const old = written.get(index);
      edit((text) => appendLabel((old === undefined ? undefined : removeLabel(text, old)) ?? text, label));
      written.set(index, label);
    },
    remove(index) {
      const old = written.get(index);
      written.delete(index);
      if (old === undefined) return false;
      let isGone = false;
      edit((text) => {
        const rest = removeLabel(text, old);
        isGone = rest !== undefined;
        return rest;
      });
      return isGone;
    },
  };
}

/** How far the judge agrees with what was said so far, before its own verdict was seen. */
export function agreementSoFar(
  cases: readonly ReviewCase[],
  answers: ReadonlyMap<number, ReviewAnswer>,
): Agreement {
  return measureAgreement(
    [...answers].flatMap(([index, { said, isRevised }]) => {
      const one = cases[index];
      return one && !isRevised ? [{ expected: verdictOn(one.check, said), judged: one.judged }] : [];
    }),
  );
}
