import { elsewhere, type KnownSide } from '../../compare/elsewhere.js';
import { evidenceOf } from '../../compare/evidence.js';
import { candidateOf } from '../../compare/judge-run.js';
import type { Project } from '../../project/config.js';
import { logsFolder } from '../../project/paths.js';
import type { PlannedBisect, PlannedElsewhere } from '../../run/bisect-events.js';
import { readRunStarted } from '../../run/reader.js';
import { findRuns, type RunPlace } from '../../run/runs.js';
import { readTally } from '../../tally/replay.js';
import type { RunTally } from '../../tally/types.js';
import { readJudging } from './judging.js';

/**
 * In what the run that a bisect looks into differs from where its good prompt passed, beside the prompt. Undefined where
 * that is not known: the run is gone, was compared with nothing, or with another prompt than the good one.
 */
export async function elsewhereOf(
  project: Project,
  env: NodeJS.ProcessEnv,
  { of, good, watched }: Pick<PlannedBisect, 'of' | 'good' | 'watched'>,
): Promise<PlannedElsewhere | undefined> {
  if (of === undefined) return undefined;
  const places = await findRuns(logsFolder(project, env));
  const place = places.find(({ runId }) => runId === of);
  if (!place) return undefined;
  const tally = await readTally(place.journal);
  const { started } = tally;
  const candidate = candidateOf(tally);
  const base = await baseSide(tally, place, places, project, env);
  if (candidate === undefined || base?.evidence.condition.promptSha256 !== good.sha256) return undefined;
  const bad: KnownSide = {
    evidence: evidenceOf(tally, candidate),
    ran: { started, condition: candidate },
  };
  return {
    base: base.evidence.runId,
    kind: base.evidence.kind,
    differences: elsewhere(base, bad, watched),
    ...(!base.ran && { isPartial: true as const }),
  };
}

/** Where the results of the base are from. */
async function baseSide(
  tally: RunTally,
  { folder }: RunPlace,
  places: readonly RunPlace[],
  project: Project,
  env: NodeJS.ProcessEnv,
): Promise<KnownSide | undefined> {
  const { started } = tally;
  const { base } = started;
  if (base?.kind === 'condition')
    return { evidence: evidenceOf(tally, base.condition), ran: { started, condition: base.condition } };
  const { baseline } = await readJudging(folder, project, env);
  if (!baseline) return undefined;
  const of = places.find(({ runId }) => runId === baseline.runId);
  const then = of && (await readRunStarted(of.journal).catch(() => undefined));
  const condition = then?.plan.conditions.find(({ hash }) => hash === baseline.condition.hash)?.id;
  return {
    evidence: baseline,
    ...(then && condition !== undefined && { ran: { started: then, condition } }),
  };
}
