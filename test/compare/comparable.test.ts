import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkDifferences, criterionHash, scenarioDifferences } from '../../source/compare/comparable.js';
import type { CheckEvidence, ScenarioEvidence } from '../../source/compare/types.js';
import { plannedCondition } from '../tally/support.js';

const word = fc.constantFrom('a', 'b');
const side = fc.record({
  turns: word,
  fixtures: word,
  persona: word,
  hash: word,
  kind: fc.constantFrom('hard', 'judged'),
  judge: word,
  user: word,
});

it('a criterion has the same hash exactly where nothing of it differs under the same condition', () => {
  fc.assert(
    fc.property(side, side, fc.boolean(), fc.boolean(), (one, other, isLive, isSimulated) => {
      const condition = plannedCondition('c', isLive ? { liveTools: true } : {});
      const [a, b] = [one, other].map(({ turns, fixtures, persona, hash, kind, judge, user }) => {
        const judges = {
          condition,
          judge: { model: 'judge', prompt: 'default@1', promptSha256: judge },
          user: { model: user, prompt: 'user@1' },
        };
        const scenario: ScenarioEvidence = {
          id: 'refund',
          hash: 'h',
          parts: { turns, fixtures, persona },
          tags: [],
          checks: new Map(),
          ...(isSimulated && { isSimulatedUser: true as const }),
        };
        const check: CheckEvidence = {
          id: 'c',
          type: 't',
          kind,
          absolute: false,
          hash,
          verdict: 'pass',
          passed: 3,
          of: 3,
        };
        return { judges, scenario, check };
      });
      if (!a || !b) throw new Error('there are two sides');
      const differences = [
        ...scenarioDifferences([a.judges, a.scenario], [b.judges, b.scenario]),
        ...checkDifferences([a.judges, a.check], [b.judges, b.check]),
      ];
      const [from, to] = [a, b].map(({ judges, scenario, check }) => criterionHash(judges, scenario, check));
      expect(from === to).toBe(differences.length === 0);
    }),
    { numRuns: 500 },
  );
});
