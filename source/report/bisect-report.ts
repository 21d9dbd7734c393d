import type { PassRate } from '../base/statistics.js';
import { rerunText } from '../bisect/finding-words.js';
import { createTrialReader } from '../run/reader.js';
import type { Cell, CellGroup, ScenarioTally } from '../tally/types.js';
import { spentLine } from './bisect.js';
import { hunkLines, unifiedLines } from './bisect-diff.js';
import { type BisectDigest, digestBisect, type HunkStanding } from './bisect-digest.js';
import type { FinishedBisect } from './bisect-finished.js';
import { takenBackLine } from './bisect-said.js';
import { formatBelief, smallestDropPoints, watchedText } from './bisect-words.js';
import { excerptText, readExcerpt } from './excerpts.js';
import { countOf, inline } from './format.js';
import { commentLimit, commentMark } from './markdown.js';
import { createRoom, type Room } from './markdown-room.js';
import { escapeMarkup, markdownBlock, markdownCode, tableHead, tableRow } from './markdown-text.js';
import { isSimulatedRun, simulatedNotice } from './run-facts.js';

/**
 * A bisect as Markdown for somebody who has neither the tool nor its journal: the question, the finding and what it rests
 * on, the words, every hunk, what was not tested, what it took, and how to go on. At most `limit` characters, which is
 * what GitHub takes; it says what was left out.
 */
export async function bisectReport(finished: FinishedBisect, limit = commentLimit): Promise<string> {
  const { record, tally } = finished;
  const digest = digestBisect(record, tally.found);
  const closing = goOnLines(finished).join('\n');
  const room = createRoom(limit - closing.length - 300);
  room.add(`${commentMark}\n${headLines(finished, digest).join('\n')}\n`);
  addGuilty(finished, digest, room);
  addTried(finished, digest, room);
  addHunks(digest, room);
  addNotes(digest, room);
  addNarrowed(finished, digest, room);
  room.add(`\n#### Not tested\n\n${untestedLines(finished, digest).join('\n')}\n`);
  room.add(`\nIt ${escapeMarkup(spentLine(tally, digest))}.\n`);
  await addConversations(finished, digest, room);
  const left = room.leftOut();
  return `${room.text()}\n${left === '' ? '' : `Left out for want of room: ${left}. `}${closing}\n`;
}

function headLines(
  { record, tally, decision }: FinishedBisect,
  { strategy, takenBack }: BisectDigest,
): string[] {
  const { started, planned, diff } = record;
  const { good, bad, of, split } = planned;
  const begunAs = strategy === planned.strategy ? '' : ` (begun as ${planned.strategy})`;
  const { found } = tally;
  const watched = record.watched().map((one) => markdownCode(watchedText(one)));
  const reasons = found?.reasons ?? decision.reasons;
  return [
    `### evalrun bisect ${markdownCode(started.suite)}`,
    '',
    `**${escapeMarkup(inline(found?.headline ?? decision.headline))}**`,
    '',
    `Which of the ${countOf(diff.hunks.length, 'change')} from ${endText(good)} to ${endText(bad)} makes ${watched.join(' or ')} fail?`,
    '',
    ...reasons.map((reason) => `- ${markdownCode(reason)}`),
    ...(takenBack ? [`- ${markdownCode(takenBackLine(takenBack))}`] : []),
    '',
    `On ${markdownCode(started.plan.conditions[1]?.model ?? '')}, strategy ${strategy}${begunAs}, cut by ${split}, seed ${markdownCode(started.seed)}${of === undefined ? '' : `; what is watched was confirmed as a regression by run ${markdownCode(of)}`}.`,
    ...(isSimulatedRun(started) ? ['', `*${simulatedNotice}*`] : []),
    ...(started.label === undefined ? [] : ['', `Label ${markdownCode(started.label)}`]),
    ...(started.note === undefined ? [] : ['', `Note ${markdownCode(started.note)}`]),
  ];
}

function endText({ name, path, commit }: FinishedBisect['record']['planned']['good']): string {
  const where = commit === undefined ? path : `${path} at ${commit.slice(0, 12)}`;
  return `${markdownCode(name)} (${markdownCode(where)})`;
}

