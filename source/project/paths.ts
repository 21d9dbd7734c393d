import { homedir, userInfo } from 'node:os';
import path from 'node:path';
import { sha256 } from '../base/hash.js';
import type { Project } from './config.js';

type Env = NodeJS.ProcessEnv;

/** Never empty: runs and settings would land in the folder of the call. */
function homeFolder(env: Env): string {
  return env.HOME || env.USERPROFILE || homedir() || userInfo().homedir;
}

/** A folder named by a variable counts only when it is absolute, as the XDG specification wants it. */
function absoluteOr(value: string | undefined, fallback: string): string {
  return value !== undefined && path.isAbsolute(value) ? value : fallback;
}

/** Where evalrun keeps data of this user on this platform, absolute. */
export function dataFolder(env: Env, platform: NodeJS.Platform = process.platform): string {
  const home = homeFolder(env);
  switch (platform) {
    case 'darwin':
      return path.join(home, 'Library', 'Application Support', 'evalrun');
    case 'win32':
      return path.join(env.LOCALAPPDATA || path.join(home, 'AppData', 'Local'), 'evalrun', 'Data');
    default:
      return path.join(absoluteOr(env.XDG_DATA_HOME, path.join(home, '.local', 'share')), 'evalrun');
  }
}

/** Where evalrun keeps this person's settings on this platform, absolute. */
export function settingsFolder(env: Env, platform: NodeJS.Platform = process.platform): string {
  const home = homeFolder(env);
  switch (platform) {
    case 'darwin':
      return path.join(home, 'Library', 'Preferences', 'evalrun');
    case 'win32':
      return path.join(env.APPDATA || path.join(home, 'AppData', 'Roaming'), 'evalrun', 'Config');
    default:
      return path.join(absoluteOr(env.XDG_CONFIG_HOME, path.join(home, '.config')), 'evalrun');
  }
}

/** Where the runs of a project are kept, absolute, and who said so. */
export function logsFolder(project: Project, env: Env, platform: NodeJS.Platform = process.platform): string {
  return logsSetting(project, env, platform).value;
}

/** As `logsFolder`, with its origin: EVALRUN_LOGS, then `logs` of the config, then the data folder. */
export function logsSetting(
  project: Project,
  env: Env,
  platform: NodeJS.Platform = process.platform,
): { value: string; from: 'environment' | 'config' | 'default' } {
  const resolve = (folder: string) =>
    path.resolve(
      project.root,
      folder.replace(/^~(?=$|[/\\])/, () => homeFolder(env)),
    );
  if (env.EVALRUN_LOGS) return { value: resolve(env.EVALRUN_LOGS), from: 'environment' };
  if (project.config.logs) return { value: resolve(project.config.logs), from: 'config' };
  // Two checkouts of one project have logs of their own, also where they have the same name.
  const name = `${safeSegment(project.config.project)}-${sha256(project.root).slice(0, 8)}`;
  return { value: path.join(dataFolder(env, platform), name), from: 'default' };
}

/** Folder of the runs of one suite: `<logs>/<suite>`. */
export function suiteLogs(logs: string, suite: string): string {
  return path.join(logs, safeSegment(suite));
}

/** One segment of a path that every file system takes: what is not a letter, a digit or `._-` becomes `-`. */
function safeSegment(name: string): string {
  const safe = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^\.+|\.+$/g, '');
  return safe === '' ? '-' : safe.slice(0, 100);
}

/** A path as people read it in messages: from the root, with slashes; absolute where it leads out of it. */
export function shownPath(root: string, file: string): string {
  const relative = path.relative(root, path.resolve(root, file));
  const isOutside =
    relative === '' || relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
  return (isOutside ? path.resolve(root, file) : relative).split(path.sep).join('/');
}
