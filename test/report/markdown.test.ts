import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Decision, decide } from '../../source/compare/gate.js';
import { defaultGate } from '../../source/project/gate-settings.js';
import { createRoom } from '../../source/report/markdown-room.js';
import { markdownBlock, markdownCode } from '../../source/report/markdown-text.js';
import type { FinishedRun } from '../../source/report/reporter.js';
import { feedOf, finished, plannedScenario, runStarted, trialKey } from '../tally/support.js';
import { change, comparison, emptyJournal, evidence, hostile, reportOf, unsafe } from './support.js';

/** A run of which `failing` scenarios fail, for a reason of a model. */
function runOf(failing: string[], passing: string[] = ['passes'], reason = 'was never called'): FinishedRun {
  const feed = feedOf(runStarted([...passing, ...failing].map((id) => plannedScenario(id))));
  for (const id of [...passing, ...failing]) {
    for (const repeat of [1, 2, 3]) {
      feed.trial(trialKey(id, repeat), { c: failing.includes(id) ? ['fail', reason] : 'pass' });
    }
  }
  feed.tell(finished());
  return { tally: feed.tally, decision: decide(feed.tally, defaultGate), place: emptyJournal() };
}

/** What a reader sees in place of character references. */
function decoded(text: string): string {
  return text.replace(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code)));
}

describe('the comment for a pull request', () => {
  it('says the verdict, then to read the answers, then what fails', async () => {
    const run = {
      ...runOf(['refund']),
      judgeNotes: ['judge default@1: uncalibrated', 'read the answers yourself: evalrun review x'],
    };
    const text = decoded(await reportOf('markdown', [run]));
    const order = [
      '<!-- evalrun -->',
      '**FAIL: 1 of 2 scenarios fails**',
      '> <code>judge default@1',
      'read the answers yourself',
      '| <code>refund</code> | <code>c: was never called</code> |',
      'tokens 600 input',
      'evalrun show 20261130-142530-k3fz',
    ];
    const places = order.map((part) => text.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it('has what changed in three tiers, with rates, proof and what did not change', async () => {
    const changes = [
      change('cured', { direction: 'fixed', from: evidence(0, 3), to: evidence(3, 3) }),
      change('shaky', { p: 0.2, needs: 9 }),
      change('refund', {
        proof: 'confirmed',
        p: 0.0004,
        to: evidence(0, 3, { fresh: { passed: 1, of: 6 } }),
      }),
      change('moved', { direction: 'not-comparable', why: ['turns', 'the check'] }),
    ];
    const run = runOf(['refund']);
    const decision: Decision = {
      ...run.decision,
      blocking: [
        { by: 'hard-criteria', scenario: 'refund', check: 'c', text: 'refund / c: regression' },
        { by: 'tokens', text: 'input tokens 1.25 times those of the base' },
      ],
      suspects: changes.slice(1, 2),
      reasons: [
        'hard-criteria: refund / c: regression',
        'suspect: shaky / c: 3/3',
        'failed before and still fails: known / c',
      ],
    };
    const text = decoded(await reportOf('markdown', [{ ...run, decision, comparison: comparison(changes) }]));
    expect(text.match(/^- <code>.*/gm)).toEqual(['- <code>failed before and still fails: known / c</code>']);
    expect(text).toContain('- **blocks:** <code>input tokens 1.25 times those of the base</code>');
    expect(text).toMatch(
      /#### Blocks \(1\)\n[^#]*refund.*3\/3 → 0\/3, re-run 1\/6 \| confirmed by the re-run, p <0.001/,
    );
    expect(text).toMatch(
      /#### Suspects and drift[^#]*shaky.*suspect, p 0.20, 9 trials a side in all would settle it/,
    );
    expect(text).toMatch(
      /#### Fixed, better, new, gone, not comparable \(2\)\n[^#]*cured[^#]*moved.*turns, the check/,
    );
    expect(text).toContain('Nothing else changed (7 criteria).');
    expect(text).toContain('input ×1.25 a trial, cache 71 % → 69 %; over its warning');
    expect(text).toContain('sign test over scenarios: 1 better, 4 worse, p 0.19');
  });

  it('stays under the length that GitHub takes, and says what it left out', async () => {
    const many = Array.from({ length: 3000 }, (_, i) => `scenario-${i}`);
    const run = runOf(many, ['passes'], `${'#'.repeat(150)} is not allowed`);
    for (const runs of [[run], [run, run, run]]) {
      const text = await reportOf('markdown', runs, { runs: runs.length });
      expect(text.length).toBeLessThan(65_536);
      expect(text.length).toBeGreaterThan(50_000);
      const [, left = ''] = /Left out for want of room: (\d+) failing scenarios/.exec(text) ?? [];
      const [first = ''] = text.split('### evalrun').slice(1);
      expect(first.match(/scenario-\d+<\/code> \|/g)?.length).toBe(3000 - Number(left));
      expect(text).toContain('Reopen with');
    }
  });

  it('makes nothing of what models and files say', async () => {
    const changes = [
      change(hostile, { check: hostile, to: evidence(0, 3, { why: hostile }), proof: 'confirmed' }),
    ];
    const notes = { judgeNotes: [hostile] };
    const run = { ...runOf([hostile], ['passes'], hostile), ...notes };
    for (const text of [
      await reportOf('markdown', [run]),
      await reportOf('markdown', [{ ...run, comparison: comparison(changes) }]),
    ]) {
      expect(text).not.toMatch(unsafe);
      expect(text.replaceAll('<!-- evalrun -->', '')).not.toMatch(
        /<script|<!--|@octocat|#123|##\[|##vso|^\s*::/m,
      );
      // Every row has as many cells as its heading.
      const cells = text
        .split('\n')
        .filter((line) => line.startsWith('| '))
        .map((line) => line.split('|').length);
      expect(cells.length).toBeGreaterThan(1);
      expect(new Set(cells).size).toBe(1);
    }
  });
});

it('any text as code has no markup in it, and is itself once references are read', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const [, inner] = /^<code>(.*)<\/code>$/s.exec(markdownCode(`x${text}`)) ?? [];
      expect(inner?.replace(/&#\d+;/g, '')).toMatch(
        /^(?:[^&<>`*[\]\\|~#@$_:\n]|:(?!\/\/)|(?<=[a-z0-9])_(?=[a-z0-9]))*$/i,
      );
    }),
  );
  expect(decoded(markdownCode('a|b `c` @d #1 <e> &amp;'))).toBe('<code>a|b `c` @d #1 <e> &amp;</code>');
});

it('no text ends the block of code that it stands in', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[`~a ]{0,12}$/)), (lines) => {
      const [fence = '', ...rest] = markdownBlock(lines).split('\n');
      const length = /^`+/.exec(fence)?.[0].length ?? 0;
      const ends = rest.findIndex((line) => new RegExp(`^ {0,3}\`{${length},} *$`).test(line));
      expect(ends).toBe(rest.length - 1);
    }),
  );
});

