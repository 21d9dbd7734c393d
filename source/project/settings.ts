import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readDocuments } from '../base/document.js';
import { formatProblem, messageOf, UserError } from '../base/errors.js';
import { toPlain } from '../base/nodes.js';
import { settingsFolder } from './paths.js';

/** In the order in which they are shown. */
export const settingNames = ['theme', 'sort', 'suite', 'reviewer'] as const;

/**
 * `theme`: how the screens look, a name of `themeNames`. `sort`: the sort of the grid that was chosen last. `suite`: the
 * suite that was run last in a terminal, which is meant there where none of several is named. `reviewer`: the name that labels are signed with.
 */
export type SettingName = (typeof settingNames)[number];

/** What belongs to the person rather than to the project, kept between runs where its folder can be written. */
export interface PersonalSettings {
  /** Absolute; not there while nothing was set. */
  readonly file: string;
  /** Why the file cannot be read, one sentence with its place. It is the same as none then, and is not written. */
  readonly problem: string | undefined;
  /** Undefined where it was never set. A text that a later version wrote comes as it is. */
  get(name: SettingName): string | undefined;
  /** Never throws: what cannot be kept holds for this process. */
  set(name: SettingName, value: string): void;
  /** As `set`, of what a person asks for by name; undefined takes a setting away. Throws UserError where it cannot be kept. */
  keep(changes: ReadonlyMap<SettingName, string | undefined>): void;
}

const fileName = 'settings';

/** Opens the person's settings. A file that cannot be read is the same as none, and stays as it is. */
export async function openSettings(env: NodeJS.ProcessEnv): Promise<PersonalSettings> {
  const folder = settingsFolder(env);
  const file = join(folder, `${fileName}.json`);
  const { texts, problem } = await readSettings(file);
  const settings = new Map(texts);
  // Loaded late: it takes longer than all the rest of a short command.
  const { default: Conf } = await import('conf');

  function write(changes: ReadonlyMap<SettingName, string | undefined>): void {
    if (problem !== undefined) throw new UserError(problem);
    try {
      // Opened anew for each write, so that what another process has set meanwhile stays.
      const store = new Conf<Record<string, unknown>>({
        projectName: 'evalrun',
        cwd: folder,
        configName: fileName,
      });
      const all: Record<string, unknown> = { ...store.store };
      for (const [name, value] of changes) {
        if (value === undefined) delete all[name];
        else all[name] = value;
      }
      store.store = all;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const why = code ?? messageOf(error);
      throw new UserError(`${file} cannot be written (${why}); is its folder yours to write?`);
    }
  }

  return {
    file,
    problem,
    get: (name) => settings.get(name),
    set(name, value) {
      settings.set(name, value);
      try {
        write(new Map([[name, value]]));
      } catch {
        // No home folder, no permission, a file that is broken: it holds for this process.
      }
    },
    keep(changes) {
      write(changes);
      for (const [name, value] of changes) {
        if (value === undefined) settings.delete(name);
        else settings.set(name, value);
      }
    },
  };
}

async function readSettings(
  file: string,
): Promise<{ texts: [SettingName, string][]; problem: string | undefined }> {
  const isThere = await stat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  );
  if (!isThere) return { texts: [], problem: undefined };
  const { documents, problems } = await readDocuments(file, file);
  const [first] = problems;
  if (first !== undefined) return { texts: [], problem: formatProblem(first) };
  const values = documents[0] && toPlain(documents[0]);
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    return { texts: [], problem: `${file}: expected an object of settings, as in {"theme": "light"}` };
  const texts = settingNames.flatMap((name): [SettingName, string][] => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return { texts, problem: undefined };
}

/** Moves a settings file out of the way, beside where it stood, and gives its new name, absolute. Nothing is overwritten. */
export async function setAside(file: string): Promise<string> {
  for (let number = 1; ; number++) {
    const aside = file.replace(/\.json$/, `.broken${number === 1 ? '' : `-${number}`}.json`);
    const isTaken = await stat(aside).then(
      () => true,
      () => false,
    );
    if (isTaken) continue;
    await rename(file, aside);
    return aside;
  }
}

export const themeNames = ['dark', 'light', 'none'] as const;

/** `dark` and `light`: the background that colours are chosen for. `none`: no colour. */
export type ThemeName = (typeof themeNames)[number];

export function isThemeName(text: string | undefined): text is ThemeName {
  return themeNames.some((name) => name === text);
}

/**
 * The theme that holds, and who says so: NO_COLOR (any value but the empty one), then EVALRUN_THEME, then the person's
 * settings. A name that is none says nothing.
 */
export function themeSetting(
  env: NodeJS.ProcessEnv,
  setting: string | undefined,
): { value: ThemeName; from: 'NO_COLOR' | 'EVALRUN_THEME' | 'settings' | 'default' } {
  if (env.NO_COLOR) return { value: 'none', from: 'NO_COLOR' };
  const { EVALRUN_THEME: named } = env;
  if (isThemeName(named)) return { value: named, from: 'EVALRUN_THEME' };
  if (isThemeName(setting)) return { value: setting, from: 'settings' };
  return { value: 'dark', from: 'default' };
}
