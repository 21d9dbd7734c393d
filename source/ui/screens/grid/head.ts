import { makeVisible } from '../../../base/text.js';
import { fitToWidth, textWidth } from '../../../base/width.js';
import type { GateVerdict } from '../../../compare/gate.js';
import type { Comparison } from '../../../compare/types.js';
import { countOf } from '../../../report/format.js';
import { vendorNoticeOf } from '../../../report/run-facts.js';
import type { Condition } from '../../../run/planned.js';
import type { RunState, RunTally } from '../../../tally/types.js';
import { gateWords } from '../../gate-words.js';
import type { Pace } from '../../pace.js';
import { joinFitting, type Line, lineWidth, type Segment, segment, spreadLine } from '../../segments.js';
import { spinnerFrame, type Theme } from '../../theme.js';
import type { Tone } from '../../tone.js';

/** What the lines above the rows tell. */
export interface HeadFacts {
  tally: RunTally;
  title: string | undefined;
  pace: Pace;
  isLive: boolean;
  isPaused: boolean;
  isStopping: boolean;
  /** Criteria that are being run again before anything is said of them. */
  confirming: number;
  comparison: Comparison | undefined;
  /** The gate's word about a run that has ended; undefined where there is none. */
  verdict: GateVerdict | undefined;
  /** By how many trials each check of the baseline is known. */
  knownTrials: string | undefined;
  /** What is to be said of provider accounts that hold requests back. */
  waits: readonly string[];
  /** How many notes there are on its files, which the help shows. */
  notes: number;
  /** Position from 1 among `of` runs. */
  run: number;
  of: number;
  now: number;
}

/** Suite, prompt versions, model, repeats; at the other end what the run is doing. */
export function headerLine(facts: HeadFacts, theme: Theme, width: number): Segment[] {
  const { tally, title, run, of } = facts;
  const { plan, suite, regradeOf } = tally.started;
  const ran = plan.conditions.filter(({ standby }) => standby !== true);
  const vendor = vendorNoticeOf(tally.started)?.kind;
  const isExtended = tally.trials.total > plan.scenarios.length * ran.length * plan.repeat;
  const repeats = `${countOf(plan.repeat, 'repeat')}${isExtended ? ', some more' : ''}`;
  const state = stateSegments(facts, theme);
  const room = Math.max(0, width - lineWidth(state) - 2);
  const name = makeVisible(title ?? suite);
  const parts: Line[] = [
    [segment(fitToWidth(name, Math.min(textWidth(name), room)), 'title')],
    ...(of > 1 ? [[segment(`suite ${run}/${of}`, 'faint')]] : []),
    [segment(makeVisible(distinct(ran, ({ promptName }) => promptName).join(' vs ')), 'accent')],
    ...baseParts(facts, width),
    // No agent was asked: that is to be seen before whose answers these are.
    ...(regradeOf ? [[segment(regradeText(regradeOf.runId, width), 'warn')]] : []),
    [segment(makeVisible(distinct(ran, ({ model }) => model).join(', ')))],
    [segment(repeats, 'faint')],
    ...(plan.conditions.some(({ liveTools }) => liveTools === true) ? [[segment('live tools', 'warn')]] : []),
    ...(vendor === 'same' ? [[segment('judge of the same vendor', 'warn')]] : []),
    ...(vendor === 'unknown' ? [[segment("judge's vendor not known", 'faint')]] : []),
  ];
  const left = joinFitting(parts, room, 3);
  return spreadLine([segment(' '), ...left], state, width);
}

/** Of a base that is not run: which baseline it is, and how well it is known. */
function baseParts({ tally, comparison, knownTrials }: HeadFacts, width: number): Line[] {
  const { base, plan } = tally.started;
  const name = comparison?.base.condition.promptName ?? plan.conditions.at(-1)?.promptName ?? '';
  if (comparison?.base.kind !== 'baseline' && base?.kind !== 'baseline') {
    // A run of another time is named too: the conditions of this one say nothing of it.
    const isOther = comparison !== undefined && comparison.base.runId !== tally.started.runId;
    return isOther
      ? [[segment('vs ', 'faint'), segment(makeVisible(`${name} of ${comparison.base.runId}`), 'accent')]]
      : [];
  }
  const known = knownTrials === undefined || width < 90 ? '' : `, ${knownTrials} known`;
  return [
    [segment('vs ', 'faint'), segment(`baseline ${makeVisible(name)}`, 'accent'), segment(known, 'faint')],
  ];
}

function regradeText(runId: string, width: number): string {
  return width < 100 ? 'regraded' : `regraded from ${makeVisible(runId)}`;
}

function distinct(conditions: readonly Condition[], of: (condition: Condition) => string): string[] {
  return [...new Set(conditions.map(of))];
}

const stateTones: Record<RunState, Tone> = {
  running: 'running',
  completed: 'strong',
  interrupted: 'warn',
  stopped: 'warn',
  unfinished: 'warn',
};

function stateSegments(facts: HeadFacts, theme: Theme): Segment[] {
  const { tally, isLive, isPaused, isStopping, now } = facts;
  const marks = [
    ...(facts.notes > 0 ? [segment(`${countOf(facts.notes, 'note')} (?)`, 'warn'), segment('  ')] : []),
    ...(tally.taints.length > 0 ? [segment('tainted', 'fail'), segment('  ')] : []),
  ];
  if (tally.state !== 'running') {
    return [...marks, ...verdictSegments(facts), segment(tally.state, stateTones[tally.state])];
  }
  // A past run whose journal has no end: nothing moves, and nothing says so but this.
  if (!isLive) return [...marks, segment('unfinished', 'warn')];
  if (isStopping) return [...marks, segment(`${spinnerFrame(theme.glyphs, now)} stopping`, 'warn')];
  if (isPaused) return [...marks, segment('paused', 'warn')];
  // Several suites are run one after another.
  if (facts.of > 1 && isUntouched(tally)) return [...marks, segment('waiting', 'waiting')];
  const doing = facts.confirming > 0 ? `confirming ${countOf(facts.confirming, 'suspect')}` : 'running';
  return [...marks, segment(`${spinnerFrame(theme.glyphs, now)} ${doing}`, 'running')];
}

function verdictSegments({ verdict }: HeadFacts): Segment[] {
  // That it was interrupted its state says.
  if (verdict === undefined || verdict === 'interrupted') return [];
  const [words, tone] = gateWords[verdict];
  return [segment(words, tone), segment('  ')];
}

/** Nothing of it has begun: there are no figures yet, and none of them is a zero. */
export function isUntouched({ trials }: RunTally): boolean {
  return trials.done === 0 && trials.running === 0;
}
