import { rmSync } from 'node:fs';
import { systemClock } from '../../base/clock.js';
import { dayOf } from '../../base/day.js';
import { openForEdit } from '../../base/edit-file.js';
import { UserError } from '../../base/errors.js';
import { entryName } from '../../compare/quarantine-words.js';
import type { Project } from '../../project/config.js';
import { gitLastAuthor, gitUser } from '../../project/git.js';
import { logsFolder, shownPath } from '../../project/paths.js';
import { quarantineSettings } from '../../project/quarantine-settings.js';
import { createTallyKeeper } from '../../report/summary.js';
import type { QuarantineEntry } from '../../run/planned.js';
import type { KnownSummaries } from '../../run/runs.js';
import type { Suite } from '../../suite/types.js';
import { isAbout } from '../../tally/quarantine.js';
import { readRunHistory } from '../../triage/history.js';
import { createQuarantineEditor, proveEdit, type QuarantineEdit } from '../../triage/quarantine-edit.js';
import {
  overlaps,
  parseQuarantine,
  type QuarantineFile,
  quarantinePath,
  readQuarantine,
} from '../../triage/quarantine-file.js';
import { shareText, unknownPart } from '../../triage/quarantine-suite.js';
import { isAboutBroken, quarantineShare } from '../../triage/suggest.js';
import { evidenceOf, proposedEnd, type SuiteTriage, triageSuite, whyNoEnd } from '../../triage/triage.js';
import type { CommandIo } from '../io.js';
import { readJudging } from './judging.js';

/** Which check of the suite is meant; `check` not set: all of the scenario. */
export interface Meant {
  scenario: string;
  check?: string | undefined;
}

/** What of a new entry a person says; what they leave out is proposed. */
export interface Wish extends Meant {
  reason: string;
  owner?: string | undefined;
  until?: string | undefined;
  evidence?: string[] | undefined;
}

/** A change that can be made. */
export interface QuarantineChange {
  /** The entry that is added, or as it stands. */
  entry: QuarantineEntry;
  edit: QuarantineEdit;
  /** What the file said when the change was looked at: it is made to nothing else. */
  before: readonly QuarantineEntry[];
}

/** How a person does what a refusal speaks of: by the flags of a line, or by keys. */
export interface DeskWords {
  /** Before what is wrong with an owner. */
  owner: string;
  /** Before what is wrong with a last day. */
  until: string;
  /** How an entry is changed that is there already. */
  change: string;
}

/** How the quarantine of one suite is changed. All but `write` change nothing; all of it throws UserError. */
export interface QuarantineDesk {
  suite: Suite;
  /** The file, as it is called in messages. */
  file: string;
  /** A new entry with all that a person left out. `isBroken`: what it is about fails always, which is no flake. */
  add(wish: Wish): Promise<QuarantineChange & { isBroken: boolean }>;
  release(meant: Meant): Promise<QuarantineChange>;
  /** `until` not set: the last day that is proposed today. */
  extend(meant: Meant, until: string | undefined): Promise<QuarantineChange & { until: string }>;
  /** Who may see to it that a quarantine of a scenario ends; undefined where git knows nobody. */
  proposeOwner(scenario: string): Promise<string | undefined>;
  /**
   * Changes the file under a lock, if it still says what it said, and gives the way back: to the text as it was, where
   * nobody has changed the file since.
   */
  write(change: QuarantineChange): Promise<() => void>;
}

/** The triage of a suite as its files and its runs stand now. `known` saves reading again, see `readRunHistory`. */
export async function readTriage(
  project: Project,
  suite: Suite,
  io: CommandIo,
  known?: KnownSummaries,
): Promise<SuiteTriage> {
  return triageOf(project, suite, await readQuarantine(project, suite), io, known);
}

async function triageOf(
  project: Project,
  suite: Suite,
  file: QuarantineFile,
  io: CommandIo,
  known?: KnownSummaries,
): Promise<SuiteTriage> {
  const history = await readRunHistory(
    logsFolder(project, io.env),
    suite.name,
    async (folder) => createTallyKeeper(await readJudging(folder, project, io.env)),
    known,
  );
  const settings = quarantineSettings(project.config.quarantine);
  return triageSuite(suite, history, file, { settings, now: systemClock.now() });
}

