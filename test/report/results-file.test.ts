import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { makeVisible } from '../../source/base/text.js';
import type { Decision } from '../../source/compare/gate.js';
import { resultsFileName, writeResults } from '../../source/report/results-file.js';
import { feedOf, finished, plannedScenario, runStarted, trialKey } from '../tally/support.js';
import { hostile, temporaryFolder } from './support.js';

const failed: Decision = { exitCode: 1, verdict: 'fail', headline: 'FAIL: 1 of 2', reasons: [], coverage: 1 };

function tallyOfRun(reason = 'was never called') {
  const tagged = { ...plannedScenario('refund'), tags: ['money'] };
  tagged.checks = tagged.checks.map((check) => ({ ...check, axis: 'routing' }));
  const feed = feedOf({
    ...runStarted([tagged, plannedScenario('hello')]),
    at: Date.UTC(2026, 10, 30, 14, 25, 30),
    note: 'why not',
  });
  for (const repeat of [1, 2, 3]) {
    feed.trial(trialKey('refund', repeat), { c: repeat === 1 ? 'pass' : ['fail', reason] });
    feed.trial(trialKey('hello', repeat), { c: 'pass' });
  }
  feed.tell(finished());
  return feed.tally;
}

it('keeps scores in all, per axis and per tag, tokens and failures with their reasons', async () => {
  const file = (await writeResults(temporaryFolder(), tallyOfRun(), failed, 'before: the/edit')) ?? '';
  expect(path.basename(file)).toBe('20261130_142530_before-the-edit.yaml');
  expect(path.basename(path.dirname(file))).toBe('results');
  expect(statSync(file).mode & 0o777).toBe(0o644);
  expect(parse(readFileSync(file, 'utf8'))).toMatchObject({
    format: 1,
    label: 'before: the/edit',
    note: 'why not',
    suite: 'tiny',
    started: '2026-11-30T14:25:30.000Z',
    verdict: 'FAIL: 1 of 2',
    simulated: true,
    conditions: [
      {
        prompt: 'va',
        model: 'simulated:tiny',
        scores: {
          all: { passed: 4, of: 6, share: 0.6667, scenarios: 2 },
          axes: { routing: { passed: 1, of: 3, share: 0.3333 } },
          tags: { money: { passed: 1, of: 3 } },
        },
        failures: [{ scenario: 'refund', check: 'c', passed: 1, of: 3, reason: 'was never called' }],
      },
    ],
    tokens: { agent: { input: 600, output: 60, cacheHitRate: 0 }, judge: { input: 42 } },
  });
});

it('shows what a model said without a character that an editor would obey', async () => {
  const reason = hostile.replace(/[\ud800-\udfff]/g, '').slice(0, 150);
  const file = (await writeResults(temporaryFolder(), tallyOfRun(reason), failed, hostile)) ?? '';
  const text = readFileSync(file, 'utf8');
  expect(parse(text).conditions[0].failures[0].reason).toBe(makeVisible(reason, { keepNewlines: true }));
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e]/);
});

it('keeps nothing of a run without a verdict, and says why it cannot write', async () => {
  const none = { ...failed, exitCode: 3 as const, verdict: 'none' as const };
  expect(await writeResults(temporaryFolder(), tallyOfRun(), none, 'x')).toBeUndefined();
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'results'), '');
  await expect(writeResults(folder, tallyOfRun(), failed, 'x')).rejects.toThrow(
    'the results cannot be kept in',
  );
});

it('any label is the name of one file in the folder', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (label) => {
      const name = resultsFileName(0, label);
      expect(name).toMatch(/^19700101_000000_[\p{L}\p{N}._-]+\.yaml$/u);
      expect(Buffer.byteLength(name)).toBeLessThan(256);
    }),
  );
  expect(resultsFileName(0, '../..')).toBe('19700101_000000_run.yaml');
});

it('keeps none of a bisect, which chose what it ran by what had failed', async () => {
  const folder = temporaryFolder();
  const tally = tallyOfRun();
  const bisect = { ...tally, started: { ...tally.started, purpose: 'bisect' as const } };
  const found: Decision = { ...failed, exitCode: 0, verdict: 'measured' };
  expect(await writeResults(folder, bisect, found, 'words')).toBeUndefined();
  expect(await writeResults(folder, tally, found, 'words')).toBeDefined();
});
