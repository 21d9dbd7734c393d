import { isJsonObject, type Json } from '../base/json.js';

/**
 * Whether two values mean the same where the written form does not count:
 * texts up to letter case and white space; numbers, also as texts (`1,234.50`, `1.234,50`), with a currency where
 * both name one (`$450`, `450 USD`); dates in the common written forms (`2024-05-20`, `May 20, 2024`,
 * `20.05.2024`). What can be read in two ways is left as written: `05/06/2024` is no date here, and an id such as
 * `007` is no number. Objects and arrays are compared whole, member by member.
 */
export function normalisedEqual(expected: Json, actual: Json): boolean {
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((item, index) => normalisedEqual(item, actual[index] ?? null))
    );
  if (isJsonObject(expected)) {
    if (!isJsonObject(actual)) return false;
    const keys = Object.keys(expected);
    return (
      Object.keys(actual).length === keys.length &&
      keys.every(
        (key) => Object.hasOwn(actual, key) && normalisedEqual(expected[key] ?? null, actual[key] ?? null),
      )
    );
  }
  if (actual === null || typeof actual === 'object' || expected === null) return expected === actual;
  if (typeof expected === 'boolean' || typeof actual === 'boolean') return expected === actual;
  return sameText(String(expected), String(actual));
}

/**
 * A text that is the same for all values that `normalisedEqual` takes for equal, so that only those with the same
 * one need to be compared.
 */
export function normalisedBucket(value: Json): string {
  if (Array.isArray(value)) return JSON.stringify(value.map(normalisedBucket));
  if (isJsonObject(value))
    return JSON.stringify(
      Object.entries(value)
        .map(([key, member]) => [key, normalisedBucket(member)])
        .sort(([a = ''], [b = '']) => (a < b ? -1 : a > b ? 1 : 0)),
    );
  if (value === null || typeof value === 'boolean') return String(value);
  const text = plain(String(value));
  const amount = readAmount(text);
  if (amount) return `amount ${amount.value}`;
  return readDate(text) ?? text;
}

function sameText(a: string, b: string): boolean {
  const one = plain(a);
  const other = plain(b);
  if (one === other) return true;
  const amount = readAmount(one);
  const otherAmount = readAmount(other);
  if (amount && otherAmount)
    return (
      amount.value === otherAmount.value &&
      (amount.currency === undefined ||
        otherAmount.currency === undefined ||
        amount.currency === otherAmount.currency)
    );
  const date = readDate(one);
  return date !== undefined && date === readDate(other);
}

function plain(text: string): string {
  return text.normalize('NFKC').replace(/\s+/gu, ' ').trim().toUpperCase().toLowerCase();
}

const signs: Record<string, string> = { $: 'usd', '€': 'eur', '£': 'gbp', '¥': 'jpy', '₹': 'inr' };
const currencyCodes = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));

interface Amount {
  value: number;
  /** Three letters, lower case. */
  currency: string | undefined;
}

/** A number with an optional currency before or after it; undefined for anything else. */
function readAmount(text: string): Amount | undefined {
  const parts = /^([+-])? ?(\p{Sc}|[a-z]{3})? ?([+-])?([\d.,' ]*\d) ?(\p{Sc}|[a-z]{3})?$/u.exec(text);
  if (!parts) return undefined;
  const [, signBefore, before, signAfter, digits = '', after] = parts;
  if ((before && after) || (signBefore && signAfter)) return undefined;
  const mark = before ?? after;
  const currency = mark === undefined ? undefined : (signs[mark] ?? mark);
  if (mark !== undefined && /^[a-z]/u.test(mark) && !currencyCodes.has(mark)) return undefined;
  const value = readNumber(digits);
  if (value === undefined) return undefined;
  return { value: (signBefore ?? signAfter) === '-' ? -value : value, currency };
}

/** Digits with grouping and decimals as written in English or in continental Europe. */
function readNumber(digits: string): number | undefined {
  // A leading zero belongs to an id, not to a number.
  if (/^0\d/u.test(digits)) return undefined;
  if (/^\d+(\.\d+)?$/u.test(digits)) return exact(digits);
  if (/^\d{1,3}(,\d{3})+(\.\d+)?$/u.test(digits)) return exact(digits.replaceAll(',', ''));
  if (/^\d{1,3}([. ']\d{3})+(,\d+)?$/u.test(digits) && /,|([. ']\d{3}){2}|[ ']/u.test(digits))
    return exact(digits.replace(/[. ']/gu, '').replace(',', '.'));
  if (/^\d+,(\d{1,2}|\d{4,})$/u.test(digits)) return exact(digits.replace(',', '.'));
  return undefined;
}

/** Longer numbers than a double holds are ids: they are compared as texts. */
function exact(digits: string): number | undefined {
  return digits.replace('.', '').length <= 15 ? Number(digits) : undefined;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const monthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** `YYYY-MM-DD` of a date; undefined for what is no date, or could be two. */
function readDate(text: string): string | undefined {
  let found = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/u.exec(text);
  if (found) return dateOf(found[1], Number(found[2]), found[3]);
  found = /^(\d{4})年 ?(\d{1,2})月 ?(\d{1,2})[日号]$/u.exec(text);
  if (found) return dateOf(found[1], Number(found[2]), found[3]);
  found = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})$/u.exec(text);
  if (found) return dateOf(found[3], Number(found[2]), found[1]);
  found = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/u.exec(text);
  if (found) return slashedDate(Number(found[1]), Number(found[2]), found[3]);
  found = /^(?:[a-z]{3,9},? )?(\d{1,2})(?:st|nd|rd|th|\.)?(?: of)? ([a-z]{3,9})\.?,? (\d{4})$/u.exec(text);
  if (found) return dateOf(found[3], monthOf(found[2]), found[1]);
  found = /^(?:[a-z]{3,9},? )?([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/u.exec(text);
  if (found) return dateOf(found[3], monthOf(found[1]), found[2]);
  return undefined;
}

function slashedDate(a: number, b: number, year: string | undefined): string | undefined {
  if (a === b || b > 12) return dateOf(year, a, String(b));
  return a > 12 ? dateOf(year, b, String(a)) : undefined;
}

function monthOf(name: string | undefined): number {
  const short = name === 'sept' ? 'sep' : name;
  const at = months.findIndex((month, index) => month === short || monthNames[index] === short);
  return at + 1;
}

function dateOf(year: string | undefined, month: number, day: string | undefined): string | undefined {
  const date = new Date(Date.UTC(Number(year), month - 1, Number(day)));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === Number(day);
  return isReal && month >= 1 ? date.toISOString().slice(0, 10) : undefined;
}
