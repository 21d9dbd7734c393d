import type { KeyPress } from '../../keys/key-reader.js';
import { movingActions } from '../../keys/moving.js';
import type { AppModel } from '../../model.js';
import { closeScreen } from '../../screen-stack.js';
import { tell } from '../../told.js';
import { scrolled } from '../../viewport.js';
import { gridHeight } from '../grid/geometry.js';
import { shownGroups } from '../grid/groups.js';
import { cellIndex, cellsOf, selectedAt } from '../grid/state.js';
import { reasonText } from './checks.js';
import { matchesOf, type TrialContents } from './contents.js';
import { openedTrial, type PaneName, paneNames, type TrialState } from './state.js';

/** What the keys of the trial screen do. */
export const trialActions = {
  back(model: AppModel): void {
    const { trial, trialDesk } = model;
    if (trialDesk?.reading) {
      trialDesk.cancel();
      model.say('the reading was ended; nothing is kept of it');
    } else if (trial?.search) model.setTrial({ search: '', match: 0 });
    else if (trial?.isRaw) model.setTrial({ isRaw: false });
    else closeScreen(model);
  },
  'next-pane': (model: AppModel) => switchPane(model, 1),
  'previous-pane': (model: AppModel) => switchPane(model, -1),
  ...movingActions('trial', heightOf, move),
  'next-trial': (model: AppModel) => switchTrial(model, 1),
  'previous-trial': (model: AppModel) => switchTrial(model, -1),
  'next-scenario': (model: AppModel) => switchScenario(model, 1),
  'previous-scenario': (model: AppModel) => switchScenario(model, -1),
  'next-turn': (model: AppModel) => stepTurn(model, 1),
  'previous-turn': (model: AppModel) => stepTurn(model, -1),
  'to-turn'(model: AppModel, key: KeyPress): void {
    const turn = Number(key.name);
    const line = model.contents?.transcript.turnStarts.get(turn);
    if (line === undefined) model.say(`there is no turn ${turn}`);
    else showLine(model, line, `turn ${turn}`);
  },
  'next-evidence'(model: AppModel): void {
    const { contents } = model;
    const places = contents?.transcript.evidence ?? [];
    if (!contents) return;
    const last = places.findLastIndex((line) => line <= contents.top + thirdOf(contents));
    const at = (last + 1) % places.length;
    const line = places[at];
    if (line !== undefined) {
      showLine(model, line - thirdOf(contents), `evidence ${at + 1} of ${places.length}`);
    }
  },
  search: (model: AppModel) => {
    model.setTrial({ search: '', match: 0 });
    model.set({ field: { kind: 'search', text: '' } });
  },
  'next-match': (model: AppModel) => stepMatch(model, 1),
  'previous-match': (model: AppModel) => stepMatch(model, -1),
  agree: (model: AppModel) => giveLabel(model, true),
  disagree: (model: AppModel) => giveLabel(model, false),
  'take-back': takeLabelBack,
  'review-transcript': reviewTranscript,
  raw(model: AppModel): void {
    if (model.contents?.reading.record === undefined) model.say('the trial is not read yet');
    else model.setTrial({ isRaw: !model.trial?.isRaw, rawTop: 0, match: 0 });
  },
  unfold(model: AppModel): void {
    const { trial, contents } = model;
    if (!trial || !contents) return;
    // What is on screen stays there, whatever the evidence would scroll to.
    model.setTrial({ isUnfolded: !trial.isUnfolded, scroll: contents.top });
    model.say(trial.isUnfolded ? 'long tool answers are cut short' : 'tool answers are shown whole');
  },
  copy(model: AppModel): void {
    const { trial, contents } = model;
    if (!trial || !contents) return;
    const { text, name } = copied(trial, contents);
    model.say(text === '' ? 'there is nothing to copy here yet' : model.copy(text, name));
  },
};

/** The same key again takes back what it said. */
function giveLabel(model: AppModel, agrees: boolean): void {
  const { trial, contents, trialDesk } = model;
  const result = contents?.checks[contents.selected]?.result;
  const record = contents?.reading.record;
  if (!trial || !trialDesk || !result || !record) return;
  if (trialDesk.givenOn(trial.trial, result.checkId)?.agrees === agrees) takeLabelBack(model);
  else void trialDesk.label(record, result, agrees).then((told) => tell(model, told));
}

function takeLabelBack(model: AppModel): void {
  const { trial, contents, trialDesk } = model;
  const check = contents?.checks[contents.selected];
  if (trial && trialDesk && check) tell(model, trialDesk.takeBack(trial.trial, check.id));
}

/** What was said once is hidden and shown again; what could not be read is asked for anew. */
function reviewTranscript(model: AppModel): void {
  const { trial, contents, trialDesk } = model;
  const record = contents?.reading.record;
  if (!trial || !trialDesk || !record) return;
  const known = trialDesk.reviewOf(trial.trial);
  if (known && !known.unread) {
    model.setTrial({ hidesReview: !trial.hidesReview, scroll: contents.top });
    model.say(trial.hidesReview ? 'what the reviewer said is shown' : 'what the reviewer said is hidden');
    return;
  }
  model.setTrial({ hidesReview: false });
  void trialDesk.review(record).then((told) => told && tell(model, told));
}

function copied(trial: TrialState, contents: TrialContents): { text: string; name: string } {
  if (contents.raw) return { text: contents.raw.text, name: 'trial.json' };
  if (trial.pane === 'transcript') return { text: contents.transcript.plain, name: 'transcript.txt' };
  const check = contents.checks[contents.selected];
  return { text: check ? reasonText(check) : '', name: 'reason.txt' };
}

