/** What is flaky, and how much may be quarantined for how long. */
export interface QuarantineSettings {
  /** Flips within `withinDays` from which on a quarantine is suggested. */
  flips: number;
  withinDays: number;
  /** Days ahead that the end of a quarantine may lie at most. */
  maxDays: number;
  /** Share of the scenarios of a suite, 0 to 1, that may be quarantined; above 0 it is always one at least. */
  maxShare: number;
}

/** What holds where nobody says otherwise. */
export const defaultQuarantine: QuarantineSettings = {
  flips: 2,
  withinDays: 30,
  maxDays: 30,
  maxShare: 0.1,
};

/** The settings that the config writes, with what it leaves out. */
export function quarantineSettings(
  written: {
    [name in keyof QuarantineSettings]?: number | undefined;
  },
): QuarantineSettings {
  const { flips, withinDays, maxDays, maxShare } = defaultQuarantine;
  return {
    flips: written.flips ?? flips,
    withinDays: written.withinDays ?? withinDays,
    maxDays: written.maxDays ?? maxDays,
    maxShare: written.maxShare ?? maxShare,
  };
}

/** How many of the scenarios of a suite may be quarantined. */
export function mostQuarantined(
  scenarios: number,
  { maxShare }: Pick<QuarantineSettings, 'maxShare'>,
): number {
  return maxShare === 0 ? 0 : Math.max(1, Math.floor(scenarios * maxShare + 1e-9));
}
