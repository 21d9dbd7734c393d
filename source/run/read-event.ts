import { UserError } from '../base/errors.js';
import { isJsonObject, type JsonObject } from '../base/json.js';
import { journalVersion, type RunEvent } from './events.js';

type Kind = 'number' | 'string' | 'boolean' | 'object' | 'array';

const trialFields = { at: 'number', trial: 'object', attempt: 'number' } as const;

/** The members that a reader relies on, by type of event. Not the whole shape: journals are read far too often for that. */
const required: { [type in RunEvent['type']]: Record<string, Kind> } = {
  'run-started': {
    at: 'number',
    version: 'number',
    runId: 'string',
    suite: 'string',
    plan: 'object',
    seed: 'string',
  },
  'run-resumed': { at: 'number' },
  'trial-started': trialFields,
  'reply-progress': { trial: 'object', turn: 'number', text: 'string' },
  'turn-finished': { ...trialFields, turn: 'object' },
  'check-finished': { ...trialFields, result: 'object' },
  'trial-finished': { ...trialFields, end: 'object', unsent: 'array', ms: 'number', tokens: 'object' },
  'trial-errored': { ...trialFields, kind: 'string', message: 'string', final: 'boolean' },
  'product-log': { ...trialFields, text: 'string' },
  'request-retried': { at: 'number', model: 'string', kind: 'string', message: 'string', waitMs: 'number' },
  'plan-extended': { at: 'number', scenario: 'string', from: 'number', to: 'number' },
  taint: { at: 'number', kind: 'string', message: 'string' },
  'run-finished': { at: 'number', outcome: 'string' },
};

/** A line of a journal that cannot be what evalrun wrote. Nothing of such a run can be relied on. */
export class JournalError extends UserError {
  constructor(file: string, line: number, message: string) {
    super(`${file}:${line}: ${message}`);
    this.name = 'JournalError';
  }
}

/** Reads the line of one event; `line` counts from 1 and is for the message. Throws JournalError. */
export function readEvent(text: string, file: string, line: number): RunEvent {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new JournalError(file, line, 'the journal is damaged here: this line is not JSON');
  }
  if (!isJsonObject(value) || typeof value.type !== 'string') {
    throw new JournalError(file, line, 'the journal is damaged here: this line is not an event');
  }
  if (value.type === 'run-started' && typeof value.version === 'number' && value.version > journalVersion) {
    throw new JournalError(
      file,
      line,
      `the journal has format ${value.version} and this evalrun reads up to ${journalVersion}: update evalrun`,
    );
  }
  if (!Object.hasOwn(required, value.type)) {
    throw new JournalError(
      file,
      line,
      `this evalrun knows no event ${JSON.stringify(value.type)}: update evalrun`,
    );
  }
  const lacking = lackingMember(value, value.type as RunEvent['type']);
  if (lacking) {
    throw new JournalError(
      file,
      line,
      `the journal is damaged here: ${value.type} without a proper ${lacking}`,
    );
  }
  return value as unknown as RunEvent;
}

function lackingMember(value: JsonObject, type: RunEvent['type']): string | undefined {
  for (const [name, kind] of Object.entries(required[type])) {
    if (kindOf(value[name]) !== kind) return name;
  }
  if (type === 'run-started') return lackingPlan(value.plan);
  const { trial } = value;
  if (!isJsonObject(trial)) return undefined;
  const isKey =
    typeof trial.scenario === 'string' &&
    typeof trial.condition === 'string' &&
    typeof trial.repeat === 'number';
  return isKey ? undefined : 'trial';
}

function lackingPlan(plan: unknown): string | undefined {
  const isPlan =
    isJsonObject(plan) &&
    Array.isArray(plan.scenarios) &&
    Array.isArray(plan.conditions) &&
    typeof plan.repeat === 'number';
  return isPlan ? undefined : 'plan';
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}
