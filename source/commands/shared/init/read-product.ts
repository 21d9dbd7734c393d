import { stat } from 'node:fs/promises';
import path from 'node:path';
import { InputError, UserError } from '../../../base/errors.js';
import { quote } from '../../../base/quote.js';
import type { Project } from '../../../project/config.js';
import { whatIsThere } from '../../../project/folder.js';
import { shownPath } from '../../../project/paths.js';
import { looksLikeSecret } from '../../../project/secrets.js';
import { findMissingPrograms } from '../target-files.js';
import type { Product } from './scaffold.js';
import { splitCommand } from './split-command.js';

/** Where a product is, as a person wrote it: an address, a command line or a file. `cwd`: where paths start. Throws UserError. */
export async function readProduct(
  kind: Exclude<Product['kind'], 'prompt'>,
  text: string,
  project: Project,
  cwd: string,
): Promise<Product> {
  if (looksLikeSecret(text))
    throw new UserError(
      'this looks like it holds a key or a password: put that in an environment variable, and name it in suite.yaml',
    );
  switch (kind) {
    case 'http':
      return readUrl(text);
    case 'command':
      return readCommand(text, project, cwd);
    case 'module': {
      const file = await existingFile(text, project, cwd);
      if (!/\.[cm]?[jt]sx?$/.test(file)) throw new UserError(`${file} is no TypeScript or JavaScript module`);
      return { kind, file };
    }
  }
}

/** `http://host/path`, or `${NAME}/path`. */
function readUrl(text: string): Product {
  const [, baseURL, rest] = /^(https?:\/\/[^/?#\s]+|\$\{[A-Za-z_]\w*\})(\/[^\s#]*)?$/.exec(text) ?? [];
  if (baseURL === undefined || (baseURL.startsWith('http') && !URL.canParse(baseURL)))
    throw new UserError(
      `${quote(text)} is no address; write it as in http://127.0.0.1:3000/chat or \${BACKEND_URL}/chat`,
    );
  return { kind: 'http', baseURL, path: rest === undefined || rest === '/' ? '/chat' : rest };
}

async function readCommand(text: string, project: Project, cwd: string): Promise<Product> {
  const words = splitCommand(text);
  if (words === undefined || words.length === 0)
    throw new UserError(
      `${quote(text)} is no program with its arguments: a quotation mark is missing, or all of it`,
    );
  // It is started from the root, wherever the line was written.
  const command = await Promise.all(
    words.map(async (word) => {
      const full = path.resolve(cwd, word);
      const isOwn = await isFile(full);
      const shown = shownPath(project.root, full);
      return !isOwn || path.isAbsolute(word) || path.isAbsolute(shown) || cwd === project.root ? word : shown;
    }),
  );
  const place = { file: '--command', line: 0, column: 0 };
  const target = { kind: 'command' as const, command, cwd: project.root, env: {}, timeoutSeconds: 60 };
  const missing = await findMissingPrograms({ target, place }, project);
  if (missing.length > 0) throw new InputError(missing);
  return { kind: 'command', command };
}

/** A file of the project, from its root with slashes. Throws UserError where it is not there, or outside. */
export async function existingFile(text: string, project: Project, cwd: string): Promise<string> {
  const full = path.resolve(cwd, text);
  if (!(await isFile(full))) {
    const shown = shownPath(project.root, full);
    throw new UserError(`there is no file ${shown}; ${await whatIsThere(project.root, full)}`);
  }
  const shown = shownPath(project.root, full);
  if (path.isAbsolute(shown))
    throw new UserError(`${shown} is outside of ${project.root}, where the suite is`);
  return shown;
}

function isFile(full: string): Promise<boolean> {
  return stat(full).then(
    (facts) => facts.isFile(),
    () => false,
  );
}
