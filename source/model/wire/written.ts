import { isJsonObject } from '../../base/json.js';
import { BrokenAnswer } from './complaint.js';

/**
 * What the model wrote under a key: a text, empty where there is none. Throws BrokenAnswer for anything else: read as
 * nothing it would be graded as an empty reply.
 */
export function writtenAt(value: unknown, key: string): string {
  const member = isJsonObject(value) ? value[key] : undefined;
  if (typeof member === 'string') return member;
  if (member === undefined || member === null || (Array.isArray(member) && member.length === 0)) return '';
  const found =
    typeof member === 'object' ? 'something else' : `the ${typeof member} ${String(member).slice(0, 40)}`;
  throw new BrokenAnswer(`expected the text of the answer, found ${found}`);
}
