// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what users write is ${NAME}, and it is shown so
import { UserError } from '../base/errors.js';
import { quote } from '../base/quote.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Is told of every value that was taken: none of them may be shown. */
interface Takings {
  add(name: string, value: string): void;
}

/** Names of the variables that the text takes from the environment. */
export function environmentNames(text: string): string[] {
  return [...text.matchAll(/\$\{([^}]*)\}/g)].map((match) => match[1] ?? '');
}

/**
 * The text with every `${NAME}` replaced by that variable. Each value becomes a secret. `where` says in an error
 * which key it is about. Throws UserError naming every variable that is missing or empty.
 */
export function fillFromEnvironment(text: string, env: Environment, secrets: Takings, where: string): string {
  const missing: string[] = [];
  const filled = text.replace(/\$\{([^}]*)\}/g, (whole, name: string) => {
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      throw new UserError(`${where}: ${quote(whole)} names no environment variable; write it as in \${NAME}`);
    }
    const value = env[name];
    if (value === undefined || value === '') {
      missing.push(name);
      return '';
    }
    secrets.add(name, value);
    return value;
  });
  if (missing.length > 0) {
    const names = [...new Set(missing)];
    const is = names.length === 1 ? 'is' : 'are';
    throw new UserError(`${where}: ${names.join(', ')} ${is} not set in the environment`);
  }
  return filled;
}
