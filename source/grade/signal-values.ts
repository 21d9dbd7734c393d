import type { Json } from '../base/json.js';
import type { Turn } from '../play/types.js';
import { quoteJson } from './quote.js';

/** A named value that the product reported with one turn. */
export interface SignalReading {
  turn: number;
  /** Undefined: the turn has no such signal. */
  value: Json | undefined;
}

/** What the turns report under a name, one reading a turn. A turn that a missing fixture broke off reports nothing yet. */
export function readSignal(turns: readonly Turn[], name: string): SignalReading[] {
  return turns
    .filter((turn) => turn.reply.stop !== 'no-fixture')
    .map((turn) => {
      const { signals } = turn.reply;
      return { turn: turn.index, value: signals && Object.hasOwn(signals, name) ? signals[name] : undefined };
    });
}

/** `8 (turn 1), 5 (turn 3)`, cut where it is long. */
export function listReadings(readings: readonly SignalReading[]): string {
  const most = 6;
  const shown = readings
    .slice(0, most)
    .map(({ turn, value }) => `${quoteJson(value, 60)} (turn ${turn})`)
    .join(', ');
  return readings.length > most ? `${shown} and ${readings.length - most} more` : shown;
}

/** Why nothing can be said of a signal that no turn reports, with the names of those that are reported. */
export function neverReported(name: string, turns: readonly Turn[]): string {
  const others = [...new Set(turns.flatMap((turn) => Object.keys(turn.reply.signals ?? {})))].slice(0, 8);
  const known = others.length > 0 ? `; reported: ${others.map((one) => quoteJson(one, 40)).join(', ')}` : '';
  return `cannot be decided: no turn reports ${quoteJson(name, 60)}${known}`;
}
