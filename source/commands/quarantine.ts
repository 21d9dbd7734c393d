import { systemClock } from '../base/clock.js';
import { type ExitCode, formatProblem, UserError } from '../base/errors.js';
import { makeVisible } from '../base/text.js';
import { shellQuote } from '../compare/baseline-save.js';
import { entryName } from '../compare/quarantine-words.js';
import { loadProject, type Project } from '../project/config.js';
import { safeJson } from '../report/json.js';
import { quarantineListLine } from '../report/triage.js';
import type { QuarantineEntry } from '../run/events.js';
import { isExpired } from '../tally/quarantine.js';
import { allChecks } from '../triage/quarantine-file.js';
import { quarantineMistakes } from '../triage/quarantine-suite.js';
import type { CommandIo } from './io.js';
import { askYes } from './shared/ask.js';
import { chooseSuites, loadWithFixtures } from './shared/choose-suite.js';
import { writeLines } from './shared/output.js';
import { openQuarantineDesk, type QuarantineDesk, readHistory } from './shared/quarantine-desk.js';
import { isInteractive } from './shared/terminal.js';

/** Which check of which suite, as a line names it. */
interface Meant {
  /** Not set: the only one. */
  suite?: string;
  scenario: string;
  /** Not set, or `all`: all of the scenario. */
  check?: string | undefined;
  yes?: boolean;
}

export interface QuarantineAddArgs extends Meant {
  reason: string;
  owner?: string;
  until?: string;
  evidence?: string[];
}

/**
 * `evalrun quarantine add`: a scenario or one check of it counts in no verdict until a day. Who owns it and until when is
 * proposed where it is not said; a person is asked before anything is written. Exit code 2 where it is not.
 */
export async function quarantineAddCommand(args: QuarantineAddArgs, io: CommandIo): Promise<ExitCode> {
  const reason = args.reason.trim();
  if (reason === '') throw new UserError('--reason: say why it may flip, for whoever releases it');
  const desk = await openDesk(args.suite, io);
  const { owner, until, evidence } = args;
  const entry = await desk.propose({
    ...keyOf(args),
    reason,
    ...(owner !== undefined && { owner }),
    ...(until !== undefined && { until }),
    ...(evidence && { evidence }),
  });
  const { entries } = await desk.read();
  const { rows } = await desk.triage();
  const broken = rows.some(
    (row) =>
      row.scenario === entry.scenario && row.suggestion?.kind === 'broken' && isMeant(entry, row.check),
  );
  const notes = broken ? ['note: it failed in every recent run, which is broken and not flaky'] : [];
  await writeLines(io.stdout, [...entryLines(entry), ...notes], io.env);
  if (!(await agreed(args, `quarantine ${entryName(entry)}`, io))) return 2;
  await desk.write(entries, { kind: 'add', entry });
  await told(desk, `quarantined ${entryName(entry)}`, io);
  await writeLines(io.stdout, [`undo with: ${io.program} ${lineFor('release', entry, desk)}`], io.env);
  return 0;
}

function isMeant({ check }: QuarantineEntry, id: string): boolean {
  return check === undefined || check === id;
}

/** `evalrun quarantine release`: what is quarantined counts again. */
export async function quarantineReleaseCommand(args: Meant, io: CommandIo): Promise<ExitCode> {
  const desk = await openDesk(args.suite, io);
  const { scenario, check } = keyOf(args);
  const { entry, index } = await desk.find(scenario, check);
  const { entries } = await desk.read();
  await writeLines(io.stdout, entryLines(entry), io.env);
  if (!(await agreed(args, `release ${entryName(entry)}`, io))) return 2;
  await desk.write(entries, { kind: 'release', index });
  await told(desk, `released ${entryName(entry)}`, io);
  return 0;
}

