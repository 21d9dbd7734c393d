import { systemClock } from '../base/clock.js';
import { type ExitCode, formatProblem, UserError } from '../base/errors.js';
import { makeVisible } from '../base/text.js';
import { shellQuote } from '../compare/baseline-save.js';
import { entryName } from '../compare/quarantine-words.js';
import { loadProject } from '../project/config.js';
import { quarantineSettings } from '../project/quarantine-settings.js';
import { safeJson } from '../report/json.js';
import { quarantineListLine } from '../report/triage.js';
import type { QuarantineEntry } from '../run/planned.js';
import { findSuite, listSuites } from '../suite/find.js';
import { isExpired } from '../tally/quarantine.js';
import { allChecks, readQuarantine } from '../triage/quarantine-file.js';
import { quarantineMistakes } from '../triage/quarantine-suite.js';
import type { CommandIo } from './io.js';
import { agreed } from './shared/ask.js';
import { chooseSuites, loadWithFixtures } from './shared/choose-suite.js';
import { writeLines } from './shared/output.js';
import {
  type DeskWords,
  type Meant,
  openQuarantineDesk,
  type QuarantineChange,
  type QuarantineDesk,
} from './shared/quarantine-desk.js';

/** Which check of which suite, as a line names it; `check` may be `all` too. */
interface QuarantineArgs extends Meant {
  /** Not set: the only one. */
  suite?: string;
  yes?: boolean;
}

/** A person who types a line has flags, and commands. */
const words: DeskWords = {
  owner: '--owner: ',
  until: '--until: ',
  change: '"quarantine extend" moves its end, "quarantine release" ends it',
};

export interface QuarantineAddArgs extends QuarantineArgs {
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
  const change = await desk.add({ ...keyOf(args), reason, owner, until, evidence });
  const { entry, isBroken } = change;
  const notes = isBroken ? ['note: it failed in every recent run, which is broken and not flaky'] : [];
  const code = await make(desk, change, args, io, {
    lines: notes,
    question: `quarantine ${entryName(entry)}`,
    done: `quarantined ${entryName(entry)}`,
  });
  if (code === 0)
    await writeLines(io.stdout, [`undo with: ${io.program} ${lineFor('release', entry, desk)}`], io.env);
  return code;
}

/** `evalrun quarantine release`: what is quarantined counts again. */
export async function quarantineReleaseCommand(args: QuarantineArgs, io: CommandIo): Promise<ExitCode> {
  const desk = await openDesk(args.suite, io);
  const change = await desk.release(keyOf(args));
  const name = entryName(change.entry);
  return make(desk, change, args, io, { question: `release ${name}`, done: `released ${name}` });
}

/** `evalrun quarantine extend`: another last day. */
export async function quarantineExtendCommand(
  args: QuarantineArgs & { until?: string },
  io: CommandIo,
): Promise<ExitCode> {
  const desk = await openDesk(args.suite, io);
  const change = await desk.extend(keyOf(args), args.until);
  const { entry, until } = change;
  return make(desk, change, args, io, {
    lines: [`from ${entry.until} to ${until}`],
    question: `extend ${entryName(entry)} until ${until}`,
    done: `${entryName(entry)} is quarantined until ${until}`,
  });
}

/** Shows a change, asks about it, makes it and says so. Exit code 2 where nobody agreed. */
async function make(
  desk: QuarantineDesk,
  change: QuarantineChange,
  args: QuarantineArgs,
  io: CommandIo,
  says: { lines?: readonly string[]; question: string; done: string },
): Promise<ExitCode> {
  await writeLines(io.stdout, [...entryLines(change.entry), ...(says.lines ?? [])], io.env);
  const question = `${makeVisible(says.question)}?`;
  if (!(await agreed(args, question, 'nothing was written; --yes writes it', io))) return 2;
  await desk.write(change);
  await writeLines(io.stdout, [makeVisible(`${says.done}; kept in ${desk.file}`)], io.env);
  return 0;
}

/** `evalrun quarantine list`: what is quarantined, of one suite or of all. Exit code 2 where a file does not fit. */
export async function quarantineListCommand(
  { suite, json }: { suite?: string | undefined; json?: boolean },
  io: CommandIo,
): Promise<ExitCode> {
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  const names = suite === undefined ? await listSuites(project) : [(await findSuite(project, suite)).name];
  const settings = quarantineSettings(project.config.quarantine);
  const now = systemClock.now();
  const all = [];
  for (const name of names) {
    const loaded = await loadWithFixtures(project, name, undefined);
    const file = await readQuarantine(project, loaded);
    all.push({ name, ...file, problems: quarantineMistakes(file, loaded, settings, now) });
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
  const names = asked === undefined ? [] : [asked];
  const [name = ''] = await chooseSuites(names, project, io, 'name the suite with --suite');
  return openQuarantineDesk(project, await loadWithFixtures(project, name, undefined), io, words);
}

function keyOf({ scenario, check }: Meant): Meant {
  return { scenario, check: check === allChecks ? undefined : check };
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

function lineFor(name: string, { scenario, check }: QuarantineEntry, { suite }: QuarantineDesk): string {
  const words = [scenario, ...(check === undefined ? [] : [check])].map((word) =>
    shellQuote(makeVisible(word)),
  );
  return `quarantine ${name} --suite ${shellQuote(suite.name)} -- ${words.join(' ')}`;
}
