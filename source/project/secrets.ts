import type { Problem } from '../base/errors.js';
import { type DataNode, problemAt } from '../base/nodes.js';

/** Forms of keys and tokens that their issuers publish, so that they can be found where they do not belong. */
const forms: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_-]*[A-Za-z0-9]{16,}[A-Za-z0-9_-]*/,
  /\bAIza[0-9A-Za-z_-]{30,}/,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/,
  /\bglpat-[A-Za-z0-9_-]{16,}/,
  /\bxox[abeprs]-[A-Za-z0-9-]{10,}/,
  /\b(?:hf|gsk|r8|fw)_[A-Za-z0-9]{20,}/,
  /\b(?:pplx|xai|csk|nvapi|tgp)[_-][A-Za-z0-9_-]*[A-Za-z0-9]{16,}[A-Za-z0-9_-]*/,
  /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\bBearer\s+(?!\$)[A-Za-z0-9._~+/=-]{16,}/i,
  /(?<=:\/\/[^\s/:@]*:)(?!\$)[^\s/:@]+(?=@)/,
];

/** Long, of letters and digits only, and of both: no word of a language, no path, no name. */
const randomLooking = /(?<![A-Za-z0-9])(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{32,}(?![A-Za-z0-9])/;

const secretName =
  /(?:^|[-_])(?:api[-_]?key|token|secret|password|authorization)$|(?:ApiKey|Token|Secret|Password)$/i;

const reference = /^\s*(?:[A-Za-z]+\s+)?\$\{[A-Za-z_][A-Za-z0-9_]*\}\s*$/;

/** Whether a text holds something that has the form of a key, a token or a password in a URL. */
export function looksLikeSecret(text: string): boolean {
  return forms.some((form) => form.test(text));
}

/** The text with everything that has the form of a secret replaced by `[secret]`. */
export function redactSecrets(text: string): string {
  return [...forms, randomLooking].reduce(
    (redacted, form) => redacted.replace(new RegExp(form.source, `${form.flags}g`), '[secret]'),
    text,
  );
}

const advice =
  'this looks like a key or a password, and those are never written in a file; put it in an environment variable and name that here';

/**
 * A problem for every value and key below a node that looks like a secret. No message repeats any of it.
 * `strict` also refuses whatever looks random, for files in which nothing random belongs.
 */
export function findSecrets(node: DataNode, file: string, strict: boolean): Problem[] {
  const problems: Problem[] = [];
  const isSecret = (text: string) => looksLikeSecret(text) || (strict && randomLooking.test(text));
  const visit = (current: DataNode, name: string) => {
    if (current.kind === 'list') for (const item of current.items) visit(item, name);
    if (current.kind === 'scalar' && typeof current.value === 'string') {
      const isNamed = secretName.test(name) && current.value.length >= 8 && !reference.test(current.value);
      if (isNamed || isSecret(current.value)) problems.push(problemAt(file, current.at, adviceFor(name)));
    }
    if (current.kind !== 'map') return;
    for (const { key, keyAt, value } of current.entries) {
      if (isSecret(key)) problems.push(problemAt(file, keyAt, advice));
      visit(value, key);
    }
  };
  visit(node, '');
  return problems;
}

function adviceFor(name: string): string {
  return /^api[-_]?key$/i.test(name) ? `${advice} with "keyEnv"` : advice;
}

/** Problems without those at the place of a secret: their messages might repeat it. */
export function withoutSecrets(problems: readonly Problem[], secrets: readonly Problem[]): Problem[] {
  return problems.filter(
    ({ line, column }) => !secrets.some((secret) => secret.line === line && secret.column === column),
  );
}