/** The words that are blamed, as diffs. */
function addGuilty({ record }: FinishedBisect, { hunks }: BisectDigest, room: Room): void {
  const names = { good: record.planned.good.name, bad: record.planned.bad.name };
  for (const { hunk, number, belief } of hunks.filter(({ isGuilty }) => isGuilty)) {
    const believed = belief === undefined ? '' : `, guilty with ${formatBelief(belief)}`;
    room.add(
      `\n#### Hunk ${number}, ${hunk.kind}${believed}\n\n${markdownBlock([...hunkLines(hunk, names)], 'diff')}\n`,
      'hunks',
    );
  }
}

/** How both ends did, and B without what was found. */
function addTried({ record }: FinishedBisect, { ends, narrowed }: BisectDigest, room: Room): void {
  const { good, bad } = record.planned;
  const table = [
    '\n#### What passed\n',
    ...tableHead('prompt', 'all graded trials', 'confirmation, in turns', 'cure check'),
  ];
  room.add(`${table.join('\n')}\n`, 'tables');
  room.add(tableRow([markdownCode(good.name), counts(ends.good), '', '']));
  const confirmation = narrowed?.confirmation;
  room.add(
    tableRow([markdownCode(bad.name), counts(ends.bad), confirmation ? counts(confirmation.bad) : '', '']),
  );
  if (!narrowed) return;
  room.add(
    tableRow([
      markdownCode(narrowed.name),
      counts(narrowed.all),
      counts(narrowed.confirmation.narrowed),
      counts(narrowed.cure),
    ]),
  );
}

function addHunks({ hunks }: BisectDigest, room: Room): void {
  const table = [
    `\n#### Every hunk (${hunks.length})\n`,
    ...tableHead(
      '',
      'change',
      'lines',
      'belief',
      'bad without it',
      'between, with it',
      'between, without it',
      '',
    ),
  ];
  room.add(`${table.join('\n')}\n`, 'tables');
  for (const standing of hunks) {
    const { number, hunk, belief, alone, applied, reverted } = standing;
    const cells = [
      String(number),
      `${hunk.kind}: ${markdownCode(hunk.title)}`,
      `${hunk.lineA} → ${hunk.lineB}`,
      belief === undefined ? '' : formatBelief(belief),
      counts(alone),
      counts(applied),
      counts(reverted),
      standingWord(standing),
    ];
    room.add(tableRow(cells), 'hunks');
  }
  room.add(`\n${columnsLine}\n`, 'tables');
}

/** What the columns of the hunks count. */
const columnsLine =
  'Each count is graded trials that passed: of the bad prompt without this hunk and what hangs on it, and of all prompts between the two that hold some of the hunks, those with this one and those without it.';

/** What a person wrote down on the way. */
function addNotes({ notes }: BisectDigest, room: Room): void {
  if (notes.length > 0) room.add('\n#### Notes\n\n', 'notes');
  for (const { hunk, text } of notes)
    room.add(`- ${hunk === undefined ? '' : `hunk ${hunk}: `}${markdownCode(text)}\n`, 'notes');
}

function standingWord({ isGuilty, isTested, word, needs }: HunkStanding): string {
  const words = [
    isGuilty && '**guilty**',
    word !== undefined && (word === 'skipped' ? 'skipped' : `a person says ${word}`),
    !isTested && 'not tested apart',
    needs.length > 0 && `needs ${needs.join(', ')}`,
  ];
  return words.filter((one) => one !== false).join(', ');
}

/** The cure: its text as a diff, and what else it does. */
function addNarrowed({ record, written }: FinishedBisect, { narrowed }: BisectDigest, room: Room): void {
  if (!narrowed) return;
  const { good, bad } = record.planned;
  const { name, text } = narrowed;
  const where = written === undefined ? '' : `, in ${markdownCode(written)}`;
  const diff = markdownBlock(unifiedLines(bad, { name, text }), 'diff');
  room.add(`\n#### The narrowed prompt: ${markdownCode(name)}${where}\n\n${diff}\n`, 'diffs');
  const suite = narrowed.suite.filter(({ run }) => run > 0);
  if (suite.length === 0) return;
  const failing = suite.filter(({ passed, of }) => passed < of);
  const ungraded = suite.filter(({ of }) => of === 0);
  const fine = suite.length - failing.length - ungraded.length;
  room.add(`\nThe rest of the suite on it: ${fine} of ${countOf(suite.length, 'scenario')} pass.\n`);
  for (const one of failing) {
    const rerun = escapeMarkup(inline(rerunText(one, good.name)));
    room.add(`- fails there: ${markdownCode(one.scenario)}, passed ${rerun}\n`, 'scenarios');
  }
  for (const { scenario } of ungraded)
    room.add(`- could not be graded there: ${markdownCode(scenario)}\n`, 'scenarios');
}

