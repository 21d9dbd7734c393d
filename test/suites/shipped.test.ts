import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadPrompt } from '../../source/project/prompts.js';
import { textOfTurn } from '../../source/suite/turns.js';
import type { Scenario } from '../../source/suite/types.js';
import { hunksBetween } from './hunks.js';
import { idsWith, openSuite, root, verdictsOf } from './play-suite.js';

/** The seed of `npm start`. */
const seed = '7';

const airline = await openSuite('support-agent');
const extraction = await openSuite('message-actions');
const prompt = async (version: string) => (await loadPrompt(airline.project, 'support-agent', version)).text;
const v14 = await prompt('v14');
const v15 = await prompt('v15');

const recordingOf = ({ origin }: Scenario) => /recording (\S+)/.exec(origin ?? '')?.[1];
const recordedOnes = airline.suite.scenarios.filter((scenario) => recordingOf(scenario) !== undefined);
const scenarioOf = (id: string): Scenario[] =>
  airline.suite.scenarios.filter((scenario) => scenario.id === id);

describe('the suites that are shipped', () => {
  it('load without a mistake and hold what the readme says', () => {
    expect(airline.suite.scenarios).toHaveLength(36);
    expect(extraction.suite.scenarios).toHaveLength(80);
    expect(airline.suite.target.kind).toBe('prompt');
    expect(airline.target.tools).toHaveLength(14);
  });

  it('say of every scenario what kind it is and what it was made from', () => {
    for (const { suite } of [airline, extraction]) {
      const silent = suite.scenarios.filter((scenario) => !scenario.source || !scenario.origin);
      expect(silent.map(({ id }) => id)).toEqual([]);
    }
  });

  it('hold every source, and both have tags on every scenario', () => {
    const sources = airline.suite.scenarios.map(({ source }) => source);
    expect(new Set(sources)).toEqual(new Set(['real', 'incident', 'adversarial', 'rare']));
    const scenarios = [...airline.suite.scenarios, ...extraction.suite.scenarios];
    expect(scenarios.filter(({ tags }) => tags.length === 0).map(({ id }) => id)).toEqual([]);
  });

  it('replay 24 recordings, each once, and mark all others as written', () => {
    expect(new Set(recordedOnes.map(recordingOf)).size).toBe(24);
    expect(recordedOnes.filter(({ source }) => source !== 'real').map(({ id }) => id)).toEqual([]);
    const others = airline.suite.scenarios.filter((scenario) => !recordedOnes.includes(scenario));
    expect(others.filter(({ origin }) => !origin?.startsWith('written from tau2-bench'))).toEqual([]);
  });

  it('ask a judge in every airline scenario and have hard checks beside it', () => {
    for (const { id, checks } of airline.suite.scenarios) {
      const types = checks.map(({ type }) => type);
      expect(types, id).toContain('judge');
      expect(
        types.filter((type) => type.startsWith('tool_') || type.startsWith('pattern_')).length,
        id,
      ).toBeGreaterThan(1);
    }
  });
});

interface Recording {
  id: string;
  messages: { role: string; content: string | null }[];
}

const recordings = join(root, '../shared/data/tau-bench-airline/gpt-4o-airline.trajectories.jsonl');

describe.skipIf(!existsSync(recordings))('the recorded conversations', () => {
  it('are sent byte for byte, without the mark at their end', async () => {
    const lines = (await readFile(recordings, 'utf8')).trim().split('\n');
    const expected = new Map(
      lines.map((line) => {
        const { id, messages } = JSON.parse(line) as Recording;
        const said = messages.flatMap(({ role, content }) =>
          role === 'user' && content !== null ? [content] : [],
        );
        const kept = said.filter((text) => text.trim() !== '###STOP###');
        return [id, kept.map((text) => text.replace('###STOP###', ''))];
      }),
    );
    const sent = new Map(
      recordedOnes.map((scenario) => [recordingOf(scenario), scenario.turns.map(textOfTurn)]),
    );
    expect(sent).toEqual(expected);
  });
});

