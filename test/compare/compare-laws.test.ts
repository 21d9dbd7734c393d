import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareEvidence } from '../../source/compare/compare.js';
import { confirm } from '../../source/compare/confirm.js';
import type { CheckEvidence, Direction, Evidence } from '../../source/compare/types.js';
import { failOnNames, type GateSettings } from '../../source/project/gate-settings.js';
import { plannedCondition } from '../tally/support.js';
import { checkEvidence, sideOf } from './sides.js';
import { outcomeOf } from './support.js';

const settings: fc.Arbitrary<GateSettings> = fc.record({
  failOn: fc.subarray([...failOnNames]),
  confirm: fc.boolean(),
  minCoverage: fc.constantFrom(0, 0.5, 0.95),
  meanDrop: fc.constantFrom(0, 0.2, 1),
  caseDrop: fc.constantFrom(0.5, 1, 2),
  axisDrop: fc.constantFrom(0, 0.1),
  inputTokens: fc.constant({ warn: 1.1, fail: 1.5 }),
  cacheHitRate: fc.constant({ warn: 0.05, fail: 0.15 }),
});

/** All with the same number of trials, or none: what few trials say against many is not mirrored. */
const check: fc.Arbitrary<CheckEvidence> = fc
  .record({
    id: fc.constantFrom('c', 'd', 'e'),
    trials: fc.constantFrom(0, 6, 6, 6, 6),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    kind: fc.constantFrom('hard' as const, 'judged' as const),
    absolute: fc.boolean(),
    hash: fc.constantFrom('h', 'h', 'other'),
    score: fc.integer({ min: 2, max: 10 }),
    isUnknown: fc.boolean(),
    axis: fc.constantFrom(undefined, 'routing'),
  })
  .map(({ id, trials, share, kind, absolute, hash, score, isUnknown, axis }) =>
    checkEvidence(
      { passed: Math.round(trials * share), of: trials },
      {
        id,
        kind,
        absolute,
        hash,
        ...(kind === 'judged' && { score: score / 2 }),
        ...((isUnknown || trials === 0) && { verdict: 'unknown' }),
        ...(axis !== undefined && { axis }),
      },
    ),
  );

const side = (name: string): fc.Arbitrary<Evidence> =>
  fc
    .record({
      scenarios: fc.uniqueArray(fc.constantFrom('one', 'two', 'three', 'four'), { minLength: 1 }),
      checks: fc.array(fc.uniqueArray(check, { selector: ({ id }) => id }), { minLength: 4, maxLength: 4 }),
      turns: fc.array(fc.constantFrom('t', 't', 't', 'other'), { minLength: 4, maxLength: 4 }),
      cache: fc.constantFrom('cold' as const, 'warm' as const, 'mixed' as const, 'unknown' as const),
      isSimulated: fc.boolean(),
      condition: fc.constantFrom('same', name),
    })
    .map(({ scenarios, checks, turns, cache, isSimulated, condition }) => {
      const evidence = sideOf(condition, scenarios, () => ({ passed: 0, of: 0 }), {
        cache,
        condition: plannedCondition(condition),
      });
      for (const [index, scenario] of [...evidence.scenarios.values()].entries()) {
        scenario.checks = new Map((checks[index] ?? []).map((one) => [one.id, one]));
        scenario.parts = { ...scenario.parts, turns: turns[index] ?? 't' };
        if (isSimulated && index === 0) scenario.isSimulatedUser = true;
        scenario.usage = { trials: 3, input: 100 * (index + 1), cacheRead: 10 };
      }
      return evidence;
    });

const mirrored: { [direction in Direction]: readonly Direction[] } = {
  regression: ['fixed', 'better'],
  drift: ['better'],
  fixed: ['regression'],
  better: ['regression', 'drift'],
  new: ['gone'],
  gone: ['new'],
  'not-comparable': ['not-comparable'],
};

