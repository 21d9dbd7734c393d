import { sha256 } from '../../base/hash.js';
import type { Turn } from '../../play/types.js';
import { oneLine } from '../quote.js';
import { selectTurns } from '../turns.js';
import type { JudgeQuestion } from '../types.js';

/** Characters of one tool result that the judge is shown. */
const longestResult = 4000;

/**
 * The user message that a judge is sent: sections in a fixed order, each between tags that carry a code which the
 * conversation cannot know. Text inside can neither close its section nor open another, and a line of the
 * conversation that looks like the next speaker is indented, so that it cannot pass for one.
 */
export function buildQuestion(question: JudgeQuestion): string {
  const sections: [string, string][] = [['rubric', question.rubric]];
  if (question.fact !== undefined) sections.push(['fact', question.fact]);
  sections.push(['scale', question.scale === 'score' ? '1-5' : 'pass-fail']);
  sections.push(['transcript', writeTranscript(selectTurns(question.transcript, question.on).turns)]);
  const inside = sections.map(([, text]) => text).join('\n');
  const fence = chooseFence(question.seed, inside);
  return sections
    .map(
      ([name, text]) =>
        `<${name} fence="${fence}">${name === 'scale' ? text : `\n${disarmTags(text)}\n`}</${name}>`,
    )
    .join('\n\n');
}

/** Six hexadecimal digits from the seed that the text does not hold. */
function chooseFence(seed: string, text: string): string {
  for (let round = 0; ; round++) {
    const fence = sha256(`fence/${seed}/${round}`).slice(0, 6);
    if (!text.includes(fence)) return fence;
  }
}

const sectionNames = ['rubric', 'fact', 'scale', 'transcript'];
const gap = '[\\s\\p{Cf}\\p{Mn}]*';
/** An opening or closing tag of a section in any spelling that a reader might take for one. */
const sectionTag = new RegExp(
  `[<\\uff1c\\ufe64](?=${gap}(?:[/\\uff0f\\u2215\\u2044]${gap})?(?:${sectionNames
    .map((name) => Array.from(name).join(gap))
    .join('|')}))`,
  'giu',
);

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
    const given = typeof args === 'string' ? args : JSON.stringify(args);
    const answer =
      error !== undefined
        ? `error: ${error}`
        : result === undefined
          ? '(no answer)'
          : shortened(JSON.stringify(result));
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
