import type { Clock } from '../base/clock.js';
import type { AppModel } from './model.js';
import { type ChangeDesk, openChangeDesk } from './screens/compare/desk-state.js';
import { type DeskState, openDeskState } from './screens/trial/desk-state.js';
import type { AppRun } from './types.js';

/** What is kept beside the journals of the runs, opened when somebody first looks at what it is about. */
export interface RunDesks {
  /** Of the trials of the run on screen; undefined until one was opened. */
  trials(model: AppModel): DeskState | undefined;
  /** Of its changes; undefined before its first message. */
  changes(model: AppModel): ChangeDesk | undefined;
  close(): void;
}

export function createRunDesks(clock: Clock, onChange: () => void): RunDesks {
  const ofTrials = new Map<AppRun, ReturnType<typeof openDeskState>>();
  const ofChanges = new Map<AppRun, ReturnType<typeof openChangeDesk>>();
  return {
    trials({ store: { tally, run }, trial }) {
      let desk = ofTrials.get(run);
      if (!desk && tally && run.openDesk && trial) {
        desk = openDeskState(run, tally.started, clock, onChange);
        ofTrials.set(run, desk);
      }
      return desk;
    },
    changes({ store: { tally, run } }) {
      let desk = ofChanges.get(run);
      if (!desk && tally) {
        desk = openChangeDesk(run, tally, onChange);
        ofChanges.set(run, desk);
      }
      return desk;
    },
    close() {
      for (const desk of [...ofTrials.values(), ...ofChanges.values()]) desk.close();
    },
  };
}
