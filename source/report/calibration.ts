import {
  type Calibration,
  calibrationOf,
  calibrationText,
  overallCalibration,
} from '../grade/labels/calibration.js';
import type { KnownLabels } from '../grade/labels/types.js';
import type { RunStarted } from '../run/reader.js';
import { countOf, formatCount, inline } from './format.js';

/**
 * What stands on top of every report with judged checks: how far the judge can be trusted, and to read the answers
 * oneself. Nothing where no judge was asked. `labels` are those of its prompt, with what it said of them.
 */
export function judgeNotes(started: RunStarted, labels: KnownLabels, program: string): string[] {
  const { judge, suite, plan, runId } = started;
  const judged = plan.scenarios.flatMap(({ id, checks }) =>
    checks.filter(({ kind }) => kind === 'judged').map((check) => ({ scenario: id, check })),
  );
  if (!judge || judged.length === 0) return [];
  const who = { model: judge.model, sha256: judge.promptSha256 };
  const rubrics = new Map<string, boolean>();
  for (const { scenario, check } of judged) {
    if (check.rubric === undefined) continue;
    const { kind } = calibrationOf(labels, check.rubric, who, { suite, scenario, check: check.id });
    rubrics.set(check.rubric, kind === 'calibrated');
  }
  const without = [...rubrics.values()].filter((isCalibrated) => !isCalibrated).length;
  const overall = overallCalibration(
    labels === 'unread' ? labels : labels.filter(({ rubric }) => rubrics.has(rubric)),
    who,
  );
  const rest =
    overall.kind === 'uncalibrated' || without === 0
      ? ''
      : `; ${formatCount(without)} of ${countOf(rubrics.size, 'rubric')} without labels`;
  return [
    inline(`judge ${judge.prompt} on ${judge.model}: ${calibrationText(overall)}${rest}`),
    inline(`read the answers yourself: ${program} review ${runId}`),
  ];
}

/** How far the judge of a check can be trusted; undefined where no judge is asked. `check`: its id. */
export function checkCalibration(
  { judge, suite, plan }: RunStarted,
  labels: KnownLabels,
  scenario: string,
  check: string,
): Calibration | undefined {
  const planned = plan.scenarios.find(({ id }) => id === scenario)?.checks.find(({ id }) => id === check);
  if (!judge || planned?.rubric === undefined) return undefined;
  const who = { model: judge.model, sha256: judge.promptSha256 };
  return calibrationOf(labels, planned.rubric, who, { suite, scenario, check });
}

/** The same in one line, safe to print. */
export function checkCalibrationText(...of: Parameters<typeof checkCalibration>): string | undefined {
  const calibration = checkCalibration(...of);
  return calibration && inline(calibrationText(calibration));
}

/** The same for machines; null where no judge is asked. */
export function calibrationFacts(...of: Parameters<typeof checkCalibration>) {
  const calibration = checkCalibration(...of);
  if (!calibration) return null;
  if (calibration.kind === 'uncalibrated') return { calibrated: false, why: calibration.why };
  const { cases, agreed, kappa } = calibration.agreement;
  return { calibrated: true, cases, agreed, kappa: kappa ?? null };
}