/** `evalrun quarantine extend`: another last day. */
export async function quarantineExtendCommand(
  args: Meant & { until?: string },
  io: CommandIo,
): Promise<ExitCode> {
  const desk = await openDesk(args.suite, io);
  const { scenario, check } = keyOf(args);
  const { entry, index } = await desk.find(scenario, check);
  const until = desk.readEnd(args.until);
  const { entries } = await desk.read();
  await writeLines(io.stdout, [...entryLines(entry), `from ${entry.until} to ${until}`], io.env);
  if (!(await agreed(args, `extend ${entryName(entry)} until ${until}`, io))) return 2;
  await desk.write(entries, { kind: 'extend', index, until });
  await told(desk, `${entryName(entry)} is quarantined until ${until}`, io);
  return 0;
}

/** `evalrun quarantine list`: what is quarantined, of one suite or of all. Exit code 2 where a file does not fit. */
export async function quarantineListCommand(
  { suite, json }: { suite?: string | undefined; json?: boolean },
  io: CommandIo,
): Promise<ExitCode> {
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  const { listSuites } = await import('../suite/load.js');
  const names = suite === undefined ? await listSuites(project) : [suite];
  const now = systemClock.now();
  const all = [];
  for (const name of names) {
    const desk = await deskOf(project, name, io);
    const file = await desk.read();
    all.push({ name, ...file, problems: quarantineMistakes(file, desk.suite, desk.settings, now) });
  }
  if (json === true) {
    const suites = all.map(({ name, file, entries, problems }) => ({
      suite: name,
      file,
      entries: entries.map((entry) => ({ ...entry, expired: isExpired(entry, now) })),
      problems,
    }));
    await writeLines(io.stdout, [safeJson({ suites })]);
  } else {
    for (const { name, entries, problems } of all) {
      await writeLines(
        io.stdout,
        [
          makeVisible(
            `${name}   ${entries.length === 0 ? 'nothing is quarantined' : `${entries.length} quarantined`}`,
          ),
          ...entries.map((entry) => `  ${quarantineListLine(entry, now)}`),
          ...problems.map((problem) => `  ${makeVisible(formatProblem(problem))}`),
        ],
        io.env,
      );
    }
  }
  return all.some(({ problems }) => problems.length > 0) ? 2 : 0;
}

async function openDesk(asked: string | undefined, io: CommandIo): Promise<QuarantineDesk> {
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  const names = await chooseSuites(asked === undefined ? [] : [asked], project);
  return deskOf(project, names[0] ?? '', io);
}

async function deskOf(project: Project, name: string, io: CommandIo): Promise<QuarantineDesk> {
  const suite = await loadWithFixtures(project, name, undefined);
  let history: ReturnType<typeof readHistory> | undefined;
  return openQuarantineDesk(project, suite, () => {
    history ??= readHistory(project, io);
    return history;
  });
}

function keyOf({ scenario, check }: Meant): { scenario: string; check?: string } {
  return { scenario, ...(check !== undefined && check !== allChecks && { check }) };
}

function entryLines(entry: QuarantineEntry): string[] {
  const { owner, reason, since, until, evidence } = entry;
  return [
    entryName(entry),
    `  owner     ${owner}`,
    `  reason    ${reason}`,
    `  since     ${since}`,
    `  until     ${until}`,
    `  evidence  ${evidence.length === 0 ? 'none' : evidence.join(', ')}`,
  ].map((line) => makeVisible(line));
}

async function agreed({ yes }: Pick<Meant, 'yes'>, question: string, io: CommandIo): Promise<boolean> {
  if (yes === true) return true;
  if (isInteractive(io)) return askYes(makeVisible(`${question}?`), io);
  io.stderr.write('evalrun: nothing was written; --yes writes it\n');
  return false;
}

async function told(desk: QuarantineDesk, what: string, io: CommandIo): Promise<void> {
  const { file } = await desk.read();
  await writeLines(io.stdout, [makeVisible(`${what}; kept in ${file}`)], io.env);
}

function lineFor(name: string, { scenario, check }: QuarantineEntry, { suite }: QuarantineDesk): string {
  const words = [scenario, ...(check === undefined ? [] : [check])].map((word) =>
    shellQuote(makeVisible(word)),
  );
  return `quarantine ${name} --suite ${shellQuote(suite.name)} -- ${words.join(' ')}`;
}
