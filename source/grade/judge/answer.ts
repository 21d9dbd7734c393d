import type { JsonObject } from '../../base/json.js';
import type { AnswerForm } from './form.js';
import { topKeys } from './objects.js';
import { copiesOf, isInsideSentence, spokenObjects } from './spoken.js';

/** What a judge's answer says, or why it cannot be read. */
export type ReadAnswer =
  | { kind: 'score'; score: number; reason: string }
  /** A yes or no for each field of the form. */
  | { kind: 'yes-no'; answers: Record<string, boolean>; reason: string }
  | { kind: 'unreadable'; why: string };

/**
 * Reads the verdict of a judge's answer: one complete JSON object that has a reason and every field of the form with a
 * value of the right kind. It is the last object of the answer, and where there are several verdicts all of them say the
 * same. Prose and code fences around it, zero-width characters and the letter case of keys do not matter. Everything
 * else is unreadable, never a guess: a missing or misspelt field, a score that is not one of 1 to 5, `"true"` for true,
 * two verdicts that contradict each other (which of them is a quotation cannot be known), one inside a sentence.
 *
 * No verdicts are what stands in `judged`, the text that the judge was shown, and what it thinks aloud before it answers.
 */
export function readAnswer(answer: string, form: AnswerForm, judged = ''): ReadAnswer {
  if (answer.length > longestAnswer) return unreadable('it is too long');
  const spoken = spokenObjects(answer.replace(invisible, ''));
  if ('why' in spoken) return unreadable(spoken.why);
  const isCopied = copiesOf(judged);
  const own = spoken.answer.filter((object) => !isCopied(object));
  const last = own.at(-1);
  if (!last)
    return unreadable(
      spoken.answer.length > 0 ? 'it only quotes what it was shown' : 'it holds no JSON object',
    );
  const read = readVerdict(last.text, form);
  if (read.kind === 'unreadable') return read;
  const verdicts = own.filter(({ text }) => speaksOf(text, form));
  const drafts = spoken.drafts.filter((object) => speaksOf(object.text, form) && !isCopied(object));
  if (![...drafts, ...verdicts].every(({ text }) => saysTheSame(readVerdict(text, form), read)))
    return unreadable('it holds two verdicts that contradict each other');
  if (verdicts.every((object) => isInsideSentence(object, spoken.text)))
    return unreadable('its verdict stands inside a sentence, as a quotation does');
  return read;
}

function readVerdict(text: string, form: AnswerForm): ReadAnswer {
  const keys = topKeys(text);
  const members = Object.entries(JSON.parse(text) as JsonObject);
  const memberOf = (field: string) => members.find(([key]) => sameKey(key, field))?.[1];
  const answers: Record<string, boolean> = {};
  let score = 0;
  for (const field of [...fieldsOf(form), 'reason']) {
    const count = keys.filter((key) => sameKey(key, field)).length;
    if (count === 0) return unreadable(`"${field}" is missing`);
    // Which of two is meant cannot be known; the second may have come in with a quotation.
    if (count > 1) return unreadable(`"${field}" is there more than once`);
    if (field === 'reason') continue;
    const value = memberOf(field);
    if (form.kind === 'yes-no') {
      if (typeof value !== 'boolean') return unreadable(`"${field}" is neither true nor false`);
      answers[field] = value;
    } else {
      if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 5)
        return unreadable('"score" is not a whole number from 1 to 5');
      score = value;
    }
  }
  const said = memberOf('reason');
  const reason = typeof said === 'string' ? said.trim() : '';
  if (reason === '') return unreadable('"reason" says nothing');
  return form.kind === 'score' ? { kind: 'score', score, reason } : { kind: 'yes-no', answers, reason };
}

function fieldsOf(form: AnswerForm): readonly string[] {
  return form.kind === 'score' ? ['score'] : form.fields;
}

/** Whether an object has one of the fields that decide: a tool's arguments, say, have none. */
function speaksOf(text: string, form: AnswerForm): boolean {
  return topKeys(text).some((key) => fieldsOf(form).some((field) => sameKey(key, field)));
}

/** In all that decides; the words of the reason are none of it. */
function saysTheSame(one: ReadAnswer, other: ReadAnswer): boolean {
  if (one.kind === 'score' && other.kind === 'score') return one.score === other.score;
  if (one.kind !== 'yes-no' || other.kind !== 'yes-no') return false;
  return Object.entries(one.answers).every(([field, value]) => other.answers[field] === value);
}

function unreadable(why: string): ReadAnswer {
  return { kind: 'unreadable', why };
}

/** Characters of an answer beyond which it is no answer to what was asked. */
const longestAnswer = 32_000;

const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu;

function sameKey(key: string, name: string): boolean {
  return key.trim().toLowerCase() === name;
}
