import { UserError } from '../../source/base/errors.js';
import { defaultQuarantine } from '../../source/project/quarantine-settings.js';
import type { QuarantineEntry } from '../../source/run/planned.js';
import type { RunSummary } from '../../source/run/summary.js';
import { editedEntries, type QuarantineEdit } from '../../source/triage/quarantine-edit.js';
import { overlaps } from '../../source/triage/quarantine-file.js';
import { isAboutBroken } from '../../source/triage/suggest.js';
import { type SuiteTriage, triageSuite } from '../../source/triage/triage.js';
import type { QuarantineKey, TriageDesk } from '../../source/ui/triage-desk.js';
import type { AppRun, TriagedSuite } from '../../source/ui/types.js';
import { dayAt, dayMs } from '../triage/support.js';

/** The triage of a suite whose quarantine stands in memory. */
export interface FakeTriage extends TriagedSuite {
  entries: QuarantineEntry[];
  /** When it is. */
  now: number;
}

export function entry(scenario: string, more: Partial<QuarantineEntry> = {}): QuarantineEntry {
  const about = { scenario, owner: 'Ada', reason: 'the model is unsure', evidence: [] };
  return { ...about, since: '2026-10-01', until: '2099-01-01', ...more };
}

/** What the runs say of a suite that asks what they asked. `edit`: changes what is read. */
export function fakeTriage(
  summaries: readonly RunSummary[],
  {
    entries = [] as QuarantineEntry[],
    day = 0,
    desk = {} as Partial<TriageDesk>,
    suite = 'tiny',
    runAgain = async (_scenario: string): Promise<AppRun> => {
      throw new UserError('not here');
    },
    edit = (one: SuiteTriage) => one,
  } = {},
): FakeTriage {
  const scenarios = new Map<string, Set<string>>();
  for (const { results = [] } of summaries)
    for (const one of results.flatMap((result) => result.scenarios)) {
      const known = scenarios.get(one.id) ?? new Set();
      for (const { id } of one.checks) known.add(id);
      scenarios.set(one.id, known);
    }
  const of = {
    name: 'tiny',
    folder: '/none',
    scenarios: Array.from(scenarios, ([id, checks]) => ({
      id,
      checks: Array.from(checks, (check) => ({ id: check })),
    })),
  };
  const change = async (edited: QuarantineEdit) => {
    const before = fake.entries;
    fake.entries = editedEntries(before, edited);
    return () => {
      fake.entries = before;
    };
  };
  const triaged = () =>
    triageSuite(
      of,
      { summaries, damaged: [] },
      { file: 'q', entries: fake.entries },
      { settings: defaultQuarantine, now: fake.now },
    );
  const indexOf = ({ scenario, check }: QuarantineKey) =>
    fake.entries.findIndex((one) => one.scenario === scenario && one.check === check);
  const fake: FakeTriage = {
    suite,
    runAgain,
    entries,
    now: dayAt(day) + dayMs / 2,
    async open() {
      return {
        read: async () => edit({ ...triaged(), suite }),
        async propose(key) {
          if (fake.entries.some((one) => overlaps(one, key))) throw new UserError('quarantined already');
          return { owner: 'Ada', until: '2026-12-14', isBroken: isAboutBroken(triaged().rows, key) };
        },
        proposeEnd: () => '2026-12-14',
        whyNoEnd: (until) =>
          /^2026-\d\d-\d\d$/.test(until) ? undefined : 'expected a day, as in 2026-12-14',
        quarantine: ({ reason, owner, until, ...key }) =>
          change({ kind: 'add', entry: { ...key, owner, reason, since: '2026-11-30', until, evidence: [] } }),
        release: (key) => change({ kind: 'release', index: indexOf(key) }),
        extend: (key, until) => change({ kind: 'extend', index: indexOf(key), until }),
        placeOf: (scenario) => ({ file: `/project/${scenario}.yaml`, line: 3 }),
        async openTrials() {
          throw new UserError('not here');
        },
        ...desk,
      };
    },
  };
  return fake;
}