describe('the simulated support agent', () => {
  it('knows every shipped conversation word for word', async () => {
    const file = await readFile(join(root, 'simulated/support-agent.yaml'), 'utf8');
    const { replays } = parse(file, { maxAliasCount: -1 }) as {
      replays: { id: string; turns: { user: string }[] }[];
    };
    const known = new Map(replays.map(({ id, turns }) => [id, turns.map(({ user }) => user)]));
    const wanted = new Map(airline.suite.scenarios.map(({ id, turns }) => [id, turns.map(textOfTurn)]));
    expect(known).toEqual(wanted);
  });
});

describe('the candidate v15 of the airline prompt', () => {
  const hunks = hunksBetween(v14, v15);
  const isGuilty = ({ removed }: { removed: string[] }) =>
    removed.some((line) => line.includes('Delayed flight'));
  const guilty = hunks.filter(isGuilty);
  const text = (lines: string[]) => lines.join('\n');

  it('is an edit of 7 to 12 hunks', () => {
    expect(hunks.length).toBeGreaterThanOrEqual(7);
    expect(hunks.length).toBeLessThanOrEqual(12);
    expect(guilty).toHaveLength(1);
  });

  it('under the seed of npm start breaks one scenario, and one more only warns, for its budget', async () => {
    const rows = await verdictsOf(airline, v15, seed);
    expect(idsWith(rows, 'fail')).toEqual(['delay-certificate-keeps-flight']);
    expect(idsWith(rows, 'warn')).toEqual(['three-changes-at-once']);
    expect(idsWith(rows, 'pass')).toHaveLength(34);
    expect(rows.get('three-changes-at-once')?.reasons.join('\n')).toMatch(/^budget-output: output_tokens/);
    const why = rows.get('delay-certificate-keeps-flight')?.reasons.join('\n');
    expect(why).toMatch(/expected no call of send_certificate, saw send_certificate\(.*150/);
    expect(why).toMatch(/keeps the flight/);
  });

  it('is where v14 passes but for real flakes', async () => {
    const rows = await verdictsOf(airline, v14, seed);
    expect(idsWith(rows, 'fail')).toEqual([]);
    expect(idsWith(rows, 'unknown')).toEqual([]);
    const flaky = idsWith(rows, 'warn');
    expect(flaky.length).toBeGreaterThanOrEqual(1);
    expect(flaky.length).toBeLessThanOrEqual(3);
    for (const id of flaky) expect(recordedOnes.map((scenario) => scenario.id)).toContain(id);
  });

  it('breaks by one hunk alone: with it v14 fails too, without it v15 does not', async () => {
    const [hunk] = guilty;
    if (hunk === undefined) throw new Error('the guilty hunk is gone');
    const delay = scenarioOf('delay-certificate-keeps-flight');
    const onlyIt = v14.replace(text(hunk.removed), text(hunk.added));
    const allButIt = v15.replace(text(hunk.added), text(hunk.removed));
    const failuresIn = async (system: string) => {
      let failures = 0;
      for (let run = 1; run <= 5; run++) {
        const row = (await verdictsOf(airline, system, `hunk ${run}`, delay)).get(
          'delay-certificate-keeps-flight',
        );
        if (row?.verdict === 'fail') failures++;
      }
      return failures;
    };
    expect(await failuresIn(onlyIt)).toBeGreaterThanOrEqual(4);
    expect(await failuresIn(allButIt)).toBeLessThanOrEqual(1);
  });

  it('has repeats that differ in words and seeds that give the same again', async () => {
    const once = await verdictsOf(airline, v15, 'any seed', scenarioOf('three-changes-at-once'));
    const again = await verdictsOf(airline, v15, 'any seed', scenarioOf('three-changes-at-once'));
    expect(again).toEqual(once);
    const tokens = once.get('three-changes-at-once')?.reasons ?? [];
    expect(new Set(tokens).size).toBeGreaterThan(1);
  });
});

describe('the deployed v1 of the extraction prompt', () => {
  it('gets 77 of 80 right and misses the three that its suite names', async () => {
    const { text: v1 } = await loadPrompt(extraction.project, 'message-actions', 'deployed');
    const rows = await verdictsOf(extraction, v1, seed);
    expect(idsWith(rows, 'fail')).toEqual(['bill-of-fare', 'irs-tax-refund', 'question-and-freeze']);
    expect(idsWith(rows, 'pass')).toHaveLength(77);
  });
});
