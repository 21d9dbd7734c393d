import { describe, expect, it } from 'vitest';
import { compareEvidence } from '../../source/compare/compare.js';
import { confirm } from '../../source/compare/confirm.js';
import { evidenceOf } from '../../source/compare/evidence.js';
import { decideSides } from '../../source/compare/gate.js';
import { knownText } from '../../source/compare/known.js';
import type { Evidence } from '../../source/compare/types.js';
import { defaultGate, type GateSettings } from '../../source/project/gate-settings.js';
import { applyMessage, createTally } from '../../source/tally/tally.js';
import type { RunTally } from '../../source/tally/types.js';
import { createFakeRun, fakeCondition, fakeScenario } from '../ui/fake-run.js';

type Verdicts = ('pass' | 'fail')[];

/** What a run of one scenario says, of as many trials as there are verdicts. */
function side(verdicts: Verdicts, { prompt = 'v14', scenario = 'refund', taint = false } = {}): Evidence {
  const fake = createFakeRun({
    scenarios: [fakeScenario(scenario, [], ['tool_called get_order'])],
    conditions: [{ ...fakeCondition('a', prompt), hash: prompt }],
    repeat: verdicts.length,
  });
  verdicts.forEach((verdict, at) => {
    fake.trial(fake.key(scenario, at + 1), verdict);
  });
  if (taint) fake.emit({ type: 'taint', at: 0, kind: 'auth', message: 'the key was refused' });
  let tally: RunTally | undefined;
  void fake.run.feed((message) => {
    if (message.event.type === 'run-started') tally = createTally(message.event);
    else if (tally) applyMessage(tally, message);
  });
  if (!tally) throw new Error('the run did not start');
  return evidenceOf(tally, 'a');
}

function decided(base: Evidence, candidate: Evidence, gate: GateSettings = defaultGate) {
  return decideSides(confirm(compareEvidence(base, candidate, gate), gate), gate);
}

const good = side(['pass', 'pass', 'pass']);
const bad = side(['fail', 'fail', 'fail'], { prompt: 'v15' });

describe('two sides held against each other', () => {
  it('hold where nothing got worse, and where it got better', () => {
    expect(decided(good, side(['pass', 'pass', 'pass'], { prompt: 'v15' }))).toMatchObject({
      exitCode: 0,
      verdict: 'pass',
    });
    expect(decided(bad, good).exitCode).toBe(0);
  });

  it('name what looks worse and was not run again as a suspect, which blocks nothing', () => {
    const { exitCode, suspects, reasons } = decided(good, bad);
    expect(exitCode).toBe(0);
    expect(suspects).toHaveLength(1);
    expect(reasons.join('\n')).toContain('suspect: refund / tool_called get_order');
  });

  it('fail where a gate that does not confirm would', () => {
    expect(decided(good, bad, { ...defaultGate, confirm: false })).toMatchObject({
      exitCode: 1,
      verdict: 'fail',
    });
  });

  it('give no verdict where one is no evidence, or nothing is asked the same way', () => {
    expect(decided(good, side(['pass'], { taint: true }))).toMatchObject({ exitCode: 3, verdict: 'none' });
    expect(decided(good, side(['pass'], { scenario: 'other' })).exitCode).toBe(3);
    const other = structuredClone(good);
    for (const { checks } of other.scenarios.values())
      for (const check of checks.values()) check.type = 'keywords_absent';
    const { exitCode, headline } = decided(good, other);
    expect(headline).toBe('NO VERDICT: no criterion is asked the same way on both sides');
    expect(exitCode).toBe(3);
  });
});

describe('how well a side is known', () => {
  it('is the trials of its checks, from the fewest to the most', () => {
    expect(knownText(good)).toBe('3 trials');
    expect(knownText(side(['pass']))).toBe('1 trial');
    const uneven = structuredClone(good);
    for (const { checks } of uneven.scenarios.values())
      for (const check of [...checks.values()]) checks.set('more', { ...check, id: 'more', of: 12 });
    expect(knownText(uneven)).toBe('3–12 trials');
    expect(knownText({ ...good, scenarios: new Map() })).toBeUndefined();
  });
});
