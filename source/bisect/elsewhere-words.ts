import { cutToWidth } from '../base/width.js';
import { shellQuote } from '../compare/baseline-save.js';
import type { BisectFinding, PlannedEnd, Watched } from '../run/bisect-events.js';
import type { BisectRecord } from './record.js';

/**
 * What else may have done it, where the prompt did not, and what to look at next: a line each, of texts from files and
 * products. None where the prompt did it.
 */
export function elsewhereLines(
  { started, planned }: Pick<BisectRecord, 'started' | 'planned'>,
  { kind }: BisectFinding,
): string[] {
  if (kind !== 'not-the-prompt' && kind !== 'good-fails-too') return [];
  const { of, elsewhere, good } = planned;
  const again = lineFor(good, started.suite, planned.watched);
  if (of === undefined || !elsewhere) {
    return [
      'what else differs from when it passed is not known: model, settings, tools, fixtures, judge, tuning values of the backend; evalrun compare names what differs between two runs',
    ];
  }
  const { differences, isPartial } = elsewhere;
  const base =
    elsewhere.kind === 'run' ? `${good.name} in the same run` : `the baseline (run ${elsewhere.base})`;
  const unknown = isPartial
    ? [`the journal of run ${elsewhere.base} is gone: tuning values and files of then are not known`]
    : [];
  if (differences.length === 0) {
    return [
      `nothing else that is recorded differs between ${base} and run ${of}`,
      ...unknown,
      kind === 'good-fails-too'
        ? `next: what is not recorded: the model behind its name, data behind the product; ${again} shows ${good.name} as it does today`
        : `next: what is not recorded: the model behind its name, data behind the product; or it was chance: evalrun run ${started.suite} --aa says how often that happens`,
    ];
  }
  return [
    ...differences.map(
      ({ part, from, to }) =>
        `differs too between ${base} and run ${of}: ${part} ${shorten(from)} → ${shorten(to)}`,
    ),
    ...unknown,
    `next: ${nextStep(differences, elsewhere.base, again, good.name)}`,
  ];
}

/** The line that runs the good prompt once more, as it does today. */
function lineFor({ path, name, commit }: PlannedEnd, suite: string, watched: readonly Watched[]): string {
  // `v14@HEAD` stands in no file any more.
  const prompt = commit !== undefined && name.includes('@') ? `${commit}:${path}` : path;
  const scenarios = [...new Set(watched.map(({ scenario }) => scenario))].flatMap((id) => ['--scenario', id]);
  return ['evalrun', 'run', suite, '--candidate', prompt, '--no-baseline', ...scenarios]
    .map(shellQuote)
    .join(' ');
}

/** A tuning value may be a long list. */
function shorten(text: string): string {
  return cutToWidth(text, 60);
}

/** Where only the judge is another one, the conversations of then tell; else they have to be had anew. */
function nextStep(
  differences: readonly { part: string }[],
  base: string,
  again: string,
  good: string,
): string {
  const isGrading = differences.every(({ part }) => /^(judge |check )/.test(part));
  return isGrading
    ? `evalrun regrade ${base} grades what passed by the checks and the judge of today`
    : `${again} shows ${good} under what is set today; put back what differs one by one`;
}
