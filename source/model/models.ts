import type { Clock } from '../base/clock.js';
import { UserError } from '../base/errors.js';
import { suggest } from '../base/nearest.js';
import { quote } from '../base/quote.js';
import type { ChatModel } from './types.js';

/** What opening a model may need. */
export interface OpenModelOptions {
  /** Folder of `<name>.yaml` files with the behaviours of simulated models, absolute. */
  simulatedFolder: string;
  clock: Clock;
  env: Record<string, string | undefined>;
}

type OpenModel = (name: string, options: OpenModelOptions) => Promise<ChatModel>;

/** Providers, each loaded when first asked for: an SDK is half a second of start. */
const providers = new Map<string, OpenModel>([
  [
    'simulated',
    async (name, options) => {
      const { openSimulatedModel } = await import('./simulated/open.js');
      return openSimulatedModel(name, options);
    },
  ],
]);

/** A reference as people write it, `provider:model`; the model's name may hold colons. Undefined when it is none. */
export function parseModelReference(reference: string): { provider: string; model: string } | undefined {
  const colon = reference.indexOf(':');
  if (colon < 1 || colon === reference.length - 1) return undefined;
  return { provider: reference.slice(0, colon), model: reference.slice(colon + 1) };
}

/** Opens `provider:model`. Throws UserError for a reference that names nothing, InputError for a file with mistakes. */
export async function openModel(reference: string, options: OpenModelOptions): Promise<ChatModel> {
  const known = [...providers.keys()];
  const parsed = parseModelReference(reference);
  if (parsed === undefined) {
    throw new UserError(
      `${quote(reference)} names no model; write provider:model, as in simulated:support-agent`,
    );
  }
  const open = providers.get(parsed.provider);
  if (open === undefined) {
    const hint = suggest(parsed.provider, known, 'providers');
    throw new UserError(
      `${quote(reference)} names a provider that is not known: ${quote(parsed.provider)}; ${hint}`,
    );
  }
  return open(parsed.model, options);
}
