import { expect, it } from 'vitest';
import { compareEvidence } from '../../source/compare/compare.js';
import { confirm } from '../../source/compare/confirm.js';
import type { CheckEvidence } from '../../source/compare/types.js';
import { defaultGate } from '../../source/project/gate-settings.js';
import { checkEvidence, sideOf } from './sides.js';

/** Six judged criteria, spread over so many scenarios, and what is proved of the drop of their mean. */
function proofOver(scenarios: number) {
  const names = Array.from({ length: scenarios }, (_, index) => `s${index}`);
  const side = (name: string, more: Partial<CheckEvidence>) => {
    const evidence = sideOf(name, names, () => ({ passed: 4, of: 4 }));
    for (const scenario of evidence.scenarios.values()) {
      const checks = Array.from({ length: 6 / scenarios }, (_, index) =>
        checkEvidence({ passed: 4, of: 4 }, { id: `c${index}`, kind: 'judged', ...more }),
      );
      scenario.checks = new Map(checks.map((check) => [check.id, check]));
    }
    return evidence;
  };
  const before = side('b', { score: 4.5, scores: [5, 4, 5, 4] });
  const fresh = { passed: 4, of: 4, score: 4, scores: [4, 4, 4, 4], pooled: 4 };
  const after = side('a', { score: 4, scores: [4, 4, 4, 4], fresh });
  return confirm(compareEvidence(before, after, defaultGate), defaultGate).score;
}

it('a mean that dropped is proved by scenarios: criteria of one scenario say it once, however many they are', () => {
  expect(proofOver(6)).toMatchObject({ cases: 6, from: 4.5, to: 4, proof: 'confirmed' });
  expect(proofOver(1)).toMatchObject({ cases: 6, from: 4.5, to: 4, proof: 'suspect' });
});
