import type { AppModel } from './model.js';
import { openTriageStanding, type TriageStanding } from './screens/triage/standing.js';
import type { AppRun, HomeDesk, TriagedSuite } from './types.js';

/** The suites that can be triaged over the screens of a model, and their triages, each opened once. */
export interface Triages {
  /** The suite on screen: that of the triage, else that of the run; undefined where nothing can be quarantined. */
  suite(model: AppModel): TriagedSuite | undefined;
  /** Its triage, which is read when it is first opened; undefined without such a suite. */
  open(model: AppModel): TriageStanding | undefined;
  /** Its triage where it is on screen, or was opened before. */
  known(model: AppModel): TriageStanding | undefined;
  close(): void;
}

export function createTriages(home: HomeDesk | undefined, onChange: () => void): Triages {
  const ofRuns = new Map<AppRun, TriagedSuite>();
  const ofHome = new Map<string, TriagedSuite>();
  const standings = new Map<TriagedSuite, ReturnType<typeof openTriageStanding>>();

  /** The suite whose triage is open over home. */
  function suiteOfHome({ triage, homeState }: AppModel): TriagedSuite | undefined {
    const name = triage && homeState?.triaged;
    if (name === undefined || !home) return undefined;
    const suite = ofHome.get(name) ?? home.triage(name);
    ofHome.set(name, suite);
    return suite;
  }

  function suiteOf(model: AppModel): TriagedSuite | undefined {
    const { tally, run } = model.store;
    const triaged = model.triageSuites[model.triage?.at ?? 0] ?? suiteOfHome(model);
    if (triaged || !tally || !run.triage) return triaged;
    const suite = ofRuns.get(run) ?? run.triage(tally.started.suite);
    ofRuns.set(run, suite);
    return suite;
  }

  function open(model: AppModel): TriageStanding | undefined {
    const suite = suiteOf(model);
    if (!suite) return undefined;
    const standing = standings.get(suite) ?? openTriageStanding(suite, onChange);
    standings.set(suite, standing);
    return standing;
  }

  return {
    suite: suiteOf,
    open,
    known(model) {
      if (model.triage) return open(model);
      // A run's is not opened before somebody asks for it: it goes over the whole history.
      const suite = suiteOf(model);
      return suite && standings.get(suite);
    },
    close() {
      for (const standing of standings.values()) standing.close();
    },
  };
}
