import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../source/base/clock.js';
import type { Json, JsonObject } from '../../../source/base/json.js';
import { gradeTrial } from '../../../source/grade/grade.js';
import { findCheck } from '../../../source/grade/registry.js';
import type { CheckResult, GradeContext } from '../../../source/grade/types.js';
import type { TurnSelector } from '../../../source/suite/types.js';
import { isRunning } from '../../target/command/command-target.js';
import { brokenOff, check, conversation, mistakesOf } from '../transcripts.js';

// Programs and threads are started, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

const folder = join(import.meta.dirname, 'checks');
const transcript = conversation('Hello.', 'I can offer credit.');

async function graded(
  args: JsonObject,
  context: Partial<GradeContext> & { on?: TurnSelector } = {},
): Promise<CheckResult> {
  const { on, ...rest } = context;
  const spec = check('custom', args, { id: 'own', ...(on !== undefined && { on }) });
  const [result] = await gradeTrial(
    [spec],
    { transcript, suiteFolder: folder, seed: 's', ...rest },
    () => {},
  );
  if (!result) throw new Error('nothing was graded');
  return result;
}

const byModule = (args: JsonObject, more: JsonObject = {}, context: Partial<GradeContext> = {}) =>
  graded({ module: 'module.ts', args, ...more }, context);
const byCommand = (args: JsonObject, more: JsonObject = {}, context: Partial<GradeContext> = {}) =>
  graded({ command: [process.execPath, 'command.mjs'], args, ...more }, context);

const ways = [
  ['a module', byModule],
  ['a command', byCommand],
] as const;

describe.each(ways)('a check by %s', (_way, grade) => {
  it('gives its verdict, reason, axes and evidence', async () => {
    const answer = {
      verdict: 'fail',
      reason: 'expected\n a greeting, saw none',
      axes: { tone: 0.5 },
      evidence: [{ turn: 1 }, { turn: 2, part: 0, start: 2, end: 5 }],
    };
    expect(await grade({ answer })).toEqual({
      checkId: 'own',
      type: 'custom',
      kind: 'hard',
      ...answer,
      reason: 'expected a greeting, saw none',
    });
  });

  it.each(['pass', 'warn', 'fail', 'unknown'])('may say %s', async (verdict) => {
    expect(await grade({ answer: { verdict, reason: 'r' } })).toMatchObject({ verdict, reason: 'r' });
  });

  it('gives a score where it is declared as judged, and counts as that', async () => {
    const answer = { verdict: 'pass', reason: 'r', score: 4 };
    expect(await grade({ answer }, { kind: 'judged' })).toMatchObject({ kind: 'judged', score: 4 });
    expect(await grade({ answer })).toMatchObject({
      kind: 'hard',
      verdict: 'unknown',
      reason: expect.stringContaining('score goes with kind: judged'),
    });
  });

  it.each<[Json, string]>([
    [null, 'its answer is not valid: Invalid input: expected object, received null'],
    [true, 'its answer is not valid: Invalid input: expected object, received boolean'],
    [{ pass: true, reason: 'r' }, 'its answer is not valid: verdict'],
    [{ verdict: 'passed', reason: 'r' }, 'its answer is not valid: verdict'],
    [{ verdict: 'pass' }, 'its answer is not valid: reason'],
    [{ verdict: 'pass', reason: ' ' }, 'its answer is not valid: reason: is blank'],
    [
      { verdict: 'pass', reason: 'r', confidence: 1 },
      'its answer is not valid: Unrecognized key: "confidence"',
    ],
    [{ verdict: 'pass', reason: 'r', axes: { tone: 2 } }, 'its answer is not valid: axes.tone'],
    [
      { verdict: 'pass', reason: 'r', evidence: [{ turn: 3 }] },
      'the evidence {"turn":3} is no place in the conversation',
    ],
    [{ verdict: 'pass', reason: 'r', evidence: [{ turn: 1, part: 1 }] }, 'is no place in the conversation'],
    [{ verdict: 'pass', reason: 'r', evidence: [{ turn: 1, part: 0, start: 0, end: 99 }] }, 'is no place'],
    [{ verdict: 'pass', reason: 'r', evidence: [{ turn: 1, start: 0, end: 1 }] }, 'is no place'],
  ])('whose answer is %j is unknown', async (answer, reason) => {
    expect(await grade({ answer })).toMatchObject({
      verdict: 'unknown',
      reason: expect.stringContaining(reason),
    });
  });

  it('that answers nothing is unknown', async () => {
    expect(await grade({ does: 'nothing' })).toMatchObject({
      verdict: 'unknown',
      reason: expect.stringMatching(/: it answered nothing$/),
    });
  });

  it('that does not answer in time is unknown', async () => {
    const result = await grade({ does: 'wait' }, { timeout_seconds: 0.5 });
    expect(result).toMatchObject({
      verdict: 'unknown',
      reason: expect.stringMatching(/: it did not answer within 0\.5 seconds$/),
    });
  });

  it('ends when the trial is aborted, with its reason', async () => {
    const abort = new AbortController();
    const clock = {
      ...systemClock,
      wait: (ms: number, signal?: AbortSignal) => {
        // The check has been asked by the time that its limit begins to run.
        if (ms === 60_000) abort.abort(new Error('the trial is over'));
        return systemClock.wait(ms, signal);
      },
    };
    const grading = grade({ does: 'wait' }, { timeout_seconds: 60 }, { signal: abort.signal, clock });
    await expect(grading).rejects.toThrow('the trial is over');
  });

  it('is not asked about what a missing fixture left open', async () => {
    const answer = { verdict: 'fail', reason: 'r' };
    expect(await grade({ answer }, {}, { transcript: brokenOff(transcript) })).toMatchObject({
      verdict: 'unknown',
      reason: expect.stringContaining('which no fixture answers'),
    });
  });

  it('gets its arguments with tuning values in place', async () => {
    const result = await grade(
      { answer: { verdict: 'pass', reason: { tuning: '$.greeting' } } },
      {},
      { tuning: { greeting: 'good day' } },
    );
    expect(result).toMatchObject({ verdict: 'pass', reason: 'good day' });
  });
});

