import { hash } from 'node:crypto';

/** SHA-256 of a text (as UTF-8) in hexadecimal. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/**
 * JSON with the keys of every object sorted, so that two values that mean the same have the same text.
 * `undefined` members are left out, as in JSON.stringify.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  );
}

/** The first 16 hexadecimal digits of the SHA-256 of the canonical JSON: enough to tell two contents apart. */
export function contentHash(value: unknown): string {
  return sha256(canonicalJson(value) ?? 'undefined').slice(0, 16);
}
