import { UserError } from '../base/errors.js';
import { isJsonObject } from '../base/json.js';
import { quote } from '../base/quote.js';
import { improperMember, isEventType } from './event-shape.js';
import { journalVersion, type RunEvent } from './events.js';

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
  const { type } = value;
  if (!isEventType(type)) {
    throw new JournalError(file, line, `this evalrun knows no event ${quote(type)}: update evalrun`);
  }
  const improper = improperMember(value, type);
  if (improper !== undefined) {
    throw new JournalError(file, line, `the journal is damaged here: ${type} without a proper ${improper}`);
  }
  return value as unknown as RunEvent;
}
