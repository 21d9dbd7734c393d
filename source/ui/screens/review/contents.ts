import { makeVisible } from '../../../base/text.js';
import { wrapToWidth } from '../../../base/width.js';
import { isAgreed } from '../../../grade/labels/agreement.js';
import { kappaText } from '../../../grade/labels/calibration.js';
import { agreementSoFar, type ReviewCase, type ReviewDesk } from '../../../grade/labels/desk.js';
import { neededScore, verdictOn } from '../../../grade/labels/rubric-hash.js';
import { type Line, segment } from '../../segments.js';
import type { Size } from '../../terminal/size.js';
import type { Glyphs } from '../../theme.js';
import type { Tone } from '../../tone.js';
import { layoutTranscript } from '../trial/transcript.js';
import type { ReviewState } from './state.js';

/** Title, the line below it, the rule, the keys; and the terminal's last line, which is never drawn on. */
const frame = 5;
/** What the person and the judge said, with its reason and a note. */
const mostSaid = 5;
/** The same while the person has not said anything: where lines are few the case needs them more. */
const leastSaid = 3;
const roomyFrom = 20;

/** Lines under the case: what the person said, what the judge said. */
export function saidHeight(size: Size, isAnswered: boolean): number {
  return isAnswered || size.rows >= roomyFrom ? mostSaid : leastSaid;
}

/** Lines of the case between title and what is said of it. */
export function reviewHeight(size: Size, isAnswered: boolean): number {
  return Math.max(1, size.rows - frame - saidHeight(size, isAnswered));
}

const labelWidth = 9;

/** What there is to read of a case: what was asked of the judge, and what it was shown. Never its verdict. */
export function caseLines(one: ReviewCase, width: number, glyphs: Glyphs): Line[] {
  const { check, turns } = one;
  const needed = neededScore(check);
  const asked = Object.entries(check.args).filter(([key]) => key !== 'min_score');
  const scale = needed === undefined ? 'pass or fail' : `a score of 1 to 5, ${needed} passes`;
  const lines = [
    ...labelled('check', `${check.type}: ${scale}`, 'faint', width),
    ...asked.flatMap(([key, value]) =>
      labelled(key, typeof value === 'string' ? value : JSON.stringify(value), 'plain', width),
    ),
    [segment(glyphs.rule.repeat(width), 'faint')],
  ];
  const record = {
    key: { scenario: one.from.scenario, condition: '', repeat: one.from.trial ?? 1 },
    attempt: 1,
    turns,
    results: [],
    finished: undefined,
    error: undefined,
  };
  const options = { width, glyphs, evidence: [], search: '', match: 0, isUnfolded: true };
  return [...lines, ...layoutTranscript(record, undefined, options).lines];
}

/** A text after its name, further lines below its beginning. */
export function labelled(name: string, text: string, tone: Tone, width: number): Line[] {
  const shown = makeVisible(text, { keepNewlines: true });
  return wrapToWidth(shown, Math.max(10, width - labelWidth)).map((line, index) => [
    segment((index === 0 ? makeVisible(name) : '').padEnd(labelWidth).slice(0, labelWidth), 'faint'),
    segment(line, tone),
  ]);
}

/** What a verdict is in words. */
export function saidWord(said: number | 'pass' | 'fail' | undefined, one: ReviewCase): string {
  if (said === undefined) return '';
  if (typeof said !== 'number') return said;
  return `${said} of 5: ${verdictOn(one.check, said).pass ? 'pass' : 'fail'}`;
}

/** What the judge said, in words. */
export function judgedWord({ judged }: ReviewCase): string {
  const word = judged.pass === 'unknown' ? 'unknown' : judged.pass ? 'pass' : 'fail';
  return judged.score === undefined ? word : `${judged.score} of 5: ${word}`;
}

/** The end of a review: how far the judge agrees, and where it does not. */
export function summaryLines(desk: ReviewDesk, state: ReviewState, width: number): Line[] {
  const agreement = agreementSoFar(desk.cases, state.answers);
  const { cases, agreed } = agreement;
  const add = (text: string, tone: Tone = 'plain'): Line[] =>
    wrapToWidth(makeVisible(text), width).map((line) => [segment(line, tone)]);
  if (cases === 0) return [...add('nothing was labelled in this review')];
  const left = desk.cases.length - cases;
  const lines = [
    ...add(`the judge agrees with ${agreed} of ${cases}, ${kappaText(agreement)}`, 'strong'),
    ...add(
      `written to ${desk.file}${left > 0 ? `; ${left} skipped, to be seen the next time` : ''}`,
      'faint',
    ),
  ];
  for (const [index, { said, note }] of state.answers) {
    const one = desk.cases[index];
    if (!one || isAgreed({ expected: verdictOn(one.check, said), judged: one.judged })) continue;
    lines.push(
      [],
      ...add(
        `${one.from.scenario} / ${one.from.check}: you ${saidWord(said, one)}, the judge ${judgedWord(one)}`,
        'warn',
      ),
      ...add(one.reason),
      ...(note === undefined ? [] : add(`note: ${note}`, 'faint')),
    );
  }
  return lines;
}
