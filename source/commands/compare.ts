import path from 'node:path';
import { type ExitCode, UserError } from '../base/errors.js';
import { baselineEvidence } from '../compare/baseline-evidence.js';
import { findBaseline, readBaseline } from '../compare/baseline-file.js';
import { compareEvidence } from '../compare/compare.js';
import { confirm } from '../compare/confirm.js';
import { decideSides } from '../compare/gate.js';
import type { Evidence } from '../compare/types.js';
import { loadProject, type Project } from '../project/config.js';
import { logsFolder } from '../project/paths.js';
import { todaysGate } from '../project/run-gate.js';
import { twoSidesLines } from '../report/two-sides.js';
import { readClasses } from '../run/change-classes.js';
import { findRun, type RunPlace } from '../run/runs.js';
import type { CommandIo } from './io.js';
import { writeLines } from './shared/output.js';
import { readRunEvidence } from './shared/run-evidence.js';
import { openScreens } from './shared/screens.js';
import { isOnScreen } from './shared/terminal.js';

export interface CompareArgs {
  /** The base: a run (its id, the beginning of one, `last`; `RUN:CONDITION` of several), a baseline file, or `baseline`. */
  base: string;
  /** What is held against it: the same. */
  candidate: string;
  /** Scenarios with a simulated user are compared although the conditions differ. */
  compareSimulatedUsers?: boolean;
  plain?: boolean;
  json?: boolean;
}

/** One side of the comparison. */
interface ComparedSide {
  evidence: Evidence;
  /** Where its run stands; not set for a baseline. */
  place?: RunPlace;
}

/**
 * `evalrun compare`: two runs, or a run and a baseline, criterion by criterion, the first as the base. On a terminal the
 * screen of changes on the second, where that is a run. The exit code is the gate's word under today's config: 0 nothing
 * blocks, 1 something does, 3 there is nothing to compare.
 */
export async function compareCommand(args: CompareArgs, io: CommandIo): Promise<ExitCode> {
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  const [base, candidate] = await readSides(args, project, io);
  const gate = todaysGate(project.config, io.env);
  const options = { simulatedUsers: args.compareSimulatedUsers === true };
  const comparison = confirm(compareEvidence(base.evidence, candidate.evidence, gate, options), gate);
  const decision = decideSides(comparison, gate);
  const classes = candidate.place ? await readClasses(candidate.place.folder) : new Map();
  if (args.json === true) {
    const [{ comparisonFacts, safeJson }] = await Promise.all([import('../report/json.js')]);
    const { verdict, exitCode, headline, reasons, blocking = [] } = decision;
    const facts = {
      format: 1,
      verdict,
      exitCode,
      headline,
      reasons,
      blocking,
      comparison: comparisonFacts(comparison),
      classes: [...classes.values()],
    };
    await writeLines(io.stdout, [safeJson(facts)]);
    return exitCode;
  }
  if (candidate.place && isOnScreen(args, io)) {
    const { comparedRun } = await import('./shared/compared-run.js');
    const { id } = candidate.evidence.condition;
    const run = comparedRun(candidate.place, { base: base.evidence, candidate: id, gate, ...options }, io);
    await openScreens({ runs: [run], isComparing: true }, io);
    return decision.exitCode;
  }
  await writeLines(io.stdout, twoSidesLines(comparison, decision, classes), io.env);
  return decision.exitCode;
}

/** Both sides; `baseline` needs the other one to know which is meant. */
async function readSides(
  { base, candidate }: CompareArgs,
  project: Project,
  io: CommandIo,
): Promise<[ComparedSide, ComparedSide]> {
  if (base === stored && candidate === stored)
    throw new UserError('which baseline is meant? one side is a run, or a baseline file');
  if (base === stored) {
    const other = await readSide(candidate, project, io);
    return [await storedFor(other, project, io), other];
  }
  const first = await readSide(base, project, io);
  return [
    first,
    candidate === stored ? await storedFor(first, project, io) : await readSide(candidate, project, io),
  ];
}

/** The name of the baseline that fits the other side. */
const stored = 'baseline';

async function readSide(wanted: string, project: Project, io: CommandIo): Promise<ComparedSide> {
  if (/\.ya?ml$/.test(wanted))
    return { evidence: baselineEvidence(await readBaseline(project, path.resolve(io.cwd, wanted))) };
  const logs = logsFolder(project, io.env);
  const at = wanted.indexOf(':');
  const run = at < 0 ? wanted : wanted.slice(0, at);
  const condition = at < 0 ? undefined : wanted.slice(at + 1);
  const place = await findRun(logs, run);
  const { evidence } = await readRunEvidence(logs, place.runId, condition, 'candidate', 'RUN:CONDITION');
  return { evidence, place };
}

async function storedFor({ evidence }: ComparedSide, project: Project, io: CommandIo): Promise<ComparedSide> {
  const { suite, condition, answered } = evidence;
  const place = await findBaseline(project, suite, condition, answered.models);
  if (!place) {
    throw new UserError(
      `${suite} has no baseline on ${condition.model} yet; ${io.program} baseline save makes one from a run`,
    );
  }
  return { evidence: baselineEvidence(await readBaseline(project, place.path)) };
}
