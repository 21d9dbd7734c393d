import { type FoundObject, findObjects } from './objects.js';

/** The objects of an answer, or why nothing in it can be believed. */
export type Spoken =
  | {
      /** What is said as the answer, in order. */
      answer: FoundObject[];
      /** What was thought aloud before it: it decides nothing, but speaks against an answer that contradicts it. */
      drafts: FoundObject[];
      /** The text in which `answer` stands. */
      text: string;
    }
  | { why: string };

const tagNames = '(?:think|thinking|thought|reasoning)';
const opening = new RegExp(`^\\s*<${tagNames}>`, 'iu');
const closing = new RegExp(`</${tagNames}>`, 'iu');
const anyTag = new RegExp(`<(/?)${tagNames}>`, 'giu');

/**
 * Tells what a model says from what it thinks aloud before it: `<think>…</think>` at the very beginning, of which some
 * servers leave the first tag out. Such tags anywhere else may be a quotation that is to hide what was said, or to show
 * what was not: then nothing is believed.
 */
export function spokenObjects(whole: string): Spoken {
  const thought = opening.exec(whole);
  const end = thought ? closing.exec(whole) : undefined;
  if (end === null) return { why: 'it ends while it still thinks' };
  const text = end ? whole.slice(end.index + end[0].length) : whole;
  const objects = findObjects(text);
  if (objects === 'broken') return { why: 'it holds a JSON object that is not complete' };
  const tags = [...text.matchAll(anyTag)].filter(
    ({ index }) => !objects.some((object) => index > object.start && index < object.end),
  );
  const [only] = tags;
  if (!only) return { answer: objects, drafts: [], text };
  if (thought || tags.length > 1 || only[1] !== '/') return { why: 'it mixes thinking and answer' };
  return {
    answer: objects.filter(({ start }) => start > only.index),
    drafts: objects.filter(({ start }) => start < only.index),
    text,
  };
}

/** Whether an object stands in quotation marks, or between words of one line: as what somebody speaks of does. */
export function isInsideSentence({ start, end }: FoundObject, text: string): boolean {
  const before = text.slice(text.lastIndexOf('\n', start) + 1, start);
  const lineEnd = text.indexOf('\n', end);
  const after = text.slice(end, lineEnd < 0 ? undefined : lineEnd);
  if (/["'\u2018\u201c\u201e\u00ab]$/u.test(before) && /^["'\u2019\u201d\u201c\u00bb]/u.test(after))
    return true;
  return hasWords.test(before) && hasWords.test(after);
}

const hasWords = /[\p{L}\p{N}]/u;

/** Tells which objects stand in a judged text as they do in the answer, spaces, case and escapes aside. */
export function copiesOf(judged: string): (object: FoundObject) => boolean {
  let whole: string | undefined;
  return ({ text }) => {
    whole ??= squeezed(judged);
    return whole.includes(squeezed(text));
  };
}

function squeezed(text: string): string {
  return text.replace(/[\s\\\p{Cf}]/gu, '').toLowerCase();
}
