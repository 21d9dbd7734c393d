import path from 'node:path';
import { systemClock } from '../../base/clock.js';
import { UserError } from '../../base/errors.js';
import { quote } from '../../base/quote.js';
import { candidateOf } from '../../compare/judge-run.js';
import { loadProject } from '../../project/config.js';
import { resolveRunSettings } from '../../project/run-settings.js';
import type { Watched } from '../../run/bisect-events.js';
import type { Condition } from '../../run/events.js';
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
  const [choose, prepare, make, seats, narrow, planned, plans] = await Promise.all([
    import('./choose-suite.js'),
    import('./prepare-bisect.js'),
    import('./make-bisect.js'),
    import('./bisect-seat.js'),
    import('./write-narrowed.js'),
    import('./bisect-plan.js'),
    import('../../report/bisect-plan.js'),
  ]);
  const { good, bad } = ends;
  const { runId, suite: name, fixtures } = tally.started;
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  const folder = fixtures === undefined ? undefined : path.resolve(project.root, fixtures);
  const suite = await choose.loadWithFixtures(project, name, folder);
  const settings = resolveRunSettings({ flags: {}, env: io.env, suite, config: project.config });
  const prepared = await prepare.prepareBisect(
    project,
    suite,
    {
      good: placeOf(good),
      bad: placeOf(bad),
      watched: [watched],
      split: 'hunk',
      strategy: 'guided',
      repeats: undefined,
      budget: undefined,
      skipsCure: false,
      model: suite.target.kind === 'prompt' ? bad.model : undefined,
      liveTools: bad.liveTools === true,
      of: runId,
    },
    io.env,
  );
  refuseOther(prepared.planned.good, good);
  refuseOther(prepared.planned.bad, bad);
  const line = ['bisect', name, '--good', placeOf(good), '--bad', placeOf(bad), ...watchedFlags(watched)];
  const facts = { settings, isAttended: true, line, ...(fixtures !== undefined && { fixtures }) };
  const opened = await make.makeBisect(prepared, facts, project, io);
  const { value: concurrency } = settings.concurrency;
  const question = { project, env: io.env, prepared, concurrency, seed: undefined, clock: systemClock };
  const seat = seats.createBisectSeat(io, {
    plan: async () => [...plans.bisectPlanLines(await planned.planOfBisect(question))],
    writeNarrowed: ({ record }) => narrow.writeNarrowed(record, undefined, project),
  });
  seat.seat(opened);
  return Object.assign(seat.app, {
    async leave() {
      opened.run.abort();
      await opened.run.close();
    },
  });
}

/** Where the words of a condition stand: in a commit, or in a file that was not committed. */
function placeOf({ promptPath = '', promptCommit, promptDirty }: Condition): string {
  return promptCommit === undefined || promptDirty ? promptPath : `${promptCommit}:${promptPath}`;
}

function watchedFlags({ scenario, check }: Watched): string[] {
  return check === undefined ? ['--scenario', scenario] : ['--check', `${scenario}/${check}`];
}

/** What is bisected are the words that the run was made with, or nothing. */
function refuseOther(now: { path: string; sha256: string }, then: Condition): void {
  if (now.sha256 !== then.promptSha256)
    throw new UserError(`${quote(now.path)} has other words now than in the run: run it again first`);
}
