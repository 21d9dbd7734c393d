import { isJsonObject, type Json } from '../base/json.js';

/**
 * Whether a value is what was asked for: objects by the members that are given (further members are no matter,
 * at any depth), lists item by item and of equal length, everything else by value and type.
 */
export function containsMembers(value: Json | undefined, wanted: Json): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((item, at) => containsMembers(value[at], item))
    );
  }
  if (isJsonObject(wanted)) {
    // Own members only: a member named "constructor" is data like any other.
    return (
      isJsonObject(value) &&
      Object.entries(wanted).every(
        ([key, item]) => Object.hasOwn(value, key) && containsMembers(value[key], item),
      )
    );
  }
  return value === wanted;
}
