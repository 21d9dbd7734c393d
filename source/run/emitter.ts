import type { Clock } from '../base/clock.js';
import type { RunEvent } from './events.js';
import type { Journal } from './journal.js';
import type { RunListener } from './types.js';

/** Tells of what happens in a run: to the journal first, then to whoever listens. */
export interface Emitter {
  /** Throws when the journal cannot be written. */
  emit(event: RunEvent): void;
  /** Says that the run is no evidence, once a kind. */
  taint(kind: Extract<RunEvent, { type: 'taint' }>['kind'], message: string): void;
  subscribe(listener: RunListener): () => void;
}

/** `onBrokenListener` hears what a listener throws: the others hear the event all the same. */
export function createEmitter(
  journal: Pick<Journal, 'append'>,
  clock: Clock,
  onBrokenListener: (error: unknown) => void,
): Emitter {
  const listeners = new Set<RunListener>();
  const taints = new Set<string>();

  function emit(event: RunEvent): void {
    const message = event.type === 'reply-progress' ? { event } : { event, position: journal.append(event) };
    for (const listener of listeners) {
      try {
        listener(message);
      } catch (error) {
        onBrokenListener(error);
      }
    }
    if (event.type === 'turn-finished' && event.turn.reply.fallback === true) {
      taint('fallback', `${event.trial.scenario}: the product fell back to its defaults`);
    }
  }

  function taint(kind: Extract<RunEvent, { type: 'taint' }>['kind'], message: string): void {
    if (taints.has(kind)) return;
    taints.add(kind);
    emit({ type: 'taint', at: clock.now(), kind, message });
  }

  return {
    emit,
    taint,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
