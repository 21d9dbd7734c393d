import { contentHash } from '../../base/hash.js';
import { neededScore } from './rubric-hash.js';
import type { Label } from './types.js';

/** Names what a judge was shown: the same words to the same rubric need no second label. */
export function caseKey({ rubric, turns }: Pick<Label, 'rubric' | 'turns'>): string {
  return contentHash([
    rubric,
    turns.map(({ message, reply }) => [
      message,
      reply.parts.map((part) =>
        part.kind === 'text'
          ? part.text
          : { name: part.call.name, args: part.call.args, result: part.call.result, error: part.call.error },
      ),
    ]),
  ]);
}

/** Labels by what they are evidence of. */
export interface LabelledCases {
  /** One a case: a copy of a label says nothing new. Where several say the same, the last one of the file. */
  distinct: Label[];
  /** The labels of each case that people give opposite verdicts on: nobody can say what is right. */
  contradictions: Label[][];
  /** Labels of one case, by any of them: those that it stands for when the judge is asked. */
  sameAs(label: Label): readonly Label[];
}

/** Groups labels by their cases. What is needed to pass belongs to a case: the same score may pass or not. */
export function labelledCases(labels: readonly Label[]): LabelledCases {
  const keyOf = (label: Label) => `${caseKey(label)} ${neededScore(label.check) ?? ''}`;
  const groups = new Map<string, Label[]>();
  const keys = new Map<Label, string>();
  for (const label of labels) {
    const key = keyOf(label);
    keys.set(label, key);
    groups.set(key, [...(groups.get(key) ?? []), label]);
  }
  const distinct: Label[] = [];
  const contradictions: Label[][] = [];
  for (const group of groups.values()) {
    const last = group.at(-1);
    const isSettled = group.every(({ expected }) => expected.pass === last?.expected.pass);
    if (!isSettled) contradictions.push(group);
    else if (last) distinct.push(last);
  }
  return { distinct, contradictions, sameAs: (label) => groups.get(keys.get(label) ?? '') ?? [label] };
}
