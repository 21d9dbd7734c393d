import { makeVisible } from '../../../base/text.js';
import { fitToWidth, textWidth } from '../../../base/width.js';
import { cacheHitRate } from '../../../model/types.js';
import { formatDuration, formatKnownTokens, formatShare } from '../../../report/format.js';
import { conditionName } from '../../conditions.js';
import type { AppModel } from '../../model.js';
import { fitLine, type Line, lineWidth, type Segment, segment, spreadLine } from '../../segments.js';
import { spinnerFrame, type Theme } from '../../theme.js';
import { hiddenText, topFor } from '../../viewport.js';
import { fitName } from '../grid/name.js';
import { checkLook } from './checks.js';
import type { TrialContents } from './contents.js';
import { type Paint, painted } from './highlight.js';
import type { PaneName, TrialState } from './state.js';

/** The trial screen as lines: title, pane titles, body. */
export interface TrialView {
  title: Segment[];
  panes: Segment[];
  body: Segment[][];
}

export function trialView(model: AppModel, trial: TrialState, contents: TrialContents): TrialView {
  const width = model.state.size.columns - 1;
  if (contents.raw) return rawView(model, trial, contents, width);
  return {
    title: titleLine(model, contents, width),
    panes: paneTitles(model, trial, contents, width),
    body: bodyLines(model, trial, contents).map((line) => fitLine(line, width)),
  };
}

function bodyLines(model: AppModel, trial: TrialState, contents: TrialContents): Line[] {
  const { body, mode, leftWidth, transcriptHeight } = contents.geometry;
  const indent = segment(' ');
  const rows = Array.from({ length: body }, (_, index) => index);
  if (mode === 'wide') {
    const left = leftPane(model, trial, contents);
    const right = transcriptPane(model, contents);
    const middle = wall(model.theme);
    return rows.map((row) => [indent, ...fitLine(left[row] ?? [], leftWidth), middle, ...(right[row] ?? [])]);
  }
  if (mode === 'single') {
    const pane =
      trial.pane === 'transcript' ? transcriptPane(model, contents) : leftPane(model, trial, contents);
    return rows.map((row) => [indent, ...(pane[row] ?? [])]);
  }
  const top = leftPane(model, trial, contents);
  while (top.length < body - transcriptHeight - 1) top.push([]);
  const name = ruleLine(model.theme, transcriptName(contents), trial.pane === 'transcript', leftWidth);
  return [...top, name, ...transcriptPane(model, contents)].map((line) => [indent, ...line]);
}

function wall({ glyphs }: Theme): Segment {
  return segment(` ${glyphs.wall} `, 'faint');
}

/** Scenario, trial, verdict; at the other end what it took. */
function titleLine({ theme, clock }: AppModel, contents: TrialContents, width: number): Segment[] {
  const { row, group, cell, tally, reading } = contents;
  const condition = tally.conditions.length > 1 ? conditionName(tally, group.condition) : undefined;
  const dot = segment(` ${theme.glyphs.dot} `, 'faint');
  const { state } = cell;
  const verdict =
    state === 'running'
      ? segment(`${spinnerFrame(theme.glyphs, clock.now())} running`, 'running')
      : segment(state === 'waiting' ? 'waiting' : state.toUpperCase(), state);
  const tail: Segment[] = [
    ...(condition === undefined ? [] : [dot, segment(condition, 'accent')]),
    dot,
    segment(`trial ${cell.repeat} of ${group.cells.length}`),
    dot,
    verdict,
    ...(cell.attempt > 1 ? [dot, segment(`attempt ${cell.attempt}`, 'warn')] : []),
  ];
  const facts: string[] = [];
  const agent = cell.tokens?.agent;
  if (agent) {
    const isPartial = cell.tokens?.isAgentPartial ?? false;
    facts.push(`tokens ${formatKnownTokens(agent.input + agent.output, isPartial)}`);
    const cache = cacheHitRate(agent);
    if (cache !== undefined) facts.push(`cache ${formatShare(cache)}`);
  }
  const ms = cell.ms ?? reading.record?.finished?.ms;
  if (ms !== undefined) facts.push(formatDuration(ms));
  const right = facts.length > 0 ? [segment(facts.join('  '), 'faint')] : [];
  // The name gives way before the verdict does.
  const id = makeVisible(row.scenario.id);
  const whole = 1 + textWidth(id) + lineWidth(tail);
  const isRoomy = whole + 2 + lineWidth(right) <= width;
  const name = fitName(id, Math.max(8, Math.min(textWidth(id), width - lineWidth(tail) - 1)));
  return spreadLine([segment(' '), segment(name, 'title'), ...tail], isRoomy ? right : [], width);
}

function paneTitles(
  { theme }: AppModel,
  trial: TrialState,
  contents: TrialContents,
  width: number,
): Segment[] {
  const { geometry } = contents;
  const names = { checks: checksName(contents), reason: 'reason', transcript: transcriptName(contents) };
  const title = (pane: PaneName) => paneName(theme, names[pane], trial.pane === pane);
  const indent = segment(' ');
  if (geometry.mode === 'stacked') return fitLine([indent, title('checks')], width);
  if (geometry.mode === 'wide') {
    const left = fitLine([title('checks')], geometry.leftWidth);
    return fitLine([indent, ...left, wall(theme), title('transcript')], width);
  }
  const between = segment('  ');
  return fitLine([indent, title('checks'), between, title('reason'), between, title('transcript')], width);
}

