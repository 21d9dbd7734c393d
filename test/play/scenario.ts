import type { Fixture, Scenario } from '../../source/suite/types.js';

/** A scenario of fixed messages. */
export function makeScenario(messages: string[], fixtures: Record<string, Fixture> = {}): Scenario {
  return {
    id: 'refund-request-past-window',
    place: { file: 'scenarios/refund.yaml', line: 1, column: 1 },
    tags: [],
    variables: {},
    turns: messages.map((message) => ({ kind: 'fixed', message })),
    fixtures,
    checks: [],
    hash: '0123456789abcdef',
  };
}
