import { createMatcher, type Matcher } from './matcher.js';
import { looksLikeSecret } from './secrets.js';

/** Values that must never be shown, and the one way to take them out of a text. */
export interface Secrets {
  /** From now on every form of the value is replaced by `${name}` in messages. */
  add(name: string, value: string): void;
  /**
   * The same of a key, which is also taken out of what comes back. A value of fewer than `shortestKey` characters is
   * kept out of messages alone: in replies it would be found everywhere.
   */
  addKey(name: string, value: string): void;
  /** The text without any secret. Use it before the text is cut: half a secret is not recognised. */
  redact(text: string): string;
  /** Finds the keys alone. */
  readonly keys: Matcher;
}

/** Names of variables whose values are kept out of messages although nobody referred to them. */
const secretName = /SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|(^|_|API|ACCESS)(KEY|TOKEN)S?$/i;

/** A shorter value is a switch or a word, and would be found everywhere. */
export const shortestKey = 8;

/** Whether a variable holds a key, by its name or by the form of its value; not one that is only a place or a mode. */
export function isKey(name: string, value: string): boolean {
  return value.length >= shortestKey && (secretName.test(name) || looksLikeSecret(value));
}

/** What a value looks like as it is, quoted, sent in a URL or encoded, alone or inside something longer. */
export function formsOf(value: string): string[] {
  const trimmed = value.trim();
  const lines = trimmed.split(/\r?\n/).filter((line) => line.length >= shortestKey);
  const quoted = JSON.stringify(value).slice(1, -1);
  const inUrl = encodeURIComponent(value.replace(/\p{Cs}/gu, '\ufffd'));
  return [
    value,
    trimmed,
    ...(lines.length > 1 ? lines : []),
    quoted,
    quoted.replaceAll('/', '\\/'),
    inUrl,
    inUrl.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    Buffer.from(value, 'utf8').toString('base64'),
    ...(value.length < shortestKey ? [] : [...encodedForms(value), ...encodedForms(trimmed)]),
  ];
}

/** In base64 of something longer a value has three forms, by where it begins; what its neighbours share in is left out. */
function encodedForms(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  return [0, 1, 2].flatMap((shift) => {
    const bits = 8 * (shift + bytes.length);
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(Math.ceil((8 * shift) / 6), Math.floor(bits / 6));
    return [encoded, encoded.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** No secrets yet. `env`: values of variables with a telling name (`…_KEY`, `…_TOKEN`) are keys from the start. */
export function createSecrets(env: Readonly<Record<string, string | undefined>> = {}): Secrets {
  const all = createMatcher();
  const keys = createMatcher();
  const secrets: Secrets = {
    add(name, value) {
      for (const form of formsOf(value)) all.add(form, `\${${name}}`);
    },
    addKey(name, value) {
      secrets.add(name, value);
      if (value.trim().length < shortestKey) return;
      for (const form of formsOf(value)) keys.add(form, `\${${name}}`);
    },
    redact: (text) => all.replace(text),
    keys,
  };
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && value.length >= shortestKey && secretName.test(name))
      secrets.addKey(name, value);
  }
  return secrets;
}

/** Takes values from the environment into secrets: as keys where `isKey` says so, or always. */
export function takings(secrets: Secrets, are: 'keys' | 'perhaps keys'): Pick<Secrets, 'add'> {
  return {
    add(name, value) {
      if (are === 'keys' || isKey(name, value)) secrets.addKey(name, value);
      else secrets.add(name, value);
    },
  };
}
