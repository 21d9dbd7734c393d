import type { AppModel } from '../model.js';
import { giveOverride, writeNarrowed } from '../screens/bisect/actions.js';
import { bisectOf } from '../screens/bisect/opening.js';
import { removeRun } from '../screens/history/actions.js';
import { saveBaseline } from '../screens/history/promote.js';
import { spend } from '../screens/home/actions.js';
import { askQuarantine, openTriageAt, release, runAgain } from '../screens/triage/quarantine.js';
import type { Field } from '../state.js';

/** Questions that one key answers. */
export type ChoiceField = Extract<
  Field,
  {
    kind:
      | 'override'
      | 'write'
      | 'bisect'
      | 'quarantine-what'
      | 'release'
      | 'run-again'
      | 'spend'
      | 'delete-run'
      | 'promote';
  }
>;

const choices: readonly Field['kind'][] = [
  'override',
  'write',
  'bisect',
  'quarantine-what',
  'release',
  'run-again',
  'spend',
  'delete-run',
  'promote',
];

export function isChoice(field: Field): field is ChoiceField {
  return choices.includes(field.kind);
}

/** Keys that are no answer change nothing. */
export function answerChoice(model: AppModel, field: ChoiceField, key: string): void {
  const close = () => model.set({ field: undefined });
  if (key === 'escape') close();
  else if (field.kind === 'override') {
    if (key !== 'g' && key !== 'i') return;
    close();
    giveOverride(model, field.hunk, key === 'g' ? 'guilty' : 'innocent');
  } else if (field.kind === 'quarantine-what') {
    const { scenario, check } = field;
    if (field.isOnGrid && key === 't') {
      close();
      openTriageAt(model, scenario, check);
      return;
    }
    if (key !== 's' && (key !== 'c' || check === undefined)) return;
    close();
    askQuarantine(model, key === 'c' && check !== undefined ? { scenario, check } : { scenario });
  } else if (key === 'n' || key === 'N' || key === 'q') close();
  else if (key === 'y' || key === 'Y') {
    close();
    agree(model, field);
  }
}

function agree(model: AppModel, field: Exclude<ChoiceField, { kind: 'override' | 'quarantine-what' }>): void {
  switch (field.kind) {
    case 'write':
      writeNarrowed(model);
      break;
    case 'bisect':
      bisectOf(model, field.watched);
      break;
    case 'run-again':
      runAgain(model, field.scenario);
      break;
    case 'release':
      release(model, field.entry);
      break;
    case 'delete-run':
      removeRun(model, field.runId);
      break;
    case 'promote':
      saveBaseline(model, field.run, field.proposal);
      break;
    case 'spend':
      spend(model, field.what);
      break;
  }
}