describe('a module', () => {
  it('is told the conversation, the turns that it reads, and the scenario without its checks', async () => {
    const scenario = {
      id: 'greets',
      tags: ['a'],
      variables: { plan: 'basic' },
      tenant: 'acme',
      checks: [{ secret: true }],
    };
    const result = await graded(
      { module: 'module.ts', args: { does: 'echo', x: [1] } },
      { on: 'last', scenario, tuning: { cap: 3 }, transcript: conversation('Hi.', 'Bye.') },
    );
    expect(JSON.parse(result.reason)).toEqual({
      check: 'own',
      args: { does: 'echo', x: [1] },
      turns: [2],
      transcript: 2,
      scenario: { id: 'greets', tags: ['a'], variables: { plan: 'basic' }, tenant: 'acme' },
      tuning: { cap: 3 },
      folder,
    });
  });

  it('in JavaScript, with a named export, is read too', async () => {
    expect(await graded({ module: 'named.mjs' })).toMatchObject({ verdict: 'pass', reason: '2 turns' });
  });

  it('is loaded once and kept, and imports its neighbours', async () => {
    const first = await byModule({ does: 'count' });
    const second = await byModule({ does: 'count' });
    const [one, two] = [first, second].map(({ reason }) => Number(reason.replace('call number ', '')));
    expect(two).toBe((one ?? 0) + 1);
  });

  it.each<[string, JsonObject, RegExp]>([
    ['throws', { module: 'module.ts', args: { does: 'throw' } }, /it threw TypeError: x is undefined$/],
    [
      'ends the process',
      { module: 'module.ts', args: { does: 'exit' } },
      /it ended its thread \(exit code 3\)$/,
    ],
    [
      'runs in circles',
      { module: 'module.ts', args: { does: 'circle' }, timeout_seconds: 0.5 },
      /did not answer within 0\.5 seconds$/,
    ],
    ['breaks beside its answer', { module: 'module.ts', args: { does: 'reject-later' } }, /it broke: later$/],
    [
      'returns what is no JSON',
      { module: 'module.ts', args: { does: 'circular' } },
      /it threw TypeError: Converting circular/,
    ],
    ['is not there', { module: 'gone.ts' }, /it cannot be loaded: /],
    [
      'exports no function',
      { module: 'exports-nothing.mjs' },
      /it cannot be loaded: Error: it exports no function/,
    ],
  ])('that %s is unknown, and the next one is asked as ever', async (_how, args, reason) => {
    expect(await graded(args)).toMatchObject({ verdict: 'unknown', reason: expect.stringMatching(reason) });
    expect(await graded({ module: 'named.mjs' })).toMatchObject({ verdict: 'pass' });
    expect(await byModule({ answer: { verdict: 'pass', reason: 'r' } })).toMatchObject({ verdict: 'pass' });
  });

  it('that does not parse is unknown, with the place of the mistake', async () => {
    const suiteFolder = await mkdtemp(join(tmpdir(), 'evalrun-custom-'));
    await writeFile(join(suiteFolder, 'broken.ts'), 'export default (\n');
    expect(await graded({ module: 'broken.ts' }, { suiteFolder })).toMatchObject({
      verdict: 'unknown',
      reason: expect.stringMatching(/^cannot be decided: broken\.ts: it cannot be loaded: \w+/),
    });
    await rm(suiteFolder, { recursive: true });
  });

  it('prints nothing on the screen of the run', async () => {
    expect(await byModule({ does: 'print' })).toMatchObject({ verdict: 'pass', reason: 'quiet' });
  });

  it('is asked by many trials at once', async () => {
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) => byModule({ answer: { verdict: 'pass', reason: `r${index}` } })),
    );
    expect(results.map(({ reason }) => reason)).toEqual(Array.from({ length: 8 }, (_, index) => `r${index}`));
  });
});

