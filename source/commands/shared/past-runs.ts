import type { Project } from '../../project/config.js';
import { logsFolder } from '../../project/paths.js';
import type { HistoryRun } from '../../report/history.js';
import { findRun } from '../../run/runs.js';
import type { PastRuns } from '../../ui/types.js';
import type { CommandIo } from '../io.js';

/** How the runs of a history are opened, and held against each other. What that takes is loaded when it is asked for. */
export function pastRunsOpener(
  project: Project,
  io: CommandIo,
): Pick<PastRuns, 'program' | 'open' | 'compare' | 'remove' | 'propose'> {
  const logs = logsFolder(project, io.env);
  return {
    program: io.program,
    async open({ runId }) {
      const [{ pastRun }, { readJudging }] = await Promise.all([
        import('./past-run.js'),
        import('./judging.js'),
      ]);
      const place = await findRun(logs, runId);
      return pastRun(place, io, await readJudging(place.folder, project, io.env));
    },
    async remove({ runId }) {
      const { deleteRun } = await import('../../run/delete-run.js');
      await deleteRun(await findRun(logs, runId));
    },
    async propose({ runId, conditionId }) {
      const { proposeBaseline } = await import('./propose-baseline.js');
      return proposeBaseline({ run: runId, condition: conditionId }, project, io);
    },
    async compare(base, candidate) {
      const [{ comparedRun }, { readRunEvidence }, { todaysGate }] = await Promise.all([
        import('./compared-run.js'),
        import('./run-evidence.js'),
        import('../../project/run-gate.js'),
      ]);
      const place = await findRun(logs, candidate.runId);
      const evidence = ({ runId, conditionId }: HistoryRun) => readRunEvidence(logs, runId, conditionId);
      const [from, to] = [await evidence(base), await evidence(candidate)];
      const gate = todaysGate(project.config, io.env);
      return comparedRun(place, { base: from.evidence, candidate: to.evidence.condition.id, gate }, io);
    },
  };
}
