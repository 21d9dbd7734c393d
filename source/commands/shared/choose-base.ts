import path from 'node:path';
import { readTextFile } from '../../base/document.js';
import { InputError, UserError } from '../../base/errors.js';
import { sha256 } from '../../base/hash.js';
import { listed, quote } from '../../base/quote.js';
import { baselineEvidence } from '../../compare/baseline-evidence.js';
import { baselinePath, findBaseline, namedByFile, parseBaseline } from '../../compare/baseline-file.js';
import { differentParts } from '../../compare/differences.js';
import type { Evidence } from '../../compare/types.js';
import type { Project } from '../../project/config.js';
import { shownPath } from '../../project/paths.js';
import { loadPrompt, type PromptVersion } from '../../project/prompts.js';
import { createCondition } from '../../run/identity.js';
import type { Condition, PlannedBase } from '../../run/planned.js';
import { promptOf } from '../../suite/target.js';
import type { Suite } from '../../suite/types.js';

/** What the line says of the base: a prompt version, a baseline file, nothing at all (`false`), or nothing. */
export type WantedBase = string | false | undefined;

/** What a candidate is compared with. */
export interface ChosenBase {
  /** A condition of its own, and whether it only stands by. Not set: what the baseline was made with cannot be had. */
  condition?: { prompt: PromptVersion; standby: boolean };
  /** Set where a stored baseline is used. */
  stored?: { evidence: Evidence; text: string; file: string };
  /** Why a baseline that is there is not used; for people. */
  note?: string;
}

export interface BaseQuestion {
  project: Project;
  suite: Suite;
  candidate: Condition;
  /** The candidate was asked for: it is a version that is not deployed. */
  isAsked: boolean;
  wanted: WantedBase;
  /** Paths that the line names start here. */
  cwd: string;
  liveTools: boolean;
}

/**
 * Chooses what a candidate is compared with. A file that was named is taken as it is. A prompt that was named, or the
 * deployed one where a candidate was asked for, is run beside the candidate, unless a baseline of just that condition
 * is stored. Without either the stored baseline of the suite and model is taken, if there is one. Throws UserError and
 * InputError for what cannot be read.
 */
export async function chooseBase(question: BaseQuestion): Promise<ChosenBase | undefined> {
  const { project, suite, candidate, wanted } = question;
  if (wanted === false) return undefined;
  if (wanted !== undefined && isBaselineFile(wanted))
    return takeStored(question, path.resolve(question.cwd, wanted));
  const place = await findBaseline(project, suite.name, candidate);
  const name = promptOf(suite);
  if (wanted !== undefined || question.isAsked) {
    if (name === undefined) {
      throw new UserError(
        `the suite ${quote(suite.name)} names no prompt that --baseline could be a version of; name a baseline file, as in ${shownPath(project.root, baselinePath(project, suite.name, 'MODEL'))}`,
      );
    }
    const prompt = await loadPrompt(project, name, wanted ?? 'deployed');
    const condition = createCondition('b', prompt, candidate.model, suite.target, question);
    if (wanted === undefined && condition.hash === candidate.hash && !place) return undefined;
    if (!place) return { condition: { prompt, standby: false } };
    const stored = await readStored(project, place.path);
    const parts = differentParts(stored.evidence.condition.parts, condition.parts);
    if (parts.length === 0) return { condition: { prompt, standby: true }, stored };
    return {
      condition: { prompt, standby: false },
      note: `${stored.file} is of another condition (${listed(parts, 'and')}): ${prompt.name} is run beside the candidate`,
    };
  }
  return place && takeStored(question, place.path);
}

/** A prompt is Markdown or text: what ends like YAML is a baseline. */
function isBaselineFile(wanted: string): boolean {
  return /\.ya?ml$/.test(wanted);
}

async function takeStored({ project, suite }: BaseQuestion, file: string): Promise<ChosenBase> {
  const stored = await readStored(project, file);
  if (stored.evidence.suite !== suite.name) {
    throw new UserError(
      `${stored.file} is a baseline of the suite ${quote(stored.evidence.suite)}, and ${quote(suite.name)} is run`,
    );
  }
  const prompt = await promptOfThen(project, suite, stored.evidence.condition);
  return prompt ? { stored, condition: { prompt, standby: true } } : { stored };
}

async function readStored(project: Project, file: string): Promise<NonNullable<ChosenBase['stored']>> {
  const shown = shownPath(project.root, file);
  const { text, problems } = await readTextFile(file, shown);
  if (text === undefined) throw new InputError(problems);
  return {
    evidence: baselineEvidence(await parseBaseline(text, shown, namedByFile(project, file))),
    text,
    file: shown,
  };
}

/** The prompt of a condition of the past, as its file or its commit still says it; undefined where neither does. */
export async function promptOfThen(
  project: Project,
  suite: Suite,
  { promptPath, promptSha256, promptCommit }: Condition,
): Promise<PromptVersion | undefined> {
  const name = promptOf(suite);
  if (name === undefined || promptPath === undefined) return undefined;
  const places = [promptPath, ...(promptCommit === undefined ? [] : [`${promptCommit}:${promptPath}`])];
  for (const place of places) {
    const prompt = await loadPrompt(project, name, place).catch(() => undefined);
    if (prompt?.sha256 === promptSha256) return prompt;
  }
  return undefined;
}

/** How the journal names what was chosen. */
export function plannedBase(chosen: ChosenBase | undefined, id: string): PlannedBase | undefined {
  if (!chosen) return undefined;
  const { stored, condition } = chosen;
  if (!stored) return { kind: 'condition', condition: id };
  return {
    kind: 'baseline',
    file: stored.file,
    sha256: sha256(stored.text),
    ...(condition && { condition: id }),
  };
}
