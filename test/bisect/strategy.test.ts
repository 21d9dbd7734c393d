import { describe, expect, it } from 'vitest';
import { expectedTrials, stepVerdict } from '../../source/bisect/guided.js';
import { capacity, informationLimit } from '../../source/bisect/limit.js';
import type { Next } from '../../source/bisect/next.js';
import { createSession, type Outcome, record, type Session } from '../../source/bisect/session.js';
import { propose } from '../../source/bisect/strategy.js';

/** Plays a session on until something is to be decided, or for so many trials. */
function play(
  session: Session,
  outcomeOf: (candidate: string) => Outcome,
  most: number,
): { session: Session; next: Next } {
  let current = session;
  for (let trials = 0; ; trials++) {
    const { next } = propose(current);
    if (next.kind !== 'try' || trials === most) return { session: current, next };
    const { candidate, purpose } = next;
    current = record(current, { kind: 'trial', candidate, outcome: outcomeOf(candidate), purpose });
  }
}

const failsWith = (hunk: number) => (candidate: string) => (candidate[hunk] === '1' ? 'fail' : 'pass');

describe('auto', () => {
  it('measures both ends first, finds the guilty hunk and confirms it in turns before it says so', () => {
    const { session, next } = play(createSession({ hunks: 8, strategy: 'auto' }), failsWith(5), 100);
    expect(next).toMatchObject({ kind: 'finish', finding: { kind: 'hunks', hunks: [5] } });
    const trials = session.entries.flatMap((entry) => (entry.kind === 'trial' ? [entry] : []));
    expect(trials.slice(0, 4).map(({ candidate }) => candidate)).toEqual([
      '00000000',
      '11111111',
      '00000000',
      '11111111',
    ]);
    const confirming = trials.filter(({ purpose }) => purpose.kind === 'confirm');
    expect(confirming.map(({ candidate }) => candidate)).toEqual([
      '11111011',
      '11111111',
      '11111011',
      '11111111',
    ]);
  });

  it('says that it is not the prompt where both ends pass', () => {
    const { next } = play(createSession({ hunks: 8, strategy: 'auto' }), () => 'pass', 100);
    expect(next).toMatchObject({ kind: 'finish', finding: { kind: 'not-the-prompt' } });
  });

  it('says that the good version fails too where both ends fail', () => {
    const { next } = play(createSession({ hunks: 8, strategy: 'auto' }), () => 'fail', 100);
    expect(next).toMatchObject({ kind: 'finish', finding: { kind: 'good-fails-too' } });
  });

  it('ends at the budget with the leader and what it would take', () => {
    let passes = false;
    const undecided = () => {
      passes = !passes;
      return passes ? ('pass' as const) : ('fail' as const);
    };
    const { session, next } = play(createSession({ hunks: 8, strategy: 'auto', budget: 9 }), undecided, 100);
    expect(session.entries).toHaveLength(9);
    expect(next).toMatchObject({ kind: 'finish', finding: { kind: 'inconclusive', why: 'budget' } });
    expect(
      next.kind === 'finish' && next.finding.kind === 'inconclusive' && next.finding.wouldTake,
    ).toBeGreaterThan(4);
  });

  it('ends after six errors in a row, and not because of some in between', () => {
    const broken = play(createSession({ hunks: 8, strategy: 'auto' }), () => 'error', 100);
    expect(broken.session.entries).toHaveLength(6);
    expect(broken.next).toMatchObject({ finding: { kind: 'inconclusive', why: 'errors' } });
    let trials = 0;
    const flaky = (candidate: string) => (trials++ % 2 ? failsWith(3)(candidate) : ('error' as const));
    const { next } = play(createSession({ hunks: 8, strategy: 'auto' }), flaky, 200);
    expect(next).toMatchObject({ kind: 'finish', finding: { kind: 'hunks', hunks: [3] } });
  });

  it('does not try a prompt again that nobody could grade three times', () => {
    const silent = (candidate: string) =>
      candidate[0] === '1' && candidate.includes('0') ? ('unknown' as const) : failsWith(1)(candidate);
    const { session, next } = play(createSession({ hunks: 4, strategy: 'auto' }), silent, 200);
    expect(next.kind).toBe('finish');
    const unknown = session.entries.flatMap((entry) =>
      entry.kind === 'trial' && entry.outcome === 'unknown' ? [entry.candidate] : [],
    );
    for (const candidate of new Set(unknown))
      expect(unknown.filter((one) => one === candidate).length).toBeLessThanOrEqual(3);
  });
});