function switchPane(model: AppModel, steps: number): void {
  const at = paneNames.indexOf(model.trial?.pane ?? 'checks');
  const pane: PaneName = paneNames[(at + steps + paneNames.length) % paneNames.length] ?? 'checks';
  model.setTrial({ pane });
}

/** Lines that the pane with the keys shows at once. */
function heightOf({ trial, contents }: AppModel): number {
  if (!trial || !contents) return 1;
  const { body, checksHeight, reasonHeight, transcriptHeight } = contents.geometry;
  if (trial.isRaw) return body;
  if (trial.pane === 'transcript') return transcriptHeight;
  return trial.pane === 'reason' ? reasonHeight : checksHeight;
}

function move(model: AppModel, steps: number, isJump: boolean): void {
  const { trial, contents } = model;
  if (!trial || !contents) return;
  const height = heightOf(model);
  if (contents.raw) {
    const view = { top: contents.rawTop, height, count: contents.raw.lines.length };
    model.setTrial({ rawTop: scrolled(view, steps) });
  } else if (trial.pane === 'transcript') {
    scrollTranscript(model, contents, steps);
  } else if (trial.pane === 'reason') {
    const view = { top: contents.reasonTop, height, count: contents.reason.length };
    model.setTrial({ reasonTop: scrolled(view, steps) });
  } else {
    const last = contents.checks.length - 1;
    const at = Math.max(0, Math.min(last, contents.selected + steps));
    if (!isJump && at === contents.selected && last > 0)
      model.say(steps > 0 ? 'the last check' : 'the first check');
    model.setTrial({ check: contents.checks[at]?.id, scroll: 'auto', reasonTop: 0 });
  }
}

function scrollTranscript(model: AppModel, contents: TrialContents, steps: number): void {
  const view = {
    top: contents.top,
    height: contents.geometry.transcriptHeight,
    count: contents.transcript.lines.length,
  };
  const top = scrolled(view, steps);
  const isAtEnd = top >= view.count - view.height;
  // Whoever is at the end of a conversation that goes on stays at its end.
  model.setTrial({ scroll: isAtEnd && contents.cell.state === 'running' ? 'end' : top });
}

/** Brings a line of the transcript to the top of its pane, and the pane to the front. */
function showLine(model: AppModel, line: number, words: string): void {
  model.setTrial({ scroll: Math.max(0, line), pane: 'transcript' });
  model.say(words);
}

/** Lines above a place that is jumped to: what led to it is seen too. */
function thirdOf({ geometry }: TrialContents): number {
  return Math.floor(geometry.transcriptHeight / 3);
}

function stepTurn(model: AppModel, direction: 1 | -1): void {
  const { contents } = model;
  if (!contents) return;
  const { turnStarts, lines } = contents.transcript;
  const starts = [...turnStarts].sort(([, a], [, b]) => a - b);
  const lastTop = Math.max(0, lines.length - contents.geometry.transcriptHeight);
  const found =
    direction > 0
      ? starts.find(([, line]) => line > contents.top && contents.top < lastTop)
      : starts.findLast(([, line]) => line < contents.top);
  if (!found) model.say(direction > 0 ? 'the last turn is on screen' : 'this is the first turn');
  else showLine(model, found[1], `turn ${found[0]}`);
}

function stepMatch(model: AppModel, direction: 1 | -1): void {
  const { trial, contents } = model;
  const count = matchesOf(contents).length;
  if (!trial || count === 0) return;
  showMatch(model, (trial.match + direction + count) % count);
}

/** Brings a place where the searched text stands on screen. */
export function showMatch(model: AppModel, match: number): void {
  model.setTrial({ match });
  const { contents } = model;
  const line = matchesOf(contents)[match];
  if (!contents || line === undefined) return;
  const { top, geometry, rawTop } = contents;
  model.say(`${match + 1} of ${matchesOf(contents).length}`);
  if (contents.raw) {
    const isOnScreen = line >= rawTop && line < rawTop + geometry.body;
    if (!isOnScreen) model.setTrial({ rawTop: Math.max(0, line - Math.floor(geometry.body / 3)) });
    return;
  }
  const isSeen = line >= top && line < top + geometry.transcriptHeight;
  model.setTrial({
    pane: 'transcript',
    ...(isSeen ? { scroll: top } : { scroll: Math.max(0, line - thirdOf(contents)) }),
  });
}

function switchTrial(model: AppModel, steps: number): void {
  const { trial, contents } = model;
  if (!trial || !contents) return;
  const cells = cellsOf(contents.row);
  const cell = cells[(cellIndex(contents.row, trial.trial) + steps + cells.length) % cells.length];
  if (!cell) return;
  model.setGrid({ cell });
  const { pane, check, isRaw, isUnfolded, hidesReview } = trial;
  // The same check is looked at in the next trial when the person chose it.
  model.setTrial({
    ...openedTrial({ scenario: trial.trial.scenario, ...cell }),
    pane,
    check,
    isRaw,
    isUnfolded,
    hidesReview,
  });
}

function switchScenario(model: AppModel, steps: number): void {
  const { trial, grid, order, store } = model;
  if (!trial) return;
  const index = grid.index + steps;
  const row = store.tally?.rowById.get(order.at(index) ?? '');
  if (!row || index < 0) {
    model.say(steps > 0 ? 'this is the last scenario of the grid' : 'this is the first scenario of the grid');
    return;
  }
  const height = gridHeight(model.state.size, store.tally ? shownGroups(store.tally).length : 1);
  const cell = cellsOf(row)[cellIndex(row, trial.trial)];
  if (!cell) return;
  model.setGrid({ ...selectedAt(grid, order, height, index), cell });
  model.setTrial({
    ...openedTrial({ scenario: row.scenario.id, ...cell }),
    pane: trial.pane,
    isUnfolded: trial.isUnfolded,
    hidesReview: trial.hidesReview,
  });
}
