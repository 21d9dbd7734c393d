import { type ExitCode, UserError } from '../base/errors.js';
import { suggest } from '../base/nearest.js';
import { quote } from '../base/quote.js';
import { makeVisible } from '../base/text.js';
import { looksLikeSecret } from '../project/secrets.js';
import {
  openSettings,
  type PersonalSettings,
  type SettingName,
  setAside,
  settingNames,
  themeNames,
  themeSetting,
} from '../project/settings.js';
import { otherVariables } from '../project/variables.js';
import { safeJson } from '../report/json.js';
import type { CommandIo } from './io.js';
import { agreed } from './shared/ask.js';
import { writeLines } from './shared/output.js';
import { type SettingRow, settingTable } from './shared/show-config.js';
import { userName } from './shared/signature.js';

export type ConfigArgs =
  | { do: 'show'; json?: boolean }
  | { do: 'set'; name: string; value: string }
  /** `name` not set: all of them. */
  | { do: 'reset'; name?: string | undefined; yes?: boolean };

/**
 * `evalrun config`: the person's own settings and where each comes from; `set` keeps one, `reset` forgets one or all.
 * Exit code 2 for a file that cannot be read, a value that makes no sense, and where nobody agreed.
 */
export async function configCommand(args: ConfigArgs, io: CommandIo): Promise<ExitCode> {
  const settings = await openSettings(io.env);
  switch (args.do) {
    case 'show':
      return show(settings, args.json === true, io);
    case 'set':
      return set(settings, args, io);
    case 'reset':
      return reset(settings, args, io);
  }
}

async function show(settings: PersonalSettings, isJson: boolean, io: CommandIo): Promise<ExitCode> {
  const rows = describe(settings, io.env);
  const { file, problem } = settings;
  if (isJson) {
    const shown = rows.map(({ name, value, from }) => ({ name, value, from }));
    await writeLines(io.stdout, [safeJson({ file, ...(problem && { problem }), settings: shown })]);
  } else {
    const lines = settingTable(rows.map((row) => ({ ...row, value: row.value ?? 'not set' })));
    await writeLines(
      io.stdout,
      [...lines, '', `kept in ${file}`].map((line) => makeVisible(line)),
      io.env,
    );
    if (problem !== undefined) io.stderr.write(`evalrun: ${makeVisible(unreadable(problem))}\n`);
  }
  return problem === undefined ? 0 : 2;
}

/** The settings as they hold; null: nobody has said. */
function describe(
  settings: PersonalSettings,
  env: NodeJS.ProcessEnv,
): (Omit<SettingRow, 'value'> & { name: SettingName; value: string | null })[] {
  const theme = themeSetting(env, settings.get('theme'));
  const reviewer = settings.get('reviewer');
  const kept = (name: SettingName) => ({
    name,
    value: settings.get(name) ?? null,
    from: settings.get(name) === undefined ? 'default' : 'your settings',
  });
  return [
    {
      name: 'theme',
      value: theme.value,
      from: {
        NO_COLOR: 'NO_COLOR',
        EVALRUN_THEME: 'environment',
        settings: 'your settings',
        default: 'default',
      }[theme.from],
      variable: otherVariables.theme,
    },
    { ...kept('sort'), value: settings.get('sort') ?? 'order' },
    kept('suite'),
    reviewer
      ? kept('reviewer')
      : { name: 'reviewer', value: userName(env), from: 'your name on this machine' },
  ];
}

async function set(
  settings: PersonalSettings,
  { name: asked, value: raw }: { name: string; value: string },
  io: CommandIo,
): Promise<ExitCode> {
  const name = readName(asked);
  const value = await readValue(name, raw.trim());
  if (settings.problem !== undefined) throw new UserError(unreadable(settings.problem));
  settings.keep(new Map([[name, value]]));
  await writeLines(io.stdout, [makeVisible(`${name} is ${value}, kept in ${settings.file}`)], io.env);
  const theme = themeSetting(io.env, value);
  if (name === 'theme' && theme.from !== 'settings')
    await writeLines(io.stdout, [`note: ${theme.from} stands above it: the theme is ${theme.value}`], io.env);
  return 0;
}

async function reset(
  settings: PersonalSettings,
  { name: asked, yes }: { name?: string | undefined; yes?: boolean },
  io: CommandIo,
): Promise<ExitCode> {
  const names = asked === undefined ? settingNames : [readName(asked)];
  const { file, problem } = settings;
  if (problem !== undefined && asked !== undefined) throw new UserError(unreadable(problem));
  const known = names.filter((name) => settings.get(name) !== undefined);
  if (problem === undefined && known.length === 0) {
    const what = asked === undefined ? 'nothing is set' : `${asked} is not set`;
    await writeLines(io.stdout, [`${what}: there is nothing to forget`], io.env);
    return 0;
  }
  const values = known.map((name) => `${name} ${quote(settings.get(name) ?? '')}`).join(', ');
  const question =
    problem === undefined ? `forget ${values}?` : `${problem}\nset the file aside and begin anew?`;
  if (!(await agreed({ yes }, question, 'nothing was forgotten; --yes does it', io))) return 2;
  if (problem !== undefined) {
    await writeLines(io.stdout, [makeVisible(`set aside as ${await setAside(file)}`)], io.env);
    return 0;
  }
  settings.keep(new Map(known.map((name) => [name, undefined])));
  await writeLines(io.stdout, [makeVisible(`forgotten: ${values}`)], io.env);
  return 0;
}

function unreadable(problem: string): string {
  return `${problem}\nyour settings hold nothing while that is so, and the file stays as it is; mend it, or set it aside with evalrun config reset`;
}

function readName(name: string): SettingName {
  const found = settingNames.find((known) => known === name);
  if (found === undefined)
    throw new UserError(`there is no setting ${quote(name)}; ${suggest(name, settingNames, 'settings')}`);
  return found;
}

async function readValue(name: SettingName, value: string): Promise<string> {
  switch (name) {
    case 'theme':
      return oneOf(name, value, themeNames);
    case 'sort':
      return oneOf(name, value, (await import('../ui/screens/grid/sort.js')).sortNames);
    case 'suite':
    case 'reviewer': {
      if (value === '' || value.length > 200 || /\p{Cc}/u.test(value))
        throw new UserError(`${name}: expected a name on one line, of at most 200 characters`);
      if (looksLikeSecret(value))
        throw new UserError(`${name}: this looks like a key, which is kept in no file`);
      return value;
    }
  }
}

function oneOf(name: SettingName, value: string, known: readonly string[]): string {
  if (known.includes(value)) return value;
  throw new UserError(`${name}: there is no ${quote(value)}; ${suggest(value, known, `${name}s`)}`);
}
