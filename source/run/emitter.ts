import type { Clock } from '../base/clock.js';
import type { RunEvent } from './events.js';
import type { Journal } from './journal.js';
import { taintOfTrial } from './trial-taint.js';
import type { RunListener } from './types.js';

/** Tells of what happens in a run: to the journal first, then to whoever listens. */
export interface Emitter {
  /** Says too, once a kind, that the run is no evidence. Throws when the journal cannot be written. */
  emit(event: RunEvent): void;
  subscribe(listener: RunListener): () => void;
}

/** `purpose`: of the run. `onBrokenListener` hears what a listener throws: the others hear the event all the same. */
export function createEmitter(
  journal: Pick<Journal, 'append'>,
  clock: Clock,
  purpose: Extract<RunEvent, { type: 'run-started' }>['purpose'],
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
    const taint = taintOfTrial(event, purpose);
    if (!taint || taints.has(taint.kind)) return;
    taints.add(taint.kind);
    emit({ type: 'taint', at: clock.now(), ...taint });
  }

  return {
    emit,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
