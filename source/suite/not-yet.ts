import { quote } from '../base/quote.js';

/**
 * What the formats have and this version does not. Said plainly where it is met, for it is no mistake of the
 * person who wrote it; to bring one, take it out here and into the schema.
 */
export const notYet = {
  targets: ['http', 'command', 'module'],
  /** Keys of `suite.yaml`. */
  suiteKeys: ['user'],
  /** Keys of a turn. */
  turnKeys: ['simulate'],
  checkTypes: [
    'signal',
    'no_duplicates',
    'session_ended',
    'fact_present',
    'fact_absent',
    'refusal',
    'conveys',
    'custom',
  ],
} as const;

export function isNotYet(kind: keyof typeof notYet, name: string): boolean {
  return (notYet[kind] as readonly string[]).includes(name);
}

export const notYetMessages = {
  target: (kind: string) =>
    `this version has no ${quote(kind)} target; it tests a prompt with a model: target: {prompt: …, model: …}`,
  user: 'this version has no simulated user; leave "user" out and write fixed turns',
  simulate: 'this version has no simulated user; write what the user says: "- user: …"',
  checkType: (type: string) => `this version has no check of type ${quote(type)}`,
  tuning: 'this version cannot ask the product for tuning values; write the value itself',
  verdicts: 'this version asks the judge once; leave "verdicts" out, or write 1',
};
