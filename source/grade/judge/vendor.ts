/** Whose models agent and judge are: a judge is lenient towards its own family's prose and blind to its own faults. */
export type VendorComparison =
  | { kind: 'same'; vendor: string }
  | { kind: 'different' }
  /** Whose `model` is, nobody said: a gateway or a server of one's own, which `vendors` does not name. */
  | { kind: 'unknown'; model: string };

/** Vendors of the providers that need no config. */
const vendorOfProvider: Readonly<Record<string, string>> = {
  anthropic: 'anthropic',
  openai: 'openai',
  'openai-responses': 'openai',
};

/**
 * Whether agent and judge (`provider:model`) come from the same vendor. `vendors` says whose the models of gateways
 * are, by provider (`local`), by model (`local:qwen3`) or by the beginning of one (`openrouter:anthropic/*`); the
 * longest name that fits counts, and it also overrides what is known of a provider. Nothing is guessed from a
 * model's name: one may call a model as one likes. A simulated model is of no vendor.
 */
export function sameVendor(
  agentModel: string,
  judgeModel: string,
  vendors: Readonly<Record<string, string>>,
): VendorComparison {
  if (isSimulated(agentModel) || isSimulated(judgeModel)) return { kind: 'different' };
  // The same model is the same vendor's, whoever that is.
  const agent = vendorOf(agentModel, vendors);
  if (agentModel === judgeModel) return { kind: 'same', vendor: agent ?? agentModel };
  const judge = vendorOf(judgeModel, vendors);
  if (agent === undefined) return { kind: 'unknown', model: agentModel };
  if (judge === undefined) return { kind: 'unknown', model: judgeModel };
  return agent === judge ? { kind: 'same', vendor: agent } : { kind: 'different' };
}

function isSimulated(model: string): boolean {
  return model.startsWith('simulated:');
}

/** In lower case, so that two spellings of one vendor are one; undefined where nobody said. */
function vendorOf(model: string, vendors: Readonly<Record<string, string>>): string | undefined {
  const provider = model.slice(0, Math.max(0, model.indexOf(':')));
  const fits = (name: string) =>
    name === model || name === provider || (name.endsWith('*') && model.startsWith(name.slice(0, -1)));
  const [named] = Object.keys(vendors)
    .filter(fits)
    .sort((a, b) => b.length - a.length);
  const vendor = named === undefined ? undefined : vendors[named];
  const known = Object.hasOwn(vendorOfProvider, provider) ? vendorOfProvider[provider] : undefined;
  return (vendor ?? known)?.trim().toLowerCase();
}
