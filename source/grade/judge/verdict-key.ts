import { canonicalJson, sha256 } from '../../base/hash.js';
import type { AnswerForm } from './form.js';
import type { Section } from './question.js';

/** All that decides a verdict, but for the judge's own chance. */
export interface VerdictFacts {
  /** `provider:model` */
  model: string;
  /** SHA-256 of the instructions for the task. */
  prompt: string;
  sections: readonly Section[];
  form: AnswerForm;
  /** Number of the verdict among those of the scenario's trials. */
  index: number;
}

/** Raised when questions are asked or answers read in another way, so that what was kept before is not found any more. */
const format = 2;

/** The name under which a verdict is kept: 64 hexadecimal digits. The seed and the code of the fence are no part of it. */
export function verdictKey(facts: VerdictFacts): string {
  return sha256(canonicalJson({ format, ...facts }));
}
