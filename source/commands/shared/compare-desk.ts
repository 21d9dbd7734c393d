import { UserError } from '../../base/errors.js';
import { findBaseline } from '../../compare/baseline-file.js';
import { evidenceOf } from '../../compare/evidence.js';
import { candidateOf } from '../../compare/judge-run.js';
import type { Comparison } from '../../compare/types.js';
import { loadProject } from '../../project/config.js';
import { gitUser } from '../../project/git.js';
import { logsFolder } from '../../project/paths.js';
import { type GivenClass, readClasses, saveClass } from '../../run/change-classes.js';
import { createTrialReader } from '../../run/reader.js';
import { findRuns } from '../../run/runs.js';
import { readTally } from '../../tally/replay.js';
import type { RunTally } from '../../tally/types.js';
import type { BaseSource } from '../../ui/base-source.js';
import type { CompareDesk } from '../../ui/types.js';
import type { CommandIo } from '../io.js';
import { blessCriterion, noBaseline } from './bless-criterion.js';

/**
 * What a person can say of the changes of a run. `folder` is where the run stands when asked; `candidate` is the
 * condition that is looked at, where that is not the one that the run tests.
 */
export async function compareDeskOf(
  tally: RunTally,
  folder: () => string,
  io: CommandIo,
  candidate = candidateOf(tally),
): Promise<CompareDesk> {
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  const by = (await gitUser(project.root))?.name;
  const evidence = () => {
    if (candidate === undefined) throw new UserError('the run tests several conditions');
    return evidenceOf(tally, candidate);
  };
  const whyNoBless = async () => {
    if (candidate === undefined) return 'the run tests several conditions: evalrun baseline bless names one';
    const { suite, condition, answered } = evidence();
    const place = await findBaseline(project, suite, condition, answered.models);
    return place ? undefined : noBaseline({ suite, condition }, io.program);
  };
  return {
    whyNoBless: await whyNoBless(),
    readClasses: () => readClasses(folder()),
    async classify({ scenario, check }, is) {
      const entry = { scenario, check, ...(by !== undefined && { by }), at: Date.now() };
      await saveClass(folder(), { ...entry, class: is ?? null });
      const given: GivenClass | undefined = is && { ...entry, class: is };
      return given;
    },
    openBase: (base) => openBase(logsFolder(project, io.env), base),
    async bless(criterion, reason) {
      if (tally.state === 'running') throw new UserError('the run is still going on');
      const { change, note, file } = await blessCriterion({
        project,
        evidence: evidence(),
        ...criterion,
        reason,
        program: io.program,
      });
      return [change, note, `kept in ${file}`].filter((part) => part !== undefined).join('; ');
    },
  };
}

/** The run that a base was made by, read whole. Throws UserError where its journal is not there any more. */
async function openBase(logs: string, base: Comparison['base']): Promise<BaseSource> {
  const place = (await findRuns(logs)).find(({ runId }) => runId === base.runId);
  if (!place) throw new UserError(`the run that it was made by, ${base.runId}, is not here any more`);
  const tally = await readTally(place.journal);
  const { hash, id } = base.condition;
  const fits = tally.conditions.filter((condition) => condition.hash === hash);
  const condition = fits.find((one) => one.id === id) ?? fits[0];
  if (!condition) throw new UserError(`run ${base.runId} has no such condition any more`);
  return { tally, condition: condition.id, readTrial: createTrialReader(place.journal) };
}