describe('guided', () => {
  it('reverts hunks one by one, waits for a word after each, and stops a step once it is decided', () => {
    const { session, next } = play(createSession({ hunks: 6 }), failsWith(2), 100);
    expect(next).toEqual({ kind: 'decide', hunk: 0, verdict: 'still-fails' });
    const steps = session.entries.filter((entry) => entry.kind === 'trial' && entry.purpose.kind === 'step');
    expect(steps).toHaveLength(2);
    const on = play(record(session, { kind: 'accept', hunk: 0 }), failsWith(2), 100);
    expect(on.next).toMatchObject({ kind: 'decide', hunk: 1 });
  });

  it('goes on with the most suspicious hunk, passes over skipped ones, and takes a word for evidence', () => {
    const { session } = play(createSession({ hunks: 6 }), failsWith(4), 4);
    const skipped = record(session, { kind: 'skip', hunk: 0 });
    expect(propose(skipped).next).toMatchObject({ purpose: { kind: 'step', hunk: 1 } });
    const told = record(record(session, { kind: 'override', hunk: 1, says: 'innocent' }), {
      kind: 'override',
      hunk: 0,
      says: 'innocent',
    });
    expect(propose(told).next).toMatchObject({ purpose: { kind: 'step', hunk: 2 } });
    const hunks = propose(told).belief?.hunks ?? [];
    expect(hunks[0]).toBeLessThan((hunks[4] ?? 0) / 5);
  });

  it('can be handed over to auto in the middle and taken back by undo', () => {
    const { session } = play(createSession({ hunks: 6 }), failsWith(4), 5);
    const handed = record(session, { kind: 'hand-over', to: 'auto' });
    expect(propose(handed).next).toMatchObject({ kind: 'try', purpose: { kind: 'search' } });
    expect(propose(record(handed, { kind: 'undo', steps: 1 })).next).toEqual(propose(session).next);
  });
});

describe('a step of several trials', () => {
  it('that stops early has the verdict of all of its trials, and saves 38 % over all pass rates', () => {
    let used = 0;
    let weightOfAll = 0;
    for (let mask = 0; mask < 64; mask++) {
      const outcomes = Array.from({ length: 6 }, (_, index) => (mask >> index) & 1);
      const passed = outcomes.filter((one) => one === 1).length;
      const whole = stepVerdict(passed, 6 - passed, 6);
      let early: ReturnType<typeof stepVerdict>;
      let [up, down] = [0, 0];
      for (const outcome of outcomes) {
        if (outcome === 1) up++;
        else down++;
        early = stepVerdict(up, down, 6);
        if (early !== undefined) break;
      }
      expect(early).toBe(whole);
      // Each row with so many passes is as likely as another under a uniform rate: 1 / (7 · (6 choose passed)).
      const weight = 1 / (7 * ([1, 6, 15, 20, 15, 6, 1][passed] ?? 1));
      used += weight * (up + down);
      weightOfAll += weight;
    }
    expect(weightOfAll).toBeCloseTo(1, 9);
    expect(1 - used / 6).toBeCloseTo(0.38, 2);
  });

  it('is expected to take five trials where all pass and two where none does', () => {
    expect(expectedTrials(0, 0, 6, 1)).toBe(5);
    expect(expectedTrials(0, 0, 6, 0)).toBe(2);
    expect(expectedTrials(4, 1, 6, 0.5)).toBe(1);
  });

  it('is expected to take as many as are drawn one by one, also of a hundred', () => {
    // Of three one may fail: two passes or two fails decide, after two trials or after three.
    expect(expectedTrials(0, 0, 3, 0.9)).toBeCloseTo(2 * (0.81 + 0.01) + 3 * 0.18, 12);
    expect(expectedTrials(0, 0, 100, 1)).toBe(84);
    expect(expectedTrials(0, 0, 100, 0)).toBe(17);
    // 17 fails come after 34 trials on average, long before 84 passes could.
    expect(expectedTrials(0, 0, 100, 0.5)).toBeCloseTo(34, 6);
    expect(expectedTrials(84, 0, 100, 0.5)).toBe(0);
  });
});

describe('informationLimit', () => {
  it('has the capacities of four pairs of rates', () => {
    for (const [good, bad, bits] of [
      [1, 0, 1],
      [0.95, 0.3, 0.373],
      [0.9, 0.5, 0.148],
      [0.8, 0.4, 0.125],
    ] as const)
      expect(capacity(good, bad)).toBeCloseTo(bits, 3);
    expect(informationLimit(16, 1, 0)).toBeCloseTo(4 - 0.286 - 0.195, 2);
  });
});
