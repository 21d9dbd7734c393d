import { defaultGate, type GateSettings, type Thresholds } from './gate-settings.js';
import type { RunSettings } from './run-settings.js';

/** What `gate` of the config may say. */
export type WrittenGate = {
  [name in 'meanDrop' | 'caseDrop' | 'axisDrop']?: number | undefined;
} & {
  [name in 'inputTokens' | 'cacheHitRate']?:
    | Partial<Record<keyof Thresholds, number | undefined>>
    | undefined;
};

/** The gate of a run: what flags and environment may say too, and the numbers of the config. */
export function gateSettings(
  { failOn, confirm, minCoverage }: Pick<RunSettings, 'failOn' | 'confirm' | 'minCoverage'>,
  written: WrittenGate,
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
