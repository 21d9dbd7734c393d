import type { JsonObject } from '../../base/json.js';
import type { JudgeTask } from '../types.js';

/** What a judge's answer has to hold besides its reason: a score of 1 to 5, or a yes or no for each of the fields. */
export type AnswerForm = { kind: 'score' } | { kind: 'yes-no'; fields: readonly string[] };

/** The form of the answer to a task. */
export function formOf(task: JudgeTask): AnswerForm {
  switch (task.kind) {
    case 'judge':
      return task.scale === 'score' ? { kind: 'score' } : { kind: 'yes-no', fields: ['pass'] };
    case 'fact':
      return { kind: 'yes-no', fields: ['stated'] };
    case 'refusal':
      return { kind: 'yes-no', fields: ['refused'] };
    case 'conveys':
      return {
        kind: 'yes-no',
        fields: [
          ...task.must.map((_, index) => mustField(index)),
          ...task.mustNot.map((_, index) => mustNotField(index)),
        ],
      };
  }
}

/** The field of a thing that must be conveyed, by its index in the list. */
export function mustField(index: number): string {
  return `must_${index + 1}`;
}

/** The same for a thing that must not be. */
export function mustNotField(index: number): string {
  return `must_not_${index + 1}`;
}

/**
 * JSON Schema of the answer, for providers that enforce one: nothing in it that any of them refuses (no bounds, no
 * optional members), and the reason first, so that it is thought of before the verdict.
 */
export function answerSchema(form: AnswerForm): JsonObject {
  const members: JsonObject =
    form.kind === 'score'
      ? { score: { type: 'integer', enum: [1, 2, 3, 4, 5] } }
      : Object.fromEntries(form.fields.map((field) => [field, { type: 'boolean' }]));
  return {
    type: 'object',
    properties: { reason: { type: 'string' }, ...members },
    required: ['reason', ...Object.keys(members)],
    additionalProperties: false,
  };
}
