import type { WrittenConfig } from './config-schema.js';
import { defaultGate, type GateSettings, type Thresholds } from './gate-settings.js';
import { type RunSettings, resolveRunSettings } from './run-settings.js';

/**
 * The gate that holds today, for what does not say what its own went by. Throws InputError as `resolveRunSettings` does.
 */
export function todaysGate(
  config: Pick<WrittenConfig, 'run' | 'gate'>,
  env: NodeJS.ProcessEnv,
): GateSettings {
  return gateSettings(resolveRunSettings({ flags: {}, env, config }), config.gate);
}

/** The gate of a run: what flags and environment may say too, and the numbers of the config. */
export function gateSettings(
  { failOn, confirm, minCoverage }: Pick<RunSettings, 'failOn' | 'confirm' | 'minCoverage'>,
  written: WrittenConfig['gate'],
): GateSettings {
  const thresholds = (name: 'inputTokens' | 'cacheHitRate'): Thresholds => ({
    warn: written[name]?.warn ?? defaultGate[name].warn,
    fail: written[name]?.fail ?? defaultGate[name].fail,
  });
  return {
    failOn: failOn.value,
    confirm: confirm.value,
    minCoverage: minCoverage.value,
    meanDrop: written.meanDrop ?? defaultGate.meanDrop,
    caseDrop: written.caseDrop ?? defaultGate.caseDrop,
    axisDrop: written.axisDrop ?? defaultGate.axisDrop,
    inputTokens: thresholds('inputTokens'),
    cacheHitRate: thresholds('cacheHitRate'),
  };
}
