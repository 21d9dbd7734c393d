import path from 'node:path';
import { systemClock } from '../../base/clock.js';
import { UserError } from '../../base/errors.js';
import { quote } from '../../base/quote.js';
import { isSameChoice } from '../../bisect/watched.js';
import { candidateOf } from '../../compare/judge-run.js';
import { loadProject, type Project } from '../../project/config.js';
import { logsFolder, suiteLogs } from '../../project/paths.js';
import type { PromptVersion } from '../../project/prompts.js';
import { type RunSettings, resolveRunSettings } from '../../project/run-settings.js';
import type { Watched } from '../../run/bisect-events.js';
import type { KnownBisect } from '../../run/bisects-of.js';
import type { Condition } from '../../run/planned.js';
import type { RunPlace } from '../../run/runs.js';
import type { Suite } from '../../suite/types.js';
import type { RunTally } from '../../tally/types.js';
import type { AppRun, OpenBisectOf } from '../../ui/types.js';
import type { CommandIo } from '../io.js';

/** How what a run shows is bisected over its screens: a run of its own, with nothing tried before a person begins. */
export function bisectOpener(io: CommandIo): OpenBisectOf {
  return {
    whyNot: (tally) => {
      const ends = endsOf(tally);
      return 'why' in ends ? ends.why : undefined;
    },
    open: (tally, watched) => openBisect(tally, watched, io),
  };
}

type Ends = { good: Condition; bad: Condition } | { why: string };

/** The prompts that a run was made with: its base passes, its candidate fails. */
function endsOf({ started, conditions }: RunTally): Ends {
  const { base, regradeOf } = started;
  if (regradeOf) return { why: 'a run that grades another again is no ground for a bisect' };
  const good = conditions.find(({ id }) => id === base?.condition);
  if (!good) return { why: 'the run has no base prompt to bisect from: run it with --baseline' };
  const candidate = candidateOf({ conditions, started });
  const bad = conditions.find(({ id }) => id === candidate);
  if (!bad) return { why: 'several candidates were run: name the two prompts with evalrun bisect' };
  if (good.promptPath === undefined || bad.promptPath === undefined)
    return { why: 'the product is given no prompt, so there are no words to bisect' };
  if (good.promptSha256 === bad.promptSha256)
    return { why: 'base and candidate have the same prompt: its words did not do it' };
  return { good, bad };
}

async function openBisect(tally: RunTally, watched: Watched, io: CommandIo): Promise<AppRun> {
  const ends = endsOf(tally);
  if ('why' in ends) throw new UserError(ends.why);
  // Loads files, models and what is tested: not before somebody asks for it.
  const [make, seats] = await Promise.all([import('./make-bisect.js'), import('./bisect-seat.js')]);
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  const known = await unfinishedOf(tally, watched, project, io);
  const again = { settings: settingsOf(project, io), isAttended: true };
  const { opened, plan } = known
    ? { opened: await make.reopenBisect(known, again, project, io), plan: undefined }
    : await begin(tally, ends, watched, project, io);
  const seat = seats.createBisectSeat(project, io, plan && { plan });
  seat.seat(opened);
  return Object.assign(seat.app, {
    async leave() {
      await make.closeBisect(opened);
    },
  });
}

/** Of this run and what is watched the last bisect that can go on: what it took is not spent twice. */
async function unfinishedOf(
  { started }: RunTally,
  watched: Watched,
  project: Project,
  { env }: CommandIo,
): Promise<RunPlace | undefined> {
  const { bisectsOf } = await import('../../run/bisects-of.js');
  const folder = path.join(suiteLogs(logsFolder(project, env), started.suite), started.runId);
  const same = (one: KnownBisect) => one.state === 'unfinished' && isSameChoice(one.watched, [watched]);
  const known = (await bisectsOf(folder)).findLast(same);
  return known && { ...known, suite: started.suite };
}

function settingsOf({ config }: Project, { env }: CommandIo, suite?: Suite): RunSettings {
  return resolveRunSettings({ flags: {}, env, ...(suite && { suite }), config });
}

/** A new bisect of the two prompts that the run was made with, word for word, and what it would cost. */
async function begin(
  { started }: RunTally,
  { good, bad }: { good: Condition; bad: Condition },
  watched: Watched,
  project: Project,
  io: CommandIo,
) {
  const [choose, prepare, make, planned, plans] = await Promise.all([
    import('./choose-suite.js'),
    import('./prepare-bisect.js'),
    import('./make-bisect.js'),
    import('./bisect-plan.js'),
    import('../../report/bisect-plan.js'),
  ]);
  const { runId, suite: name, fixtures } = started;
  const folder = fixtures === undefined ? undefined : path.resolve(project.root, fixtures);
  const suite = await choose.loadWithFixtures(project, name, folder);
  const prompts = { good: await asItWas(project, suite, good), bad: await asItWas(project, suite, bad) };
  const prepared = await prepare.prepareBisect(
    project,
    suite,
    {
      ...prompts,
      watched: [watched],
      split: 'hunk',
      strategy: 'guided',
      repeats: undefined,
      budget: undefined,
      skipsCure: false,
      model: bad.model,
      liveTools: bad.liveTools === true,
      of: runId,
    },
    io.env,
  );
  const ends = ['--good', placeOf(prompts.good), '--bad', placeOf(prompts.bad)];
  const line = ['bisect', name, ...ends, ...watchedFlags(watched)];
  const settings = settingsOf(project, io, suite);
  const facts = { settings, isAttended: true, line, ...(fixtures !== undefined && { fixtures }) };
  const { value: concurrency } = settings.concurrency;
  const question = { project, env: io.env, prepared, concurrency, seed: undefined, clock: systemClock };
  return {
    opened: await make.makeBisect(prepared, facts, project, io),
    plan: async () => [...plans.bisectPlanLines(await planned.planOfBisect(question))],
  };
}

/** What is bisected are the words that the run was made with, or nothing. */
async function asItWas(project: Project, suite: Suite, then: Condition): Promise<PromptVersion> {
  const { promptOfThen } = await import('./choose-base.js');
  const prompt = await promptOfThen(project, suite, then);
  // A commit may have the words that the file has no more; what they are called does not change by that.
  if (prompt) return { ...prompt, name: then.promptName };
  throw new UserError(
    `${quote(then.promptPath ?? '')} has other words now than in the run: run it again first`,
  );
}

/** Where the words of a prompt stand: in a commit, or in a file that was not committed. */
function placeOf({ path: file, commit, dirty }: PromptVersion): string {
  return commit === undefined || dirty ? file : `${commit}:${file}`;
}

function watchedFlags({ scenario, check }: Watched): string[] {
  return check === undefined ? ['--scenario', scenario] : ['--check', `${scenario}/${check}`];
}