it('a room takes texts whole, keeps to its limit, and counts what found no place', () => {
  const room = createRoom(10);
  expect([
    room.add('12345', 'rows'),
    room.add('1234567', 'rows'),
    room.add('1', 'rows'),
    room.add('123', 'notes'),
  ]).toEqual([true, false, false, true]);
  expect(room.text()).toBe('12345123');
  expect(room.leftOut()).toBe('2 rows');
});

it('tells what bisects found, hostile words and all, and how one goes on that is not finished', async () => {
  const known = {
    folder: '/logs/tiny/x',
    journal: '/logs/tiny/x/journal.jsonl',
    good: 'v1',
    bad: 'v2',
    hunks: 3,
    watched: [{ scenario: 'one', check: 'c' }, { scenario: 'one', check: 'd' }, { scenario: 'two' }],
  };
  const headline = `FOUND: hunk 2 of 3, ${hostile}`;
  const found = { finding: { kind: 'hunks' as const, hunks: [1] }, headline, reasons: ['v1 passes 2/2'] };
  const run = {
    ...runOf(['one']),
    bisects: [
      { ...known, runId: '20261130-150000-aaaa', state: 'done' as const, found, diff: ['- ```', '+ @team'] },
      { ...known, runId: '20261130-150001-aaaa', state: 'unfinished' as const, diff: [] },
    ],
  };
  const text = await reportOf('markdown', [run]);
  expect(text).toContain('#### Bisected: <code>one / c, d; two</code>, <code>v1 → v2</code>');
  expect(text).toContain('````text\n- ```\n+ @team\n````');
  expect(text).toContain('- see all of it with <code>evalrun show 20261130-150000-aaaa</code>');
  expect(text).toContain('**<code>not finished</code>**');
  expect(text).toContain('- go on with <code>evalrun bisect --resume 20261130-150001-aaaa</code>');
  expect(text).not.toMatch(unsafe);
});
