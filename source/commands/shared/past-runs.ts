import type { Project } from '../../project/config.js';
import { logsFolder } from '../../project/paths.js';
import { gateSettings } from '../../project/run-gate.js';
import { resolveRunSettings } from '../../project/run-settings.js';
import type { HistoryRun } from '../../report/history.js';
import { findRun } from '../../run/runs.js';
import type { PastRuns } from '../../ui/types.js';
import type { CommandIo } from '../io.js';
import { comparedRun } from './compared-run.js';
import { readJudging } from './judging.js';
import { pastRun } from './past-run.js';
import { readRunEvidence } from './run-evidence.js';

/** How the runs of a history are opened, and held against each other. */
export function pastRunsOpener(project: Project, io: CommandIo): Pick<PastRuns, 'open' | 'compare'> {
  const logs = logsFolder(project, io.env);
  return {
    async open({ runId }) {
      const place = await findRun(logs, runId);
      return pastRun(place, io, await readJudging(place.folder, project, io.env));
    },
    async compare(base, candidate) {
      const place = await findRun(logs, candidate.runId);
      const evidence = ({ runId, conditionId }: HistoryRun) => readRunEvidence(logs, runId, conditionId);
      const [from, to] = [await evidence(base), await evidence(candidate)];
      const settings = resolveRunSettings({ flags: {}, env: io.env, config: project.config });
      const gate = gateSettings(settings, project.config.gate);
      return comparedRun(place, { base: from.evidence, candidate: to.evidence.condition.id, gate }, io);
    },
  };
}
