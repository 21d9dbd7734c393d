import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  knownNoise,
  type NoiseEntry,
  noisePath,
  readNoise,
  writeNoise,
} from '../../source/compare/noise-file.js';
import { noiseLine } from '../../source/compare/noise-words.js';
import { defaultGate } from '../../source/project/gate-settings.js';

const parts = { prompt: 'a1b2c3d4e5f60718', model: '0123456789abcdef', target: 'fedcba9876543210' };

function entry(model: string, more: Partial<NoiseEntry> = {}): NoiseEntry {
  return {
    model,
    run: '20261120-142530-k3fz',
    date: '2026-11-20T14:25:30Z',
    prompt: 'v14',
    repeat: 3,
    trials: 108,
    checks: 40,
    flipped: 2,
    falseRed: 0.04,
    smallestDrop: 0.3,
    gate: { failOn: defaultGate.failOn, confirm: true },
    noisy: [{ check: 'refund/offers: credit', passed: 4, of: 6, flipped: true }],
    parts,
    ...more,
  };
}

async function project() {
  const root = await mkdtemp(path.join(tmpdir(), 'evalrun-noise-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return { root, file: noisePath({ folder: root }) };
}

const asRun = { gate: defaultGate, repeat: 3, isFiltered: false };
const at = Date.UTC(2026, 10, 30);

describe('the noise floors of a suite', () => {
  it('are kept one a model, sorted, and the same text for the same findings', async () => {
    const { root, file } = await project();
    expect(await readNoise({ root }, file)).toEqual([]);
    await writeNoise({ root }, file, entry('openai:b'));
    await writeNoise({ root }, file, entry('anthropic:a'));
    const first = await readFile(file, 'utf8');
    const newer = { date: '2026-11-21T08:00:00Z', falseRed: 0.06 };
    await writeNoise({ root }, file, entry('anthropic:a', { ...newer, parts: { ...parts } }));
    expect(await readNoise({ root }, file)).toEqual([entry('anthropic:a', newer), entry('openai:b')]);
    await writeNoise({ root }, file, entry('anthropic:a'));
    expect(await readFile(file, 'utf8')).toBe(first);
    expect(first).toMatch(/^# What this suite does when nothing has changed/);
  });

  it('name every mistake of the file at its place', async () => {
    const { root, file } = await project();
    await writeFile(file, 'noise:\n  - model: a\n    falseRed: 4\n');
    await expect(readNoise({ root }, file)).rejects.toThrow(/noise\.yaml:3:15/);
  });

  it('are told with every verdict of the model, and of whatever else they were measured with', () => {
    const entries = [entry('a'), entry('b', { smallestDrop: 0.5 })];
    const lineOf = (condition: { model: string; parts: typeof parts }, how = asRun) => {
      const noise = knownNoise(entries, condition, how);
      return noise && noiseLine(noise, { at });
    };
    expect(lineOf({ model: 'a', parts })).toBe(
      'noise floor (20 Nov, 108 trials): this gate goes red by chance in 4 % of runs, and sees a drop of 30 points 80 % of the time',
    );
    expect(lineOf({ model: 'c', parts })).toBeUndefined();
    const other = { model: 'a', parts: { ...parts, prompt: 'ffffffffffffffff' } };
    expect(
      lineOf(other, { gate: { ...defaultGate, confirm: false }, repeat: 6, isFiltered: true }),
    ).toContain(
      '(20 Nov, 108 trials, measured with another prompt, another gate, 3 repeats, all scenarios): such a gate',
    );
  });

  it('say the year where it is another, and what is rarer or larger than can be drawn', () => {
    const noise = { runId: 'r', at: Date.UTC(2025, 0, 3), trials: 6, falseRed: 0 };
    expect(noiseLine(noise, { at, isCompared: false })).toBe(
      'noise floor (3 Jan 2025, 6 trials): a gate against a baseline goes red by chance in less than 1 % of runs, and misses even a fall to nothing more than 20 % of the time',
    );
  });
});
