import { elsewhere, type KnownSide } from '../../compare/elsewhere.js';
import { evidenceOf } from '../../compare/evidence.js';
import { candidateOf } from '../../compare/judge-run.js';
import type { Evidence } from '../../compare/types.js';
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
  const places = await findRuns(logsFolder(project, env));
  const place = places.find(({ runId }) => runId === of);
  if (!place) return undefined;
  const tally = await readTally(place.journal);
  const { baseline } = await readJudging(place.folder, project, env);
  const sides = await sidesOf(tally, baseline, places);
  if (sides?.base.evidence.condition.promptSha256 !== good.sha256) return undefined;
  const { base, candidate } = sides;
  return {
    base: base.evidence.runId,
    kind: base.evidence.kind,
    differences: elsewhere(base, candidate, watched),
    ...(!base.ran && { isPartial: true as const }),
  };
}

/** What the candidate of a run was compared with, and the candidate; undefined where it was compared with nothing. */
export async function sidesOf(
  tally: RunTally,
  baseline: Evidence | undefined,
  places: readonly RunPlace[],
): Promise<{ base: KnownSide; candidate: KnownSide } | undefined> {
  const { started } = tally;
  const id = candidateOf(tally);
  const base = await baseSide(tally, baseline, places);
  if (id === undefined || !base) return undefined;
  return { base, candidate: { evidence: evidenceOf(tally, id), ran: { started, condition: id } } };
}

async function baseSide(
  tally: RunTally,
  baseline: Evidence | undefined,
  places: readonly RunPlace[],
): Promise<KnownSide | undefined> {
  const { started } = tally;
  const { base } = started;
  if (base?.kind === 'condition')
    return { evidence: evidenceOf(tally, base.condition), ran: { started, condition: base.condition } };
  if (!baseline) return undefined;
  const of = places.find(({ runId }) => runId === baseline.runId);
  const then = of && (await readRunStarted(of.journal).catch(() => undefined));
  const condition = then?.plan.conditions.find(({ hash }) => hash === baseline.condition.hash)?.id;
  return {
    evidence: baseline,
    ...(then && condition !== undefined && { ran: { started: then, condition } }),
  };
}
