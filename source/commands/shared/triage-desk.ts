import path from 'node:path';
import { systemClock } from '../../base/clock.js';
import { UserError } from '../../base/errors.js';
import { loadProject, type Project } from '../../project/config.js';
import { logsFolder } from '../../project/paths.js';
import { quarantineSettings } from '../../project/quarantine-settings.js';
import { createTrialReader } from '../../run/reader.js';
import { findRuns, type KnownSummaries } from '../../run/runs.js';
import { readTally } from '../../tally/replay.js';
import type { PastResult } from '../../triage/flips.js';
import { proposedEnd, whyNoEnd } from '../../triage/triage.js';
import type { DisagreeingTrial, TriageDesk } from '../../ui/triage-desk.js';
import type { CommandIo } from '../io.js';
import { loadWithFixtures } from './choose-suite.js';
import { type DeskWords, openQuarantineDesk, type QuarantineDesk, readTriage } from './quarantine-desk.js';

/** A person on a screen has keys, and was asked for owner and last day by name. */
const words: DeskWords = { owner: '', until: '', change: 'on the triage e extends it, r releases it' };

/** Opens the triage of a suite for the screens. Files and history are read when it is asked for them, each time anew. */
export async function openTriageDesk(suite: string, io: CommandIo): Promise<TriageDesk> {
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  const known: KnownSummaries = new Map();
  let desk: QuarantineDesk | undefined;
  const openAnew = async () => {
    const loaded = await loadWithFixtures(project, suite, undefined);
    desk = openQuarantineDesk(project, loaded, io, words, known);
    return desk;
  };
  const deskNow = async () => desk ?? (await openAnew());
  const { now } = systemClock;
  const settings = quarantineSettings(project.config.quarantine);
  return {
    read: async () => readTriage(project, (await openAnew()).suite, io, known),
    async propose(key) {
      const one = await deskNow();
      // What cannot be quarantined is said before anybody is asked why.
      const { entry, isBroken } = await one.add({ ...key, owner: '', reason: '' });
      return { owner: (await one.proposeOwner(key.scenario)) ?? '', until: entry.until, isBroken };
    },
    proposeEnd: () => proposedEnd(now(), settings),
    whyNoEnd: (until) => whyNoEnd(until, settings, now()),
    async quarantine(wish) {
      const one = await deskNow();
      return one.write(await one.add(wish));
    },
    async release(key) {
      const one = await deskNow();
      return one.write(await one.release(key));
    },
    async extend(key, until) {
      const one = await deskNow();
      return one.write(await one.extend(key, until));
    },
    placeOf(scenario) {
      const place = desk?.suite.scenarios.find(({ id }) => id === scenario)?.place;
      return place && { file: path.resolve(project.root, place.file), line: place.line };
    },
    async openTrials({ scenario, check }, { pass, fail }) {
      const find = (of: PastResult, isWanted: (verdict: string) => boolean) =>
        findTrial({ scenario, check }, of, isWanted, project, io);
      return {
        scenario,
        check,
        pass: await find(pass, (verdict) => verdict === 'pass' || verdict === 'warn'),
        fail: await find(fail, (verdict) => verdict === 'fail'),
      };
    },
  };
}

/** The first trial of a run in which a check came to the verdict that is looked for; or why there is none to read. */
async function findTrial(
  { scenario, check }: { scenario: string; check: string },
  { runId, conditionId }: PastResult,
  isWanted: (verdict: string) => boolean,
  project: Project,
  io: CommandIo,
): Promise<DisagreeingTrial> {
  const place = (await findRuns(logsFolder(project, io.env))).find((one) => one.runId === runId);
  if (!place) return { problem: `the run ${runId} was deleted, and its transcripts with it` };
  try {
    const tally = await readTally(place.journal);
    const group = tally.rowById.get(scenario)?.groups.find(({ condition }) => condition === conditionId);
    const readTrial = createTrialReader(place.journal);
    for (const { repeat, positions } of group?.cells ?? []) {
      const { results } = await readTrial({ scenario, condition: conditionId, repeat }, positions);
      if (!results.some(({ checkId, verdict }) => checkId === check && isWanted(verdict))) continue;
      return { source: { tally, condition: conditionId, readTrial, name: runId }, repeat };
    }
    return { problem: `the journal of run ${runId} has no such trial any more` };
  } catch (error) {
    if (error instanceof UserError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
      return { problem: `the journal of run ${runId} was deleted, and its transcripts with it` };
    if (error instanceof UserError) return { problem: error.message };
    throw error;
  }
}
