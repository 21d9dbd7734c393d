import { isJsonObject, type Json } from '../json.js';

/** Whether two values are the same as JSON; the order of keys does not count. Takes no stack, however deep. */
export function isSame(one: Json, other: Json): boolean {
  const open: [Json, Json][] = [[one, other]];
  for (let pair = open.pop(); pair; pair = open.pop()) {
    const [left, right] = pair;
    if (left === right) continue;
    if (Array.isArray(left) && Array.isArray(right)) {
      if (left.length !== right.length) return false;
      for (const [index, item] of left.entries()) open.push([item, right[index] ?? null]);
    } else if (isJsonObject(left) && isJsonObject(right)) {
      const names = Object.keys(left);
      if (names.length !== Object.keys(right).length) return false;
      for (const name of names) {
        if (!Object.hasOwn(right, name)) return false;
        open.push([left[name] ?? null, right[name] ?? null]);
      }
    } else return false;
  }
  return true;
}

/** Numbers by size, texts by their characters; nothing else is less than anything. */
export function isLess(one: Json, other: Json): boolean {
  if (typeof one === 'number' && typeof other === 'number') return one < other;
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  // By code point, not by unit: a pair that differs in its second half is told apart by that half just as well.
  const left = one.codePointAt(at);
  const right = other.codePointAt(at);
  return right !== undefined && (left === undefined || left < right);
}