describe('laws of comparison', () => {
  it('finds nothing between a side and itself', () => {
    fc.assert(
      fc.property(side('a'), settings, (one, gate) => {
        const { changes, differences, sign, score, axes, refused, tokens } = compareEvidence(one, one, gate);
        expect(refused).toBeUndefined();
        expect(changes).toEqual([]);
        expect(differences).toEqual([]);
        expect(sign).toMatchObject({ better: 0, worse: 0, p: 1 });
        expect(score?.to).toBe(score?.from);
        for (const { drop } of axes) expect(drop).toBe(0);
        expect(tokens.level).toBe('ok');
      }),
    );
  });

  it('finds the same the other way round, mirrored', () => {
    fc.assert(
      fc.property(side('a'), side('b'), settings, (one, other, gate) => {
        const there = compareEvidence(one, other, gate);
        const back = compareEvidence(other, one, gate);
        expect(back.refused === undefined).toBe(there.refused === undefined);
        expect(back.same).toBe(there.same);
        expect(back.sign).toMatchObject({ better: there.sign.worse, worse: there.sign.better });
        expect(back.changes).toHaveLength(there.changes.length);
        for (const change of there.changes) {
          const mirror = back.changes.find(
            ({ scenario, check: id }) => scenario === change.scenario && id === change.check,
          );
          expect(mirrored[change.direction]).toContain(mirror?.direction);
        }
        expect(back.stillFailing).toHaveLength(there.stillFailing.length);
      }),
    );
  });

  it('names each criterion of both sides once, or leaves out whole scenarios and says so', () => {
    fc.assert(
      fc.property(side('a'), side('b'), settings, (one, other, gate) => {
        const found = compareEvidence(one, other, gate);
        if (found.refused) return;
        const left = found.simulatedUsers?.isCompared === false ? found.simulatedUsers.scenarios : [];
        const keys = new Set<string>();
        for (const { id, checks } of [...one.scenarios.values(), ...other.scenarios.values()])
          for (const checkId of checks.keys()) if (!left.includes(id)) keys.add(`${id}/${checkId}`);
        const named = found.changes
          .map(({ scenario, check: id }) => `${scenario}/${id}`)
          .filter((key) => keys.has(key));
        expect(new Set(named).size).toBe(named.length);
        expect(named.length + found.same).toBe(keys.size);
      }),
    );
  });

  it('proves nothing of what did not get worse', () => {
    fc.assert(
      fc.property(side('a'), side('b'), settings, (one, other, gate) => {
        for (const { direction, proof } of confirm(compareEvidence(one, other, gate), gate).changes) {
          if (direction !== 'regression' && direction !== 'drift') expect(proof).toBeUndefined();
        }
      }),
    );
  });
});

const letters = fc.stringMatching(/^[pwfue]{3}$/);
const scores = fc.stringMatching(/^[1-5]{3}$/);

describe('the gate over any two sides', () => {
  it('prints the verdict that its exit code says, and names what blocks exactly when it fails', () => {
    const trials = fc.oneof(
      fc.record({ base: letters, candidate: letters, kind: fc.constant('hard' as const) }),
      fc.record({ base: scores, candidate: scores, kind: fc.constant('judged' as const) }),
    );
    fc.assert(
      fc.property(
        trials,
        settings,
        fc.boolean(),
        fc.option(fc.stringMatching(/^[pf]{6}$/), { nil: undefined }),
        ({ base, candidate, kind }, gate, absolute, again) => {
          const { decision, suspects } = outcomeOf({
            base,
            candidate,
            check: { kind, absolute },
            settings: gate,
            ...(kind === 'hard' && again !== undefined && { again: { candidate: again, base: again } }),
          });
          // Where nothing is to block a run measures, and that is no verdict on it.
          const held = gate.failOn.length === 0 ? 'MEASURED: ' : 'PASS: ';
          const words = { 0: held, 1: 'FAIL: ', 2: '', 3: 'NO VERDICT: ', 130: 'INTERRUPTED: ' };
          expect(decision.headline.startsWith(words[decision.exitCode])).toBe(true);
          expect((decision.blocking ?? []).length > 0).toBe(decision.exitCode === 1);
          for (const { text, by } of decision.blocking ?? []) {
            expect(gate.failOn).toContain(by);
            expect(decision.reasons.join('\n')).toContain(text);
          }
          if (!gate.confirm) expect(suspects).toEqual([]);
          expect(decision.reasons.every((line) => line !== '' && !line.includes('undefined'))).toBe(true);
        },
      ),
    );
  });
});
