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
  /** Empty: nothing blocks, and what differs is only told. */
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
  /** Scenarios with a simulated user are compared although the conditions differ: the comparison is confounded. */
  compareSimulatedUsers?: true;
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
