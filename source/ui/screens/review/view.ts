import { makeVisible } from '../../../base/text.js';
import type { AppModel } from '../../model.js';
import { fitLine, type Line, type Segment, segment, spreadLine } from '../../segments.js';
import { clamp, hiddenText } from '../../viewport.js';
import {
  caseLines,
  judgedWord,
  labelled,
  reviewHeight,
  saidHeight,
  saidWord,
  summaryLines,
} from './contents.js';

export interface ReviewView {
  title: Line;
  body: Line[];
  rule: Line;
  said: Line[];
}

function textWidth({ state }: AppModel): number {
  return Math.max(20, state.size.columns - 3);
}

/** All lines of what is on screen, those out of sight included. */
export function reviewLines(model: AppModel): Line[] {
  const { review, desk, theme } = model;
  if (!review || !desk) return [];
  const one = desk.cases[review.at];
  const width = textWidth(model);
  return one ? caseLines(one, width, theme.glyphs) : summaryLines(desk, review, width);
}

/** The review as it is drawn: title, what is to be read, and what was said of it. */
export function reviewView(model: AppModel): ReviewView {
  const { review, desk, theme, state } = model;
  const width = state.size.columns - 1;
  const isAnswered = review?.answers.has(review.at) ?? false;
  const height = reviewHeight(state.size, isAnswered);
  const mostSaid = saidHeight(state.size, isAnswered);
  const lines = reviewLines(model);
  const at = review?.at ?? 0;
  const count = desk?.cases.length ?? 0;
  const one = desk?.cases[at];
  const top = clamp(review?.top ?? 0, 0, Math.max(0, lines.length - height));
  const body = lines.slice(top, top + height).map((line) => fitLine([segment(' '), ...line], width));
  while (body.length < height) body.push([]);
  const where = one ? `${at + 1} of ${count}` : 'done';
  const title = spreadLine(
    [
      segment(' review ', 'title'),
      // Of which run it is is known; which case is not, and stays where it is narrow.
      ...(one ? [segment(`  ${makeVisible(`${one.from.scenario} / ${one.from.check}`)}`, 'strong')] : []),
      segment(`   ${makeVisible(desk?.title ?? '')}`, 'faint'),
    ],
    [segment(`${where}   ${review?.answers.size ?? 0} labelled `, 'faint')],
    width,
  );
  const hidden = hiddenText({ top, height, count: lines.length });
  const rule = spreadLine(
    [segment(theme.glyphs.rule.repeat(Math.max(0, width - hidden.length - 2)), 'faint')],
    hidden === '' ? [] : [segment(`${hidden} `, 'faint')],
    width,
  );
  const said = saidLines(model)
    .slice(0, mostSaid)
    .map((line) => fitLine([segment(' '), ...line], width));
  while (said.length < mostSaid) said.push([]);
  return { title, body, rule, said };
}

function saidLines(model: AppModel): Line[] {
  const { review, desk, theme } = model;
  const one = review && desk?.cases[review.at];
  if (!one) return [];
  const width = textWidth(model);
  const given = review.answers.get(review.at);
  const note = given?.note ?? review.notes.get(review.at) ?? '';
  const noteLines = note === '' ? [] : labelled('note', note, 'plain', width).slice(0, 1);
  if (!given) {
    return [
      ...labelled('you', 'not said yet', 'faint', width),
      ...labelled('judge', 'hidden until you have said yours', 'faint', width),
      ...noteLines,
    ];
  }
  const agrees = judgedWord(one).endsWith('pass') === saidWord(given.said, one).endsWith('pass');
  const judgedUnknown = one.judged.pass === 'unknown';
  const word: Segment = judgedUnknown
    ? segment('no verdict', 'unknown')
    : agrees
      ? segment(`${theme.glyphs.checkPass} agrees`, 'pass')
      : segment(`${theme.glyphs.checkFail} disagrees`, 'fail');
  const revised = given.isRevised ? '   (changed after the judge was seen)' : '';
  return [
    ...labelled('you', `${saidWord(given.said, one)}${revised}`, 'strong', width),
    [...(labelled('judge', judgedWord(one), 'strong', width)[0] ?? []), segment('   '), word],
    ...labelled('', one.reason, 'plain', width).slice(0, noteLines.length > 0 ? 2 : 3),
    ...noteLines,
  ];
}
