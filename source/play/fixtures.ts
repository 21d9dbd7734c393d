import { canonicalJson } from '../base/hash.js';
import type { Json, JsonObject } from '../base/json.js';
import type { Fixture, FixtureRule } from '../suite/types.js';
import { MissingFixtureError } from '../target/types.js';
import { containsMembers } from './members.js';

/** Answers one tool call. Throws MissingFixtureError. */
export type AnswerCall = (name: string, args: JsonObject) => { result: Json } | { error: string };

/** Rules of one `when`, used up one call after the other; the last one repeats. */
interface Sequence {
  /** Not set: answers every call that no `when` takes. */
  when: JsonObject | undefined;
  rules: FixtureRule[];
  used: number;
}

/** Rules by their `when`, in the order in which each first stands in the file; those without one come last. */
function toSequences(rules: readonly FixtureRule[]): Sequence[] {
  const byWhen = new Map<string, Sequence>();
  for (const rule of rules) {
    const key = rule.when === undefined ? '' : canonicalJson(rule.when);
    const sequence = byWhen.get(key);
    if (sequence === undefined) byWhen.set(key, { when: rule.when, rules: [rule], used: 0 });
    else sequence.rules.push(rule);
  }
  const sequences = [...byWhen.values()];
  return [
    ...sequences.filter(({ when }) => when !== undefined),
    ...sequences.filter(({ when }) => when === undefined),
  ];
}

/**
 * The recorded tools of one trial. A call is answered by the first `when`, in file order, whose members the
 * arguments contain, else by the rules without `when`; each distinct `when` counts its own calls, from the
 * start in every trial, so that nothing another trial does can be seen here.
 */
export function createFixtures(fixtures: Readonly<Record<string, Fixture>>): AnswerCall {
  const sequences = new Map<string, Sequence[]>();
  const constants = new Map<string, Json>();
  for (const [tool, fixture] of Object.entries(fixtures)) {
    if (fixture.kind === 'constant') constants.set(tool, fixture.value);
    else sequences.set(tool, toSequences(fixture.rules));
  }

  return (name, args) => {
    const constant = constants.get(name);
    if (constant !== undefined) return { result: constant };
    const sequence = sequences
      .get(name)
      ?.find(({ when }) => when === undefined || containsMembers(args, when));
    if (sequence === undefined) throw new MissingFixtureError(name, args);
    const rule = sequence.rules[Math.min(sequence.used, sequence.rules.length - 1)];
    if (rule === undefined) throw new MissingFixtureError(name, args);
    sequence.used++;
    return 'error' in rule ? { error: rule.error } : { result: rule.returns };
  };
}
