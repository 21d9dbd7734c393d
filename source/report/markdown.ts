import { fitToWidth } from '../base/width.js';
import type { CriterionChange } from '../compare/types.js';
import { groupReason } from '../tally/group.js';
import type { RunTally } from '../tally/types.js';
import { type BisectedRun, bisectedHow, bisectedText, watchedNames } from './bisected.js';
import {
  baseTitle,
  changeTexts,
  changeTiers,
  differencesText,
  figureTexts,
  reasonsBeside,
  unchangedText,
} from './changes.js';
import { usageText } from './closing.js';
import { excerptsOf, excerptText, failingRows } from './excerpts.js';
import { countOf, formatDuration, formatShare } from './format.js';
import { createRoom, type Room } from './markdown-room.js';
import { escapeMarkup, markdownBlock, markdownCode, tableHead, tableRow } from './markdown-text.js';
import { outcomeText, quarantineFacts } from './quarantine.js';
import type { FinishedRun, Reporter, ReporterOptions } from './reporter.js';
import { conditionTitle, isSimulatedRun, simulatedNotice } from './run-facts.js';

/** GitHub refuses a comment of more characters. */
export const commentLimit = 65_536;

/** Begins every report, for jobs that bring their last comment up to date rather than add another. */
export const commentMark = '<!-- evalrun -->';

/**
 * A comment for a pull request: verdict, what changed in three tiers, tokens, how far the judge can be trusted, and
 * excerpts of the conversations that fail. Never longer than GitHub takes; it says what was left out. `runs`: how many
 * runs share that room.
 */
export function createMarkdownReporter(options: ReporterOptions): Reporter {
  const share = Math.floor((commentLimit - 200) / Math.max(1, options.runs ?? 1));
  let runs = 0;
  return {
    hear() {},
    async finishRun(finished) {
      await options.write(runs++ === 0 ? `${commentMark}\n` : '\n');
      await options.write(await markdownReport(finished, options.program, share - 20));
    },
    async finish() {},
  };
}

/** One run as Markdown of at most `limit` characters. */
export async function markdownReport(finished: FinishedRun, program: string, limit: number): Promise<string> {
  const reopen = `Reopen with ${markdownCode(`${program} show ${finished.tally.started.runId}`)}.\n`;
  // The last line, and the one that says what was left out, always have their place.
  const room = createRoom(limit - reopen.length - 300);
  for (const line of headLines(finished)) room.add(`${line}\n`);
  if (finished.comparison) addComparison(finished, room);
  else addFailing(finished.tally, room);
  for (const bisect of finished.bisects ?? []) room.add(bisectText(bisect, program), 'bisects');
  addQuarantine(finished.tally, room);
  room.add(`\n${factLines(finished).join('\n')}\n`);
  for await (const excerpt of excerptsOf(finished)) room.add(excerptText(excerpt), 'conversations');
  const left = room.leftOut();
  return `${room.text()}\n${left === '' ? '' : `Left out for want of room: ${left}. `}${reopen}`;
}

function* headLines({ tally, decision, judgeNotes = [], comparison }: FinishedRun): Generator<string> {
  const { started, conditions } = tally;
  yield `### evalrun ${markdownCode(started.suite)}`;
  yield '';
  yield `**${escapeMarkup(decision.headline)}**`;
  yield '';
  if (judgeNotes.length > 0) {
    yield `> ${judgeNotes.map((note) => markdownCode(note)).join('<br>\n> ')}`;
    yield '';
  }
  const shown = conditions.filter(({ standby }) => standby !== true);
  yield `${shown.map((condition) => markdownCode(conditionTitle(condition))).join(' and ')}, ${countOf(
    started.plan.scenarios.length,
    'scenario',
  )} × ${countOf(started.plan.repeat, 'trial')}, seed ${markdownCode(started.seed)}`;
  if (comparison) {
    yield '';
    yield `Compared with ${markdownCode(baseTitle(comparison.base))}: ${markdownCode(differencesText(comparison))}`;
  }
  if (isSimulatedRun(started)) yield `\n*${simulatedNotice}*`;
  if (started.regradeOf)
    yield `\nGrades the conversations of run ${markdownCode(started.regradeOf.runId)} again.`;
  if (started.label !== undefined) yield `\nLabel ${markdownCode(started.label)}`;
  if (started.note !== undefined) yield `\nNote ${markdownCode(started.note)}`;
  yield '';
  // What blocks stands in the tiers below.
  for (const reason of reasonsBeside(decision, decision.blocking ?? []))
    yield `- ${markdownCode(shorten(reason))}`;
}

/** A reason may name every scenario there is; those stand below, one by one. */
function shorten(text: string): string {
  return text.length > 500 ? fitToWidth(text, 500) : text;
}

