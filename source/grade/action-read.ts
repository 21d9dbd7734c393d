import { isJsonObject, type Json } from '../base/json.js';
import type { Turn } from '../play/types.js';
import type { SeenAction } from './action-compare.js';
import { isPresent, selectValues } from './json-reply.js';
import { callsOf, evidenceOf } from './turns.js';
import type { Evidence } from './types.js';

/** Where things stand in a JSON reply: JSONPaths. */
export interface ActionPaths {
  several: string;
  action_type: string;
  noop: string;
  fields: string;
}

/**
 * What was decided. `noop`: `yes` nothing is to be done, `no` there are actions, `both` it says that nothing is to
 * be done and yet has actions, `unsaid` neither (an empty object, say, which is no decision at all).
 */
export interface Reading {
  noop: 'yes' | 'no' | 'both' | 'unsaid';
  actions: SeenAction[];
}

/** Reads the actions of a JSON reply: a list of them, or one that the reply itself is. */
export function readJsonActions(value: Json, paths: ActionPaths): Reading {
  const [saidNoop] = selectValues(value, paths.noop);
  const list = actionList(value, paths.several);
  const actions = (list ?? singleAction(value, paths)).map((one) => readAction(one, paths));
  if (actions.length > 0) return { noop: saidNoop === true ? 'both' : 'no', actions };
  const isNoop = saidNoop === true || (list !== undefined && saidNoop !== false);
  return { noop: isNoop ? 'yes' : 'unsaid', actions };
}

/** A list that the path selects, or all that it selects (`$.actions[*]`); undefined where there is no list. */
function actionList(value: Json, path: string): Json[] | undefined {
  const selected = selectValues(value, path).filter((one) => one !== null);
  const [first] = selected;
  if (first === undefined) return undefined;
  return selected.length === 1 && Array.isArray(first) ? first : selected;
}

function singleAction(value: Json, paths: ActionPaths): Json[] {
  return isPresent(selectValues(value, paths.action_type)[0]) ? [value] : [];
}

function readAction(value: Json, paths: ActionPaths): SeenAction {
  const [type] = selectValues(value, paths.action_type);
  const [fields] = selectValues(value, paths.fields);
  return {
    type: typeof type === 'string' && type.trim() !== '' ? type : undefined,
    fields: isJsonObject(fields) ? fields : {},
  };
}

/** Reads every tool call of the turns as one action. */
export function readToolActions(turns: readonly Turn[]): Reading & { evidence: Evidence[] } {
  const calls = callsOf(turns);
  return {
    noop: calls.length === 0 ? 'yes' : 'no',
    actions: calls.map(({ call }) => ({
      type: call.name,
      // Arguments that are no JSON object hold no field that could be right.
      fields: typeof call.args === 'string' ? {} : call.args,
    })),
    evidence: calls.map(evidenceOf),
  };
}
