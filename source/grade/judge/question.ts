import { sha256 } from '../../base/hash.js';
import type { Turn } from '../../play/types.js';
import { asJson, oneLine } from '../quote.js';
import { selectTurns } from '../turns.js';
import type { JudgeQuestion, JudgeTask } from '../types.js';
import { mustField, mustNotField } from './form.js';

/** Characters of one tool result that the judge is shown. */
const longestResult = 4000;

/** One part of what a judge is sent, before it is fenced. */
export type Section = [name: (typeof sectionNames)[number], text: string];

/**
 * The user message that a judge is sent: sections in a fixed order, each between tags that carry a code which the
 * conversation cannot know. Text inside can neither close its section nor open another, and a line of the
 * conversation that looks like the next speaker is indented, so that it cannot pass for one.
 */
export function buildQuestion(question: Pick<JudgeQuestion, 'task' | 'transcript' | 'on' | 'seed'>): string {
  return fenceSections(sectionsOf(question), question.seed);
}

/** All that a judge is told, in order: what the task asks for, then the transcript. */
export function sectionsOf({
  task,
  transcript,
  on,
}: Pick<JudgeQuestion, 'task' | 'transcript' | 'on'>): Section[] {
  return [...taskSections(task), ['transcript', writeTranscript(selectTurns(transcript, on).turns)]];
}

function taskSections(task: JudgeTask): Section[] {
  switch (task.kind) {
    case 'judge':
      return [
        ['rubric', task.rubric],
        ...optional('fact', task.fact),
        ['scale', task.scale === 'score' ? '1-5' : 'pass-fail'],
      ];
    case 'conveys':
      return [
        ['task', task.kind],
        ...optional(
          'must',
          listItems(task.must, (index) => `${mustField(index)}: `),
        ),
        ...optional(
          'may',
          listItems(task.may, () => '- '),
        ),
        ...optional(
          'must_not',
          listItems(task.mustNot, (index) => `${mustNotField(index)}: `),
        ),
        ...optional('fact', task.fact),
      ];
    case 'fact':
      return [
        ['task', task.kind],
        ['claim', task.claim],
      ];
    case 'refusal':
      return [['task', task.kind]];
  }
}

function optional(name: Section[0], text: string | undefined): Section[] {
  return text === undefined || text === '' ? [] : [[name, text]];
}

function listItems(items: readonly string[], mark: (index: number) => string): string {
  return items.map((item, index) => `${mark(index)}${indented(item)}`).join('\n');
}

/** The sections between tags that carry a code made from the seed. */
export function fenceSections(sections: readonly Section[], seed: string): string {
  const fence = chooseFence(seed, sections.map(([, text]) => text).join('\n'));
  return sections
    .map(([name, text]) => {
      const inside = name === 'scale' || name === 'task' ? text : `\n${disarmTags(text)}\n`;
      return `<${name} fence="${fence}">${inside}</${name}>`;
    })
    .join('\n\n');
}

/** Six hexadecimal digits from the seed that the text does not hold. */
function chooseFence(seed: string, text: string): string {
  for (let round = 0; ; round++) {
    const fence = sha256(`fence/${seed}/${round}`).slice(0, 6);
    if (!text.includes(fence)) return fence;
  }
}

const sectionNames = [
  'task',
  'rubric',
  'fact',
  'claim',
  'must',
  'may',
  'must_not',
  'scale',
  'transcript',
] as const;
const gap = '[\\s\\p{Cf}\\p{Mn}]*';
/** An opening or closing tag of a section in any spelling that a reader might take for one. */
const sectionTag = new RegExp(
  `[<\\uff1c\\ufe64](?=${gap}(?:[/\\uff0f\\u2215\\u2044]${gap})?(?:${sectionNames
    .map((name) => Array.from(name, inEveryWidth).join(gap))
    .join('|')}))`,
  'giu',
);

/** A letter or its full-width form. */
function inEveryWidth(letter: string): string {
  return `[${letter}${String.fromCharCode(letter.charCodeAt(0) + 0xfee0)}]`;
}

function disarmTags(text: string): string {
  return text.replace(sectionTag, '&lt;');
}

/** The turns as lines: `user:`, `agent:` and `tool NAME(args) -> result`, further lines of a text indented. */
function writeTranscript(turns: readonly Turn[]): string {
  return turns.map(writeTurn).join('\n');
}

function writeTurn(turn: Turn): string {
  const lines = [`user: ${indented(turn.message)}`];
  for (const part of turn.reply.parts) {
    if (part.kind === 'text') {
      if (part.text.trim() !== '') lines.push(`agent: ${indented(part.text)}`);
      continue;
    }
    const { name, args, result, error } = part.call;
    const given = typeof args === 'string' ? args : asJson(args);
    const answer =
      error !== undefined
        ? `error: ${error}`
        : result === undefined
          ? '(no answer)'
          : shortened(asJson(result));
    lines.push(`tool ${oneLine(name)}(${indented(given)}) -> ${indented(answer)}`);
  }
  if (turn.reply.text.trim() === '') lines.push('agent: (said nothing)');
  if (turn.reply.stop === 'cut-off') lines.push('(the reply was cut off here)');
  return lines.join('\n');
}

function indented(text: string): string {
  return text.trim().replace(/\r\n|[\n\r\u0085\u2028\u2029\v\f]/gu, '\n  ');
}

function shortened(text: string): string {
  if (text.length <= longestResult) return text;
  const shown = text.slice(0, longestResult).replace(/[\ud800-\udbff]$/u, '');
  return `${shown}… (${text.length - shown.length} more characters)`;
}