describe('a command', () => {
  let temporary: string | undefined;
  afterEach(async () => {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
    temporary = undefined;
  });

  it('runs in the folder of the suite, with the environment that it is given', async () => {
    const env = { PATH: process.env.PATH, GREETING: 'hello', UNSET: undefined };
    const result = await byCommand({ does: 'cwd' }, {}, { env });
    expect(result.reason).toBe(`${await realpath(folder)} hello`);
  });

  it('is told the turns that it reads', async () => {
    const args = { command: [process.execPath, 'command.mjs'], args: { does: 'echo' } };
    expect((await graded(args, { on: 'last' })).reason).toBe('own: message 2');
  });

  it.each<[string, JsonObject, RegExp]>([
    ['fails', { does: 'fail' }, /it ended with exit code 4; it said "KeyError: turns"$/],
    ['is killed', { does: 'killed' }, /it was ended by SIGKILL$/],
    ['writes without end', { does: 'flood' }, /its answer is longer than a megabyte$/],
    ['writes prose too', { does: 'prose' }, /its answer is not JSON: "Looking good! \{"verdict"/],
  ])('that %s is unknown', async (_how, args, reason) => {
    expect(await byCommand(args)).toMatchObject({
      verdict: 'unknown',
      reason: expect.stringMatching(reason),
    });
  });

  it('that does not exist is unknown', async () => {
    expect(await graded({ command: ['evalrun-no-such-program'] })).toMatchObject({
      verdict: 'unknown',
      reason: 'cannot be decided: evalrun-no-such-program: it could not be started (ENOENT)',
    });
  });

  it('that reads nothing of a long conversation is heard all the same', async () => {
    const long = conversation('x'.repeat(2_000_000));
    const answer = JSON.stringify({ verdict: 'pass', reason: 'did not look' });
    const program = `process.stdout.write(${JSON.stringify(answer)})`;
    const result = await graded({ command: [process.execPath, '-e', program] }, { transcript: long });
    expect(result).toMatchObject({ verdict: 'pass', reason: 'did not look' });
  });

  it('is ended with all that it started, also when it does not listen', async () => {
    expect(await byCommand({ does: 'stubborn' }, { timeout_seconds: 0.5 })).toMatchObject({
      verdict: 'unknown',
    });
    temporary = await mkdtemp(join(tmpdir(), 'evalrun-custom-'));
    const file = join(temporary, 'pid');
    const started = () =>
      vi.waitFor(
        async () => {
          const text = await readFile(file, 'utf8');
          expect(text).not.toBe('');
          return text;
        },
        { timeout: 30_000 },
      );
    // Its time is over once it has started what it starts.
    const clock = {
      ...systemClock,
      wait: async (ms: number, signal?: AbortSignal) => {
        if (ms === 60_000) await started();
        else await systemClock.wait(ms, signal);
      },
    };
    const env = { ...process.env, PID_FILE: file };
    expect(await byCommand({ does: 'child' }, { timeout_seconds: 60 }, { env, clock })).toMatchObject({
      verdict: 'unknown',
      reason: expect.stringContaining('did not answer within 60 seconds'),
    });
    const pid = Number(await started());
    expect(pid).toBeGreaterThan(0);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});

describe('the arguments of a custom check', () => {
  it.each<[JsonObject, string[]]>([
    [{}, [': needs module or command']],
    [{ module: 'a.ts', command: ['b'] }, [': give one of module, command, not both']],
    [{ command: [' '] }, ['command.0: the program has no name']],
    [{ module: 'gone.ts' }, ['module: there is no file "gone.ts" in the folder of the suite']],
    [{ module: 'module.ts' }, []],
  ])('that are %j are told what is wrong', (args, mistakes) => {
    expect(mistakesOf('custom', args, folder)).toEqual(mistakes);
  });

  it('allow no shell, and no time without end', () => {
    const schema = findCheck('custom')?.schema;
    for (const wrong of [
      { command: 'echo hi' },
      { module: 'a.ts', timeout_seconds: 0 },
      { module: 'a.ts', timeout_seconds: 1e6 },
    ])
      expect(schema?.safeParse(wrong).success).toBe(false);
  });
});
