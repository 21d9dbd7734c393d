import type { RunSettings } from './run-settings.js';

/** What can fail a gate, by the names that `--fail-on` and `gate.failOn` of the config take. */
export const failOnNames = [
  'hard-criteria',
  'score-drop',
  'regression',
  'drift',
  'axis-drop',
  'tokens',
  'unknown',
  'quarantine-expired',
] as const;
export type FailOn = (typeof failOnNames)[number];

/** From which change on a number is worth a warning, and from which on it fails. */
export interface Thresholds {
  warn: number;
  fail: number;
}

/** What a gate goes by. Kept with the run, so that a run of the past is judged as it was then. */
export interface GateSettings {
  failOn: FailOn[];
  /** Suspects are re-run before anything goes red. */
  confirm: boolean;
  /** Share of trials, 0 to 1, below which there is no verdict. */
  minCoverage: number;
  /** Points of the mean judged score that it may fall by. */
  meanDrop: number;
  /** Points of the median score that one case may fall by. */
  caseDrop: number;
  /** Share of an axis, 0 to 1, that it may fall by. */
  axisDrop: number;
  /** Candidate's input tokens a trial over the base's. */
  inputTokens: Thresholds;
  /** Fall of the share of input tokens that came from a cache, 0 to 1. */
  cacheHitRate: Thresholds;
}

/** What holds where nobody says otherwise. */
export const defaultGate: GateSettings = {
  failOn: ['hard-criteria', 'score-drop', 'quarantine-expired'],
  confirm: true,
  minCoverage: 0.95,
  meanDrop: 0.2,
  caseDrop: 1,
  axisDrop: 0,
  inputTokens: { warn: 1.1, fail: 1.5 },
  cacheHitRate: { warn: 0.05, fail: 0.15 },
};

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