function untestedLines({ record, tally }: FinishedBisect, { hunks, narrowed }: BisectDigest): string[] {
  const untested = hunks.filter(({ isTested }) => !isTested).map(({ number }) => number);
  const { found } = tally;
  const lines = [
    untested.length > 0 &&
      `never tried apart from some other hunk: ${untested.map((one) => `hunk ${one}`).join(', ')}`,
    narrowed && narrowed.cure.of === 0 && 'whether the narrowed prompt cures beyond its confirmation',
    narrowed?.suite.some(({ run }) => run === 0) && 'what else the narrowed prompt changes in the suite',
    found === undefined && 'it was left before it came to an answer',
    `scenarios and checks that are not watched say nothing about hunks, nor do drops of the pass rate under ${smallestDropPoints} points, for which nothing is looked`,
    record.planned.watched.length > 1 && 'what is watched was taken as one outcome, not one by one',
  ];
  return lines.filter((line) => typeof line === 'string').map((line) => `- ${escapeMarkup(line)}`);
}

/** A conversation that fails on the bad prompt, and one that passes: on the narrowed prompt, else on the good one. */
async function addConversations(
  { record, tally, journal }: FinishedBisect,
  { narrowed }: BisectDigest,
  room: Room,
): Promise<void> {
  const passing = narrowed && record.conditionOf(narrowed.candidate);
  const [good, bad] = record.started.plan.conditions.map(({ id }) => id);
  const readTrial = createTrialReader(journal);
  const chosen = [
    { title: 'Fails', outcome: 'fail' as const, conditions: [bad] },
    { title: 'Passes', outcome: 'pass' as const, conditions: [passing, good] },
  ];
  for (const { title, outcome, conditions } of chosen) {
    const found = findCell({ record, tally }, outcome, conditions);
    const condition = tally.conditions.find(({ id }) => id === found?.group.condition);
    const excerpt = found && condition && (await readExcerpt(readTrial, { condition, ...found }));
    if (excerpt && condition)
      room.add(excerptText(excerpt, `${title}, on ${markdownCode(condition.promptName)}: `), 'conversations');
  }
}

function findCell(
  { record, tally }: Pick<FinishedBisect, 'record' | 'tally'>,
  outcome: 'pass' | 'fail',
  conditions: readonly (string | undefined)[],
): { row: ScenarioTally; group: CellGroup; cell: Cell } | undefined {
  const watched = record.watched();
  for (const wanted of conditions) {
    for (const trial of record.trials) {
      if (trial.condition !== wanted || trial.purpose.kind === 'suite' || record.outcomeOf(trial) !== outcome)
        continue;
      // Of several conversations the one that failed.
      const told = trial.cells.find(
        ({ key, checks }) =>
          outcome === 'pass' ||
          watched.some(
            ({ scenario, check }) =>
              scenario === key.scenario &&
              (check === undefined ? [...checks.values()].includes('fail') : checks.get(check) === 'fail'),
          ),
      );
      const row = told && tally.rowById.get(told.key.scenario);
      const group = row?.groups.find((one) => one.condition === wanted);
      const cell = group?.cells.find(({ repeat }) => repeat === told?.key.repeat);
      if (row && group && cell) return { row, group, cell };
    }
  }
  return undefined;
}

function goOnLines({ record, tally, program, written }: FinishedBisect): string[] {
  const { runId, suite } = record.started;
  const again = `${program} bisect --resume ${runId}`;
  const lines = [`Look at it again with ${markdownCode(again)}.`];
  if (tally.found?.finding.kind === 'hunks') {
    lines.push(
      written === undefined
        ? `Write the narrowed prompt with ${markdownCode(`${again} --write`)}, and run the suite on it.`
        : `Run the suite on the narrowed prompt with ${markdownCode(`${program} run ${suite} --candidate ${written}`)}.`,
    );
  }
  if (tally.found === undefined) lines.push('That goes on with it.');
  if (tally.found?.finding.kind === 'inconclusive')
    lines.push(`Go on with more trials: ${markdownCode(`${again} --budget N`)}.`);
  return lines;
}

/** `5/6`; empty where nothing was graded. */
function counts({ passed, of }: PassRate): string {
  return of === 0 ? '' : `${passed}/${of}`;
}
