import { systemClock } from '../../base/clock.js';
import { openModel } from '../../model/models.js';
import { type Accounts, createAccounts } from '../../model/pacing/accounts.js';
import type { Retry } from '../../model/retry.js';
import type { ChatModel } from '../../model/types.js';
import type { Project } from '../../project/config.js';
import type { RunParts } from '../../run/parts.js';
import { atPlace, type ModelNames, modelOptions, placeOfModel } from './suite-models.js';

/** Opens each model once, however many parts of a run use it: its cache is shared as it is at a provider. */
type OpenedModels = (reference: string) => Promise<ChatModel>;

/** What the parts of one run are opened with. */
export interface Workshop {
  project: Project;
  env: NodeJS.ProcessEnv;
  accounts: Accounts;
  open: OpenedModels;
  /** Grows with what is opened, see `RunParts.sources`. */
  sources: Record<string, string>;
  onRetry: NonNullable<RunParts['onRetry']>;
}

/** An empty one. Nothing is opened yet; `suite` is asked where it names a model, for messages. */
export function createWorkshop(project: Project, suite: ModelNames, env: NodeJS.ProcessEnv): Workshop {
  const opened = new Map<string, Promise<ChatModel>>();
  const accounts = createAccounts(systemClock);
  const retryListeners = new Set<(retry: Retry) => void>();
  const tellRetry = (retry: Retry) => {
    for (const listener of retryListeners) listener(retry);
  };
  const options = { ...modelOptions(project, env, accounts), onRetry: tellRetry };
  const sources: Record<string, string> = {};
  const openAndNote = async (reference: string) => {
    const model = await atPlace(placeOfModel(project, suite, reference), () => openModel(reference, options));
    if (model.fingerprint !== undefined) sources[reference] = model.fingerprint;
    return model;
  };
  const open = (reference: string) => {
    const model = opened.get(reference) ?? openAndNote(reference);
    opened.set(reference, model);
    return model;
  };
  const onRetry: Workshop['onRetry'] = (listener) => {
    retryListeners.add(listener);
    return () => retryListeners.delete(listener);
  };
  return { project, env, accounts, open, sources, onRetry };
}
