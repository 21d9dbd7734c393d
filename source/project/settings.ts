import { settingsFolder } from './paths.js';

/** What belongs to the person rather than to the project. Texts that a later version wrote are kept as they are. */
export interface PersonalSettings {
  theme?: string;
  /** The sort of the grid that was chosen last. */
  sort?: string;
}

/** The person's settings, kept between runs where the settings folder can be written. */
export interface SettingsStore {
  get(): PersonalSettings;
  /** Never throws: a setting that cannot be kept holds for this process. */
  set(changes: PersonalSettings): void;
}

/** Opens the person's settings. A file that cannot be read or written is the same as none. */
export async function openSettings(env: NodeJS.ProcessEnv): Promise<SettingsStore> {
  let settings: PersonalSettings = {};
  let save: ((all: PersonalSettings) => void) | undefined;
  try {
    // Loaded late: it takes longer than all the rest of a short command.
    const { default: Conf } = await import('conf');
    const store = new Conf<Record<string, unknown>>({
      projectName: 'evalrun',
      cwd: settingsFolder(env),
      configName: 'settings',
      clearInvalidConfig: true,
      // Read the file now, so that what is wrong with it is wrong here.
      accessPropertiesByDotNotation: false,
    });
    settings = { ...textOf(store, 'theme'), ...textOf(store, 'sort') };
    save = (all) => {
      store.set({ ...all });
    };
  } catch {
    // No home folder, no permission: settings live as long as the process.
  }
  return {
    get: () => settings,
    set(changes) {
      settings = { ...settings, ...changes };
      try {
        save?.(settings);
      } catch {
        save = undefined;
      }
    },
  };
}

function textOf(store: { get(key: string): unknown }, key: keyof PersonalSettings): PersonalSettings {
  const value = store.get(key);
  return typeof value === 'string' ? { [key]: value } : {};
}
