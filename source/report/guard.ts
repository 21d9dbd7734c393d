import { listed } from '../base/quote.js';
import { makeVisible } from '../base/text.js';
import { shellQuote } from '../compare/baseline-save.js';
import { type GuardChange, type GuardChanges, isRefused, type RecordedBless } from '../compare/guard.js';

/** What the guard found in one commit, or in what is about to be one. */
export interface GuardFinding {
  /** Not set: what is staged. */
  commit?: string;
  subject?: string;
  /** It is the commit that is checked out. */
  isHead: boolean;
  changes: GuardChanges;
  /** Blesses whose reason is not in the commit's message. */
  unexplained: RecordedBless[];
  /** Blesses by the author of the prompt's last edit. */
  own: RecordedBless[];
  /** Files that could not be read as they were before, so that nothing is said of them. */
  unread: string[];
}

/** Whether a finding stops the commit. `secondReviewer`: a bless by the author of the prompt's edit does. */
export function stops({ changes, own }: GuardFinding, secondReviewer: boolean): boolean {
  return isRefused(changes) || (secondReviewer && own.length > 0);
}

/** Rows that are printed of one side before the rest is counted. */
const mostRows = 12;

export function guardLines(finding: GuardFinding, secondReviewer: boolean): string[] {
  const { changes, unexplained, own, commit, subject, unread } = finding;
  const what = commit === undefined ? 'what is staged' : `${commit.slice(0, 9)} (${subject ?? ''})`;
  const lines: string[] = [];
  if (isRefused(changes)) {
    lines.push(
      `REFUSED: ${what} changes a prompt and what it is held against; nobody could say any more which of them moved a result`,
      ...rows('prompt', changes.prompts),
      ...rows('criterion', changes.criteria),
      ...splitLines(finding),
    );
  }
  if (own.length > 0) {
    const names = listed(own.map(({ name }) => name));
    const prompts = listed([...new Set(own.map(({ prompt }) => prompt ?? ''))]);
    lines.push(
      `${secondReviewer ? 'REFUSED' : 'note'}: ${what} blesses ${names}, by the author of the last edit of ${prompts}; ${secondReviewer ? 'this project wants a second reviewer' : 'have somebody else look at it'}`,
    );
  }
  for (const { name, reason } of unexplained)
    lines.push(`note: ${what} blesses ${name} and its message does not say why: ${reason}`);
  for (const file of unread) lines.push(`note: ${file} could not be read as it was before ${what}`);
  return lines.map((line) => makeVisible(line));
}

function rows(side: string, changes: readonly GuardChange[]): string[] {
  const texts = collapsed(changes);
  const shown = texts.slice(0, mostRows).map((text) => `  ${side.padEnd(9)}  ${text}`);
  return texts.length > mostRows
    ? [...shown, `  ${''.padEnd(9)}  … and ${texts.length - mostRows} more`]
    : shown;
}

/** A check of the whole suite is one change and not one a scenario. */
function collapsed(changes: readonly GuardChange[]): string[] {
  const groups = new Map<string, GuardChange[]>();
  for (const change of changes) {
    const group = change.shared ?? change.key;
    groups.set(group, [...(groups.get(group) ?? []), change]);
  }
  return Array.from(groups, ([group, members]) =>
    members.length > 1 ? `${group} in ${members.length} scenarios` : (members[0]?.text ?? group),
  );
}

/** How one commit becomes two, in lines that can be pasted. */
function splitLines({ commit, isHead, changes }: GuardFinding): string[] {
  const files = changes.prompts.flatMap((change) =>
    change.path === undefined ? [] : [shellQuote(change.path)],
  );
  const two = [`  git commit -m 'Prompt: …' -- ${files.join(' ')}`, "  git commit -m 'Criteria: …'"];
  if (commit === undefined)
    return ['make two commits of it, the prompt apart (git add -p where both stand in one file):', ...two];
  const undo = isHead
    ? ['  git reset --soft HEAD^']
    : [`  git rebase -i ${commit.slice(0, 9)}^   # mark it "edit"`, '  git reset --soft HEAD^'];
  return [
    'make two commits of it, the prompt apart (git add -p where both stand in one file):',
    ...undo,
    ...two,
    ...(isHead ? [] : ['  git rebase --continue']),
  ];
}

/** The same for programs. */
export function guardFacts(finding: GuardFinding, secondReviewer: boolean) {
  const { commit, subject, changes, unexplained, own } = finding;
  return {
    commit: commit ?? 'staged',
    ...(subject !== undefined && { subject }),
    isRefused: stops(finding, secondReviewer),
    prompts: changes.prompts.map(({ text }) => text),
    criteria: changes.criteria.map(({ kind, text }) => ({ kind, text })),
    blesses: changes.blesses.map(({ key, name, reason, file }) => ({
      name,
      reason,
      file,
      isExplained: !unexplained.some((one) => one.key === key),
      isByAuthorOfPrompt: own.some((one) => one.key === key),
    })),
  };
}
