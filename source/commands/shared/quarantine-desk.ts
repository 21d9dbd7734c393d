import { rmSync } from 'node:fs';
import { systemClock } from '../../base/clock.js';
import { dayOf, daysAfter } from '../../base/day.js';
import { openForEdit } from '../../base/edit-file.js';
import { UserError } from '../../base/errors.js';
import { entryName } from '../../compare/quarantine-words.js';
import type { Project } from '../../project/config.js';
import { gitLastAuthor, gitUser } from '../../project/git.js';
import { logsFolder } from '../../project/paths.js';
import { type QuarantineSettings, quarantineSettings } from '../../project/quarantine-settings.js';
import { createTallyKeeper } from '../../report/summary.js';
import type { QuarantineEntry } from '../../run/events.js';
import type { KnownSummaries } from '../../run/runs.js';
import type { Suite } from '../../suite/types.js';
import { isAbout } from '../../tally/quarantine.js';
import { type RunHistory, readRunHistory } from '../../triage/history.js';
import { createQuarantineEditor, proveEdit, type QuarantineEdit } from '../../triage/quarantine-edit.js';
import {
  overlaps,
  parseQuarantine,
  type QuarantineFile,
  quarantinePath,
  readQuarantine,
} from '../../triage/quarantine-file.js';
import { shareText, unknownPart } from '../../triage/quarantine-suite.js';
import { quarantineShare } from '../../triage/suggest.js';
import { evidenceOf, proposedEnd, type SuiteTriage, triageSuite } from '../../triage/triage.js';
import type { CommandIo } from '../io.js';
import { readJudging } from './judging.js';

/** What of a new entry a person says; what they leave out is proposed. */
export interface Wish extends Partial<Pick<QuarantineEntry, 'owner' | 'until' | 'evidence' | 'check'>> {
  scenario: string;
  reason: string;
}

/** The quarantine of one suite: what there is to decide, and how it is changed. */
export interface QuarantineDesk {
  suite: Suite;
  settings: QuarantineSettings;
  read(): Promise<QuarantineFile>;
  triage(): Promise<SuiteTriage>;
  /** An entry with all that a person left out; nothing is written. Throws UserError where it cannot be one. */
  propose(wish: Wish): Promise<QuarantineEntry>;
  /** Where an entry stands in the list. Throws UserError where there is none. */
  find(scenario: string, check: string | undefined): Promise<{ entry: QuarantineEntry; index: number }>;
  /** Who may see to it that a quarantine of a scenario ends; undefined where git knows nobody. */
  proposeOwner(scenario: string): Promise<string | undefined>;
  /** What is wrong with a last day; undefined of one that can be. */
  whyNoEnd(until: string): string | undefined;
  /** Refuses an end that is past or too far ahead; proposes one where none is given. Throws UserError. */
  readEnd(until: string | undefined): string;
  /**
   * Changes the file under a lock, if it still says what `before` says, and gives the way back: to the text as it was,
   * where nobody has changed the file since. Both throw UserError.
   */
  write(before: readonly QuarantineEntry[], edit: QuarantineEdit): Promise<() => void>;
}

/** Reads the history of all runs once, for the desks of several suites. */
export async function readHistory(
  project: Project,
  io: CommandIo,
  known?: KnownSummaries,
): Promise<RunHistory> {
  return readRunHistory(
    logsFolder(project, io.env),
    async (folder) => createTallyKeeper(await readJudging(folder, project, io.env)),
    known,
  );
}

