/** Values that must never be shown, and the one way to take them out of a text. */
export interface Secrets {
  /** From now on every form of the value is replaced by `${name}`. */
  add(name: string, value: string): void;
  /** The text without any secret. Use it before the text is cut: half a secret is not recognised. */
  redact(text: string): string;
}

/** Names of variables whose values are kept out of messages although nobody referred to them. */
const secretName = /SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|(^|_|API|ACCESS)(KEY|TOKEN)S?$/i;
/** A shorter value of such a variable is a switch or a word, and would be found everywhere. */
const shortestUnnamed = 8;

/** What a value looks like where it is quoted, sent in a URL or encoded for basic authentication. */
function formsOf(value: string): string[] {
  const trimmed = value.trim();
  const lines = trimmed.split(/\r?\n/).filter((line) => line.length >= shortestUnnamed);
  return [
    value,
    trimmed,
    ...(lines.length > 1 ? lines : []),
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.replace(/\p{Cs}/gu, '\ufffd')),
    Buffer.from(value, 'utf8').toString('base64'),
  ];
}

/** No secrets yet. `env`: values of variables with a telling name (`…_KEY`, `…_TOKEN`) are secrets from the start. */
export function createSecrets(env: Readonly<Record<string, string | undefined>> = {}): Secrets {
  const nameByForm = new Map<string, string>();
  let pattern: RegExp | undefined;

  const secrets: Secrets = {
    add(name, value) {
      for (const form of formsOf(value)) {
        if (form !== '' && !nameByForm.has(form)) nameByForm.set(form, name);
      }
      pattern = undefined;
    },
    redact(text) {
      if (nameByForm.size === 0) return text;
      // The longest form first, so that no form is left in half by a shorter one inside it.
      pattern ??= new RegExp(
        [...nameByForm.keys()]
          .sort((a, b) => b.length - a.length)
          .map((form) => form.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'))
          .join('|'),
        'g',
      );
      return text.replace(pattern, (form) => `\${${nameByForm.get(form)}}`);
    },
  };
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && value.length >= shortestUnnamed && secretName.test(name))
      secrets.add(name, value);
  }
  return secrets;
}
