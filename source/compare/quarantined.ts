import type { Comparison, Evidence } from './types.js';

type Quarantined = NonNullable<Comparison['quarantined']>;

/**
 * Two sides without what is quarantined in the candidate, and what that is. Scenarios stay, with the checks that are left
 * of them. What was quarantined in the base alone is evidence as any other.
 */
export function leaveOutQuarantined(
  base: Evidence,
  candidate: Evidence,
): { base: Evidence; candidate: Evidence; quarantined: Quarantined } {
  const quarantined = quarantinedIn(candidate);
  if (quarantined.length === 0) return { base, candidate, quarantined };
  return {
    base: without(base, quarantined),
    candidate: without(candidate, quarantined),
    quarantined,
  };
}

function quarantinedIn({ scenarios }: Evidence): Quarantined {
  const found: Quarantined = [];
  for (const { id: scenario, checks } of scenarios.values()) {
    for (const { id: check, isQuarantined, verdict, passed, of } of checks.values())
      if (isQuarantined) found.push({ scenario, check, verdict, passed, of });
  }
  return found;
}

function without(side: Evidence, quarantined: Quarantined): Evidence {
  const scenarios = new Map(side.scenarios);
  for (const { scenario, check } of quarantined) {
    const known = scenarios.get(scenario);
    if (!known?.checks.has(check)) continue;
    scenarios.set(scenario, { ...known, checks: new Map([...known.checks].filter(([id]) => id !== check)) });
  }
  return { ...side, scenarios };
}