export function openQuarantineDesk(
  project: Project,
  suite: Suite,
  history: () => Promise<RunHistory>,
): QuarantineDesk {
  const settings = quarantineSettings(project.config.quarantine);
  const { now } = systemClock;
  const read = () => readQuarantine(project, suite);
  const triage = async () => {
    const { summaries } = await history();
    return triageSuite(suite, summaries, await read(), { settings, now: now() });
  };

  async function propose({
    scenario,
    check,
    owner,
    until,
    reason,
    evidence,
  }: Wish): Promise<QuarantineEntry> {
    const unknown = unknownPart({ scenario, ...(check !== undefined && { check }) }, suite);
    if (unknown) throw new UserError(unknown.message);
    const key = { scenario, ...(check !== undefined && { check }) };
    const { entries } = await read();
    const other = entries.find((one) => overlaps(one, key));
    if (other)
      throw new UserError(
        `${entryName(other)} is quarantined already, until ${other.until}; "quarantine extend" moves its end, "quarantine release" ends it`,
      );
    const ids = suite.scenarios.map(({ id }) => id);
    const share = quarantineShare([...entries, key], ids, settings);
    if (share.isOver) throw new UserError(shareText(share));
    const { rows } = await triage();
    return {
      ...key,
      owner: owner ?? (await neededOwner(scenario)),
      reason,
      since: dayOf(now()),
      until: readEnd(until),
      evidence: evidence ?? evidenceOf(rows.filter((row) => isAbout(key, row.scenario, row.check))),
    };
  }

  async function proposeOwner(scenario: string): Promise<string | undefined> {
    const file = suite.scenarios.find(({ id }) => id === scenario)?.place.file;
    const author = file === undefined ? undefined : await gitLastAuthor(project.root, file);
    return (author ?? (await gitUser(project.root)))?.name;
  }

  async function neededOwner(scenario: string): Promise<string> {
    const owner = await proposeOwner(scenario);
    if (owner !== undefined) return owner;
    throw new UserError('--owner: git knows nobody who wrote the scenario; say who sees to it');
  }

  function whyNoEnd(until: string): string | undefined {
    const today = dayOf(now());
    const last = daysAfter(today, settings.maxDays);
    const isDay = /^\d{4}-\d\d-\d\d$/.test(until) && !Number.isNaN(Date.parse(until));
    if (!isDay || dayOf(Date.parse(until)) !== until)
      return `expected a day, as in ${proposedEnd(now(), settings)}`;
    if (until < today) return `${until} is past`;
    if (until > last)
      return `a quarantine ends at most ${settings.maxDays} days ahead, on ${last}; it can be extended then`;
    return undefined;
  }

  function readEnd(until: string | undefined): string {
    if (until === undefined) return proposedEnd(now(), settings);
    const problem = whyNoEnd(until);
    if (problem !== undefined) throw new UserError(`--until: ${problem}`);
    return until;
  }

  return {
    suite,
    settings,
    read,
    triage,
    propose,
    proposeOwner,
    whyNoEnd,
    readEnd,
    async find(scenario, check) {
      const { entries } = await read();
      const index = entries.findIndex((one) => one.scenario === scenario && one.check === check);
      const entry = entries[index];
      if (entry) return { entry, index };
      throw new UserError(
        `${entryName({ scenario, ...(check !== undefined && { check }) })} is not quarantined in ${suite.name}; ${whatThereIs(entries)}`,
      );
    },
    async write(before, edit) {
      const file = quarantinePath(suite);
      const change = await createQuarantineEditor();
      const { file: shown } = await read();
      let text: string | undefined;
      const lockedEdit = await openForEdit(file);
      // Proved before it is written, by what is read of it, which takes its time; written only over the same text.
      lockedEdit((current) => {
        text = current;
        return undefined;
      });
      const from = text ?? '';
      const { entries } = await parseQuarantine(from, shown);
      if (JSON.stringify(entries) !== JSON.stringify(before)) throw changedMeanwhile(shown);
      const next = change(from, edit);
      await proveEdit(before, next, edit, shown);
      lockedEdit((current) => {
        if (current !== from) throw changedMeanwhile(shown);
        return next;
      });
      return () =>
        lockedEdit((current) => {
          if (current !== next) throw changedMeanwhile(shown);
          if (from !== '') return from;
          // There was no file, or an empty one, which says the same.
          rmSync(file);
          return undefined;
        });
    },
  };
}

function changedMeanwhile(file: string): UserError {
  return new UserError(`${file} was changed meanwhile; look at it and try again`);
}

function whatThereIs(entries: readonly QuarantineEntry[]): string {
  if (entries.length === 0) return 'nothing is';
  const names = entries.slice(0, 10).map((entry) => entryName(entry));
  return `quarantined ${entries.length === 1 ? 'is' : 'are'} ${names.join(', ')}${entries.length > 10 ? ', …' : ''}`;
}