function addComparison({ comparison, decision }: FinishedRun, room: Room): void {
  if (!comparison) return;
  const { blocks, suspected, others, beyond } = changeTiers(comparison, decision);
  addTier(decision.blocking ? 'Blocks' : 'Proved', blocks, room);
  for (const text of beyond) room.add(`- **blocks:** ${markdownCode(shorten(text))}\n`);
  addTier('Suspects and drift: shown, and not blocking', suspected, room);
  addTier('Fixed, better, new, gone, not comparable', others, room);
  room.add(`\n${unchangedText(comparison).replace('n', 'N')}.\n`);
}

function addTier(title: string, changes: readonly CriterionChange[], room: Room): void {
  if (changes.length === 0) return;
  const table = [
    `\n#### ${title} (${changes.length})\n`,
    ...tableHead('', 'scenario', 'check', 'passed', 'evidence', 'why'),
  ];
  if (!room.add(`${table.join('\n')}\n`, 'tables')) return;
  for (const change of changes) {
    const { word, rate, proof, why } = changeTexts(change);
    const cells = [
      word,
      markdownCode(change.scenario),
      markdownCode(change.check),
      rate,
      escapeMarkup(proof),
      markdownCode(why),
    ];
    room.add(tableRow(cells), 'criteria that changed');
  }
}

/** Without a base there is nothing to compare with: what fails. */
function addFailing(tally: RunTally, room: Room): void {
  const rows = failingRows(tally);
  if (rows.length === 0) return;
  const table = [`\n#### Fails (${rows.length})\n`, ...tableHead('scenario', 'why')];
  if (!room.add(`${table.join('\n')}\n`, 'tables')) return;
  for (const row of rows) {
    const worst = row.groups.find(({ verdict }) => verdict === 'fail');
    const why = worst && groupReason(worst);
    const text = why?.checkId === undefined ? (why?.reason ?? '') : `${why.checkId}: ${why.reason}`;
    room.add(tableRow([markdownCode(row.scenario.id), markdownCode(text)]), 'failing scenarios');
  }
}

function addQuarantine(tally: RunTally, room: Room): void {
  const all = quarantineFacts(tally);
  if (all.length === 0) return;
  const table = [
    `\n#### Quarantined: shown, and counted in no verdict (${all.length})\n`,
    ...tableHead('scenario', 'check', 'this run', 'until', 'owner', 'reason'),
  ];
  if (!room.add(`${table.join('\n')}\n`, 'tables')) return;
  for (const facts of all) {
    const cells = [
      markdownCode(facts.scenario),
      facts.check === undefined ? 'all' : markdownCode(facts.check),
      outcomeText(facts),
      facts.expired ? `**EXPIRED ${facts.until}**` : facts.until,
      markdownCode(facts.owner),
      markdownCode(facts.reason),
    ];
    room.add(tableRow(cells), 'quarantined checks');
  }
}

/** Counts, scores and tokens, a line of a list each. */
function factLines({ tally, decision, comparison }: FinishedRun): string[] {
  const { verdicts, trials, tokens, quarantined } = tally;
  const counts = (['pass', 'warn', 'fail', 'unknown', 'error'] as const)
    .filter((verdict) => verdicts[verdict] > 0)
    .map((verdict) => `${verdicts[verdict]} ${verdict}`);
  if (quarantined > 0) counts.push(`${quarantined} quarantined`);
  const time = tally.finishedAt === undefined ? '' : `, ${formatDuration(tally.activeMs)}`;
  const facts = [
    `scenarios: ${counts.join(', ') || 'none run'}`,
    `trials: ${trials.done} of ${trials.total} done, coverage ${formatShare(decision.coverage)}${time}`,
    ...(comparison ? figureTexts(comparison) : []),
    `agent: ${usageText(tokens.agent)}${tokens.isAgentPartial ? ', and some not reported' : ''}`,
    tokens.user && `simulated user: ${usageText(tokens.user)}`,
    tokens.judge.input + tokens.judge.output > 0 && `judge: ${usageText(tokens.judge)}`,
  ];
  return facts.filter((fact) => typeof fact === 'string').map((fact) => `- ${escapeMarkup(fact)}`);
}

/** What a bisect found: its words, and what it rests on. */
function bisectText(bisect: BisectedRun, program: string): string {
  const { good, bad, found, diff } = bisect;
  const [how = '', line = ''] = bisectedHow(bisect, program).split(': ');
  return [
    `\n#### Bisected: ${markdownCode(watchedNames(bisect))}, ${markdownCode(`${good} → ${bad}`)}\n`,
    `**${markdownCode(found?.headline ?? bisectedText(bisect))}**\n`,
    ...(diff.length > 0 ? [`${markdownBlock(diff)}\n`] : []),
    ...(found?.reasons ?? []).map((reason) => `- ${markdownCode(reason)}`),
    `- ${escapeMarkup(how)} ${markdownCode(line)}`,
  ]
    .join('\n')
    .concat('\n');
}
