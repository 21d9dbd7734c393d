import { makeVisible } from '../../base/text.js';
import { graphemes } from '../../base/width.js';
import { mostTrials, spentTrials } from '../../bisect/session.js';
import type { AppModel } from '../model.js';
import { giveBudget, giveNote } from '../screens/bisect/actions.js';
import { giveBlessing } from '../screens/compare/actions.js';
import { addTrials, gridActions } from '../screens/grid/actions.js';
import { parseFilter } from '../screens/grid/filter.js';
import { setNote } from '../screens/review/actions.js';
import { moveBy, setTriageFilter } from '../screens/triage/actions.js';
import { acceptEnd, acceptQuarantine, previousQuestion } from '../screens/triage/quarantine.js';
import { showMatch } from '../screens/trial/actions.js';
import { matchesOf } from '../screens/trial/contents.js';
import type { Field, TextField } from '../state.js';
import type { KeyPress } from './key-reader.js';
import { answerQuestion } from './question-fields.js';

/** More trials than that at once are a typing mistake. */
const mostAdded = 200;
const longestText = 200;

/** Gives a key to the field at the bottom of the screen. */
export function pressInField(model: AppModel, field: Field, key: KeyPress): void {
  if (!('text' in field)) answerQuestion(model, field, key.name);
  else if (key.name === 'enter') accept(model, field);
  else if (key.name === 'escape') cancel(model, field);
  else if (field.kind === 'filter' && key.name === 'down') gridActions['grid-down'](model);
  else if (field.kind === 'filter' && key.name === 'up') gridActions['grid-up'](model);
  else if (field.kind === 'triage-filter' && (key.name === 'down' || key.name === 'up'))
    moveBy(model, key.name === 'down' ? 1 : -1);
  else if (field.kind === 'quarantine' && (key.name === 'up' || key.name === 'shift+tab'))
    previousQuestion(model, field);
  else {
    take(model, edited(field, key));
  }
}

/** The field after a key: typing, pasting, and the ways to take back. Keys that are none of these change nothing. */
function edited(field: TextField, key: KeyPress): TextField {
  const { text } = field;
  switch (key.name) {
    case 'backspace':
    case 'delete':
      return { ...field, text: graphemes(text).slice(0, -1).join('') };
    case 'ctrl+u':
      return { ...field, text: '' };
    case 'ctrl+w':
      return { ...field, text: text.replace(/\S+\s*$/u, '') };
    default: {
      const typed = graphemes(makeVisible(key.text).replaceAll('↵', ' '));
      if (field.kind !== 'add' && field.kind !== 'budget')
        return { ...field, text: shortened(text + typed.join('')) };
      const digits = typed.filter((grapheme) => /^\d$/.test(grapheme)).join('');
      if (digits === '') return field;
      return { ...field, text: shortened((field.isFresh ? '' : text) + digits), isFresh: false };
    }
  }
}

function shortened(text: string): string {
  return graphemes(text).slice(0, longestText).join('');
}

/** Filter and search follow the typing. */
function take(model: AppModel, field: TextField): void {
  model.set({ field, message: undefined });
  if (field.kind === 'filter') {
    model.setGrid({ filter: field.text, index: 0, top: 0 });
    const { problem } = parseFilter(field.text, model.store.changeOf);
    if (problem !== undefined) model.say(problem, 'warn');
  }
  if (field.kind === 'watch') model.setWatch({ filter: field.text, at: 0, top: 0 });
  if (field.kind === 'triage-filter') setTriageFilter(model, field.text);
  if (field.kind === 'search') {
    model.setTrial({ search: field.text });
    showMatch(model, 0);
    model.set({ message: undefined });
  }
}

function cancel(model: AppModel, field: TextField): void {
  model.set({ field: undefined });
  if (field.kind === 'filter') model.setGrid({ filter: '' });
  if (field.kind === 'search') model.setTrial({ search: '', match: 0 });
  if (field.kind === 'watch') model.setWatch({ filter: '', at: 0, top: 0 });
  if (field.kind === 'triage-filter') setTriageFilter(model, '');
}

function accept(model: AppModel, field: TextField): void {
  if (field.kind === 'add') {
    const count = Number(field.text);
    if (count < 1 || count > mostAdded) {
      model.say(`from 1 to ${mostAdded}`, 'warn');
      return;
    }
    model.set({ field: undefined });
    addTrials(model, field.scenario, count);
    return;
  }
  if (field.kind === 'bless') {
    const { scenario, check, text } = field;
    if (text.trim() === '') {
      model.say('say why, in words that a reviewer can judge', 'warn');
      return;
    }
    model.set({ field: undefined });
    giveBlessing(model, { scenario, check }, text.trim());
    return;
  }
  if (field.kind === 'budget') {
    acceptBudget(model, Number(field.text));
    return;
  }
  if (field.kind === 'quarantine') {
    acceptQuarantine(model, field);
    return;
  }
  if (field.kind === 'extend') {
    acceptEnd(model, field.entry, field.text);
    return;
  }
  model.set({ field: undefined });
  if (field.kind === 'watch' || field.kind === 'triage-filter') return;
  if (field.kind === 'bisect-note') {
    if (field.text.trim() !== '') giveNote(model, field.text.trim(), field.hunk);
    return;
  }
  if (field.kind === 'note') {
    setNote(model, field.text);
    return;
  }
  const found = field.kind === 'search' ? matchesOf(model.contents).length : undefined;
  if (found === 0 && field.text !== '') model.say('the text is not in this trial', 'warn');
  else if (found) model.say(`${found} found: n and N go from one to the next`);
}

/** A budget that is spent already would end the bisect at once. */
function acceptBudget(model: AppModel, budget: number): void {
  const spent = model.bisectDesk ? spentTrials(model.bisectDesk.record.session()) : 0;
  if (budget <= spent || budget > mostTrials) {
    model.say(`from ${spent + 1} to ${mostTrials}`, 'warn');
    return;
  }
  model.set({ field: undefined });
  giveBudget(model, budget);
}
