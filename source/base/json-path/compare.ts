import { isJsonObject, type Json } from '../json.js';

/** Counts the work that is done. Throws where it becomes too much. */
export type Step = (count?: number) => void;

/** How many steps reading a text takes, by its UTF-16 units: a step is a value looked at, as slow as some units. */
export function textSteps(length: number): number {
  return Math.ceil(length / 16);
}

/** Whether two values are the same as JSON; the order of keys does not count. Takes no stack, however deep. */
export function isSame(one: Json, other: Json, step: Step): boolean {
  const open: [Json, Json][] = [[one, other]];
  for (let pair = open.pop(); pair; pair = open.pop()) {
    step();
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
export function isLess(one: Json, other: Json, step: Step): boolean {
  if (typeof one === 'number' && typeof other === 'number') return one < other;
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  step(textSteps(at));
  // By code point, not by unit: a pair that differs in its second half is told apart by that half just as well.
  const left = one.codePointAt(at);
  const right = other.codePointAt(at);
  return right !== undefined && (left === undefined || left < right);
}