/** The name of a pane; the one that hears the keys has the marker, which is seen without colour too. */
function paneName({ glyphs }: Theme, name: string, hasKeys: boolean): Segment {
  return hasKeys ? segment(`${glyphs.marker} ${name}`, 'accent') : segment(name, 'faint');
}

function checksName({ checks, geometry, selected }: TrialContents): string {
  const view = { top: 0, height: geometry.checksHeight, count: checks.length };
  const hidden = hiddenText({ ...view, top: topFor(view, selected) });
  return hidden === '' ? 'checks' : `checks (${hidden})`;
}

/** What stands below is said at the end of the pane, where the eye is then. */
function transcriptName({ top }: TrialContents): string {
  return top === 0 ? 'transcript' : `transcript (${top} above)`;
}

/** A rule that names the pane below it. */
function ruleLine(theme: Theme, name: string, hasKeys: boolean, width: number): Line {
  const words = paneName(theme, name, hasKeys);
  return [
    segment(`${theme.glyphs.rule} `, 'faint'),
    words,
    segment(` ${theme.glyphs.rule.repeat(Math.max(0, width - textWidth(words.text) - 3))}`, 'faint'),
  ];
}

/** The list of checks, and below it why the selected one ended as it did. */
function leftPane({ theme }: AppModel, trial: TrialState, contents: TrialContents): Line[] {
  const { geometry, checks, selected, reason, reasonTop } = contents;
  const { leftWidth, checksHeight, reasonHeight } = geometry;
  const top = topFor({ top: 0, height: checksHeight, count: checks.length }, selected);
  const list = checks.slice(top, top + checksHeight).map((item, index): Line => {
    const { mark, tone, score } = checkLook(item, theme.glyphs);
    const isSelected = top + index === selected;
    const room = leftWidth - 4 - (score === '' ? 0 : textWidth(score) + 2);
    return [
      segment(isSelected ? `${theme.glyphs.marker} ` : '  ', trial.pane === 'checks' ? 'accent' : 'faint'),
      segment(`${mark} `, tone),
      segment(fitToWidth(makeVisible(item.id), room), isSelected ? 'strong' : 'plain'),
      ...(score === '' ? [] : [segment(`  ${score}`, tone)]),
    ];
  });
  while (list.length < checksHeight) list.push([]);
  const below = reason.length - reasonTop - reasonHeight;
  const name = below > 0 ? `reason (${below} more)` : 'reason';
  const text = reason
    .slice(reasonTop, reasonTop + reasonHeight)
    .map((line): Line => [segment('  '), ...line]);
  return [...list, ruleLine(theme, name, trial.pane === 'reason', leftWidth), ...text];
}

function transcriptPane({ theme }: AppModel, contents: TrialContents): Line[] {
  const { transcript, top, geometry, reading, cell } = contents;
  if (reading.problem !== undefined) {
    return [[segment(`cannot read the trial: ${makeVisible(reading.problem)}`, 'error')]];
  }
  if (transcript.lines.length === 0) return [[segment(emptyText(contents), 'faint')]];
  const lines = transcript.lines.slice(top, top + geometry.transcriptHeight);
  const below = transcript.lines.length - top - lines.length;
  // Only where something is below does the last line say so: it costs a line of what is read.
  if (below <= 0 || cell.state === 'running') return [...lines];
  return [...lines.slice(0, -1), [segment(`${theme.glyphs.waiting} ${below + 1} more lines`, 'faint')]];
}

function emptyText({ reading, cell }: TrialContents): string {
  if (cell.state === 'waiting') return 'waiting: this trial has not started yet';
  if (reading.record === undefined && !reading.isSlow) return '';
  if (reading.isSlow) return 'reading …';
  if (cell.state === 'running') return 'nothing has been said yet';
  return cell.state === 'error'
    ? `could not be run: ${makeVisible(cell.why ?? 'no reason was recorded')}`
    : 'nothing was said';
}

function rawView({ theme }: AppModel, trial: TrialState, contents: TrialContents, width: number): TrialView {
  const { raw, rawTop, geometry } = contents;
  const { row, cell } = contents;
  const count = raw?.lines.length ?? 0;
  const place = `lines ${rawTop + 1}–${Math.min(count, rawTop + geometry.body)} of ${count}`;
  const paints = (raw?.found ?? []).map(
    (range, index): Paint => ({ ...range, tone: 'found', isChosen: index === trial.match }),
  );
  const body = (raw?.lines ?? [])
    .slice(rawTop, rawTop + geometry.body)
    .map((range) => [segment(' '), ...painted(raw?.text ?? '', range, 'plain', paints)]);
  while (body.length < geometry.body) body.push([]);
  const dot = theme.glyphs.dot;
  const title = `${makeVisible(row.scenario.id)} ${dot} trial ${cell.repeat} ${dot} as JSON`;
  return {
    title: spreadLine([segment(' '), segment(title, 'title')], [segment(place, 'faint')], width),
    panes: [],
    body: body.map((line) => fitLine(line, width)),
  };
}
