import { settingsFolder } from './paths.js';

/** `theme`: how the app looks. `sort`: the sort of the grid that was chosen last. */
export type SettingName = 'theme' | 'sort';

/** What belongs to the person rather than to the project, kept between runs where its folder can be written. */
export interface PersonalSettings {
  /** Undefined where it was never set. A text that a later version wrote comes as it is. */
  get(name: SettingName): string | undefined;
  /** Never throws: what cannot be kept holds for this process. */
  set(name: SettingName, value: string): void;
}

/** Opens the person's settings. A file that cannot be read is the same as none. */
export async function openSettings(env: NodeJS.ProcessEnv): Promise<PersonalSettings> {
  const settings = new Map<string, string>();
  let save: ((name: string, value: string) => void) | undefined;
  try {
    // Loaded late: it takes longer than all the rest of a short command.
    const { default: Conf } = await import('conf');
    const store = new Conf<Record<string, unknown>>({
      projectName: 'evalrun',
      cwd: settingsFolder(env),
      configName: 'settings',
      clearInvalidConfig: true,
    });
    for (const [name, value] of Object.entries(store.store)) {
      if (typeof value === 'string') settings.set(name, value);
    }
    save = (name, value) => store.set(name, value);
  } catch {
    // No home folder, no permission: settings live as long as the process.
  }
  return {
    get: (name) => settings.get(name),
    set(name, value) {
      settings.set(name, value);
      try {
        save?.(name, value);
      } catch {
        save = undefined;
      }
    },
  };
}
