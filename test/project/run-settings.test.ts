import { describe, expect, test } from 'vitest';
import { InputError } from '../../source/base/errors.js';
import { defaultGate } from '../../source/project/gate-settings.js';
import { gateSettings } from '../../source/project/run-gate.js';
import { type RunSettingSources, resolveRunSettings } from '../../source/project/run-settings.js';

const all: RunSettingSources = {
  flags: { repeat: '5', concurrency: 2, seed: '7' },
  env: { EVALRUN_REPEAT: '4', EVALRUN_CONCURRENCY: '6', EVALRUN_ATTEMPTS: '2', EVALRUN_SEED: 'x' },
  suite: { repeat: 6 },
  config: { run: { repeat: 7, concurrency: 9, trialTimeoutSeconds: 30 }, gate: { minCoverage: 0.5 } },
};

test('flag wins over environment, environment over suite, suite over config, config over default', () => {
  expect(resolveRunSettings(all)).toEqual({
    repeat: { value: 5, from: 'flag' },
    concurrency: { value: 2, from: 'flag' },
    trialTimeoutSeconds: { value: 30, from: 'config' },
    attempts: { value: 2, from: 'environment' },
    minCoverage: { value: 0.5, from: 'config' },
    failOn: { value: defaultGate.failOn, from: 'default' },
    confirm: { value: true, from: 'default' },
    seed: { value: '7', from: 'flag' },
  });
  const repeatOf = (sources: Partial<RunSettingSources>) => resolveRunSettings({ ...all, ...sources }).repeat;
  expect(repeatOf({ flags: {} })).toEqual({ value: 4, from: 'environment' });
  expect(repeatOf({ flags: {}, env: {} })).toEqual({ value: 6, from: 'suite' });
  expect(repeatOf({ flags: {}, env: {}, suite: undefined })).toEqual({ value: 7, from: 'config' });
  expect(repeatOf({ flags: {}, env: {}, suite: {}, config: {} })).toEqual({ value: 3, from: 'default' });
});

test('without any word on it everything is at its default, and no seed is made up here', () => {
  expect(resolveRunSettings({ flags: {}, env: {}, config: {} })).toEqual({
    repeat: { value: 3, from: 'default' },
    concurrency: { value: 8, from: 'default' },
    trialTimeoutSeconds: { value: 180, from: 'default' },
    attempts: { value: 4, from: 'default' },
    minCoverage: { value: 0.95, from: 'default' },
    failOn: { value: ['hard-criteria', 'score-drop', 'quarantine-expired'], from: 'default' },
    confirm: { value: true, from: 'default' },
    seed: { value: undefined, from: 'default' },
  });
});

test('a variable that is set to nothing is not set', () => {
  const { repeat, seed } = resolveRunSettings({
    flags: {},
    env: { EVALRUN_REPEAT: '', EVALRUN_SEED: '' },
    config: {},
  });
  expect([repeat.from, seed.from]).toEqual(['default', 'default']);
});

describe('a value that makes no sense', () => {
  test.each([
    ['0', 'a whole number from 1 to 1000'],
    ['-3', 'a whole number from 1 to 1000'],
    ['1.5', 'a whole number from 1 to 1000'],
    ['three', 'a whole number from 1 to 1000'],
    ['0x10', 'a whole number from 1 to 1000'],
    ['1e2', 'a whole number from 1 to 1000'],
    [' ', 'a whole number from 1 to 1000'],
  ])('as %j for repeat says what would be right', (value, wanted) => {
    expect(() => resolveRunSettings({ flags: { repeat: value }, env: {}, config: {} })).toThrow(
      `--repeat: expected ${wanted}, found ${JSON.stringify(value)}`,
    );
  });

  test('is a mistake also where something stronger wins, and all of them are reported', () => {
    const resolve = () =>
      resolveRunSettings({
        flags: { repeat: '3' },
        env: { EVALRUN_REPEAT: 'x', EVALRUN_MIN_COVERAGE: '95', EVALRUN_TRIAL_TIMEOUT_SECONDS: '0' },
        config: {},
      });
    expect(resolve).toThrow(InputError);
    expect(resolve).toThrow(
      [
        'EVALRUN_REPEAT: expected a whole number from 1 to 1000, found "x"',
        'EVALRUN_TRIAL_TIMEOUT_SECONDS: expected a number of seconds above 0, at most 86400, found "0"',
        'EVALRUN_MIN_COVERAGE: expected a share from 0 to 1, found "95"',
      ].join('\n'),
    );
  });
});

test('takes what fails the gate as a list, each name once', () => {
  const { failOn } = resolveRunSettings({
    flags: { failOn: 'score-drop, tokens,score-drop' },
    env: { EVALRUN_FAIL_ON: 'drift' },
    config: { gate: { failOn: ['unknown'] } },
  });
  expect(failOn).toEqual({ value: ['score-drop', 'tokens'], from: 'flag' });
});

test('confirms as the config says, unless the environment or the line says otherwise', () => {
  const config = { gate: { confirm: false } };
  const confirmOf = (flags: { confirm?: string }, env: NodeJS.ProcessEnv) =>
    resolveRunSettings({ flags, env, config }).confirm;
  expect(confirmOf({}, {})).toEqual({ value: false, from: 'config' });
  expect(confirmOf({}, { EVALRUN_CONFIRM: 'true' })).toEqual({ value: true, from: 'environment' });
  expect(confirmOf({ confirm: 'false' }, { EVALRUN_CONFIRM: 'true' })).toEqual({
    value: false,
    from: 'flag',
  });
});

test('names what was probably meant by a thing that cannot fail a gate', () => {
  expect(() => resolveRunSettings({ flags: { failOn: 'hard-critera,drift' }, env: {}, config: {} })).toThrow(
    'did you mean "hard-criteria"?',
  );
  for (const confirm of ['constructor', 'yes', ''])
    expect(() => resolveRunSettings({ flags: { confirm }, env: {}, config: {} })).toThrow('true or false');
});

test('fills a gate from settings, config and defaults', () => {
  const settings = resolveRunSettings({ flags: { confirm: 'false' }, env: {}, config: {} });
  expect(gateSettings(settings, { meanDrop: 0.4, inputTokens: { fail: 2 } })).toEqual({
    ...defaultGate,
    confirm: false,
    meanDrop: 0.4,
    inputTokens: { warn: 1.1, fail: 2 },
  });
});

test('a seed that looks like a key is refused without being repeated, for it is kept with the run', () => {
  const seed = 'sk-proj-abcdefghijklmnop1234';
  const mistake = (sources: Partial<RunSettingSources>) => {
    try {
      resolveRunSettings({ flags: {}, env: {}, config: {}, ...sources });
    } catch (error) {
      return (error as Error).message;
    }
    return undefined;
  };
  const wanted = 'expected a text that is not empty, and no key: it is kept with the run, found "[secret]"';
  expect(mistake({ flags: { seed } })).toBe(`--seed: ${wanted}`);
  expect(mistake({ env: { EVALRUN_SEED: seed } })).toBe(`EVALRUN_SEED: ${wanted}`);
});