export function openQuarantineDesk(
  project: Project,
  suite: Suite,
  io: CommandIo,
  words: DeskWords,
  known?: KnownSummaries,
): QuarantineDesk {
  const settings = quarantineSettings(project.config.quarantine);
  const { now } = systemClock;
  const path = quarantinePath(suite);
  const file = shownPath(project.root, path);

  async function proposeOwner(scenario: string): Promise<string | undefined> {
    const written = suite.scenarios.find(({ id }) => id === scenario)?.place.file;
    const author = written === undefined ? undefined : await gitLastAuthor(project.root, written);
    return (author ?? (await gitUser(project.root)))?.name;
  }

  async function neededOwner(scenario: string): Promise<string> {
    const owner = await proposeOwner(scenario);
    if (owner !== undefined) return owner;
    throw new UserError(`${words.owner}git knows nobody who wrote the scenario; say who sees to it`);
  }

  function readEnd(until: string | undefined): string {
    if (until === undefined) return proposedEnd(now(), settings);
    const problem = whyNoEnd(until, settings, now());
    if (problem !== undefined) throw new UserError(words.until + problem);
    return until;
  }

  async function find({ scenario, check }: Meant) {
    const { entries: before } = await readQuarantine(project, suite);
    const index = before.findIndex((one) => one.scenario === scenario && one.check === check);
    const entry = before[index];
    if (entry) return { entry, index, before };
    const name = entryName({ scenario, ...(check !== undefined && { check }) });
    throw new UserError(`${name} is not quarantined in ${suite.name}; ${whatThereIs(before)}`);
  }

  return {
    suite,
    file,
    proposeOwner,
    async add({ scenario, check, owner, until, reason, evidence }) {
      const key = { scenario, ...(check !== undefined && { check }) };
      const unknown = unknownPart(key, suite);
      if (unknown) throw new UserError(unknown.message);
      const read = await readQuarantine(project, suite);
      const before = read.entries;
      const other = before.find((one) => overlaps(one, key));
      if (other)
        throw new UserError(
          `${entryName(other)} is quarantined already, until ${other.until}; ${words.change}`,
        );
      const ids = suite.scenarios.map(({ id }) => id);
      const share = quarantineShare([...before, key], ids, settings);
      if (share.isOver) throw new UserError(shareText(share));
      const { rows } = await triageOf(project, suite, read, io, known);
      const entry = {
        ...key,
        owner: owner ?? (await neededOwner(scenario)),
        reason,
        since: dayOf(now()),
        until: readEnd(until),
        evidence: evidence ?? evidenceOf(rows.filter((row) => isAbout(key, row.scenario, row.check))),
      };
      return { entry, edit: { kind: 'add', entry }, before, isBroken: isAboutBroken(rows, key) };
    },
    async release(meant) {
      const { entry, index, before } = await find(meant);
      return { entry, edit: { kind: 'release', index }, before };
    },
    async extend(meant, asked) {
      const { entry, index, before } = await find(meant);
      const until = readEnd(asked);
      return { entry, edit: { kind: 'extend', index, until }, before, until };
    },
    async write({ edit, before }) {
      const change = await createQuarantineEditor();
      let from = '';
      const lockedEdit = await openForEdit(path);
      // Proved before it is written, by what is read of it, which takes its time; written only over the same text.
      lockedEdit((current) => {
        from = current;
        return undefined;
      });
      const { entries } = await parseQuarantine(from, file);
      if (JSON.stringify(entries) !== JSON.stringify(before)) throw changedMeanwhile(file);
      const next = change(from, edit);
      await proveEdit(before, next, edit, file);
      lockedEdit((current) => {
        if (current !== from) throw changedMeanwhile(file);
        return next;
      });
      return () =>
        lockedEdit((current) => {
          if (current !== next) throw changedMeanwhile(file);
          if (from !== '') return from;
          // There was no file, or an empty one, which says the same.
          rmSync(path);
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
