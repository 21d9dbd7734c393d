import { UserError } from '../../base/errors.js';
import { quote } from '../../base/quote.js';

/** A flag that takes a whole number. Throws UserError for anything else, with what would be right. */
export function readWhole(flag: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UserError(`${flag}: expected a whole number from ${least} to ${most}, found ${quote(text)}`);
}

/** A flag that takes one of some names. Throws UserError for anything else, with what there is. */
export function readName<Name extends string>(flag: string, text: string, names: readonly Name[]): Name {
  const name = names.find((one) => one === text);
  if (name !== undefined) return name;
  throw new UserError(`${flag}: expected one of ${names.join(', ')}, found ${quote(text)}`);
}
