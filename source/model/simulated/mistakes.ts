import { RE2JS } from 're2js';
import { isJsonObject } from '../../base/json.js';
import { explainRefusal, findControlCharacter } from '../../base/pattern-mistakes.js';
import { quote } from '../../base/quote.js';
import { makeVisible } from '../../base/text.js';
import { isSectionName } from './sections.js';

/** Keys and indices from the top of a file to a value in it. */
export type FilePath = (string | number)[];

/** A mistake that the schema of the file cannot see. */
export interface Mistake {
  path: FilePath;
  /** The key at the end of the path is wrong, not its value. */
  isKey?: boolean;
  message: string;
}

type Report = (path: FilePath, message: string, isKey?: boolean) => void;

/** Ids that this program gives itself. */
const reservedIds = ['otherwise'];

function entriesOf(value: unknown): [string, unknown][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

function itemsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function memberOf(value: unknown, key: string): unknown {
  return isJsonObject(value) ? value[key] : undefined;
}

function has(value: unknown, key: string): boolean {
  return memberOf(value, key) !== undefined;
}

function checkPattern(pattern: unknown, path: FilePath, report: Report): void {
  if (typeof pattern !== 'string') return;
  try {
    RE2JS.compile(pattern);
  } catch (error) {
    report(path, makeVisible(explainRefusal(pattern, error)));
    return;
  }
  const mistake = findControlCharacter(pattern);
  if (mistake !== undefined) report(path, mistake);
}

function checkTextCondition(condition: unknown, path: FilePath, report: Report): void {
  if (isJsonObject(condition) && Object.keys(condition).length === 0) {
    report(path, 'the condition asks for nothing; give at least one of has, lacks, matches, is');
  }
  const patterns = memberOf(condition, 'matches');
  checkPattern(patterns, [...path, 'matches'], report);
  for (const [at, pattern] of itemsOf(patterns).entries()) {
    checkPattern(pattern, [...path, 'matches', at], report);
  }
}

function checkTurn(turn: unknown, path: FilePath, report: Report): void {
  if (!isJsonObject(turn)) return;
  const { min, max } = turn;
  if (min === undefined && max === undefined) report(path, 'give min, max or both');
  if (typeof min === 'number' && typeof max === 'number' && min > max) {
    report(path, `no number of user messages is at least ${min} and at most ${max}`);
  }
}

function checkCondition(when: unknown, path: FilePath, report: Report): void {
  if (!isJsonObject(when)) return;
  if (Object.keys(when).length === 0) {
    report(path, 'the conditions are empty and always hold; what answers everything else is `otherwise`');
  }
  for (const key of ['prompt', 'user', 'conversation']) {
    checkTextCondition(when[key], [...path, key], report);
  }
  const sections = entriesOf(when.section);
  if (isJsonObject(when.section) && sections.length === 0) {
    report([...path, 'section'], 'name the sections that are asked for');
  }
  for (const [name, condition] of sections) {
    if (!isSectionName(name)) {
      const why = `no section can be named ${quote(name)}; a tag is letters, digits, "-" and "_"`;
      report([...path, 'section', name], why, true);
    }
    checkTextCondition(condition, [...path, 'section', name], report);
  }
  checkTurn(when.turn, [...path, 'turn'], report);
}

function checkSteps(steps: unknown, path: FilePath, report: Report): void {
  const list = itemsOf(steps);
  for (const [at, step] of list.entries()) {
    if (!isJsonObject(step)) continue;
    const here = [...path, at];
    const callsTools = has(step, 'call') || has(step, 'calls');
    if (!callsTools && !has(step, 'say')) report(here, 'the step does nothing; give say, call or calls');
    if (has(step, 'call') && has(step, 'calls')) {
      report([...here, 'calls'], 'give call for one tool or calls for several, not both', true);
    }
    if (has(step, 'args') && !has(step, 'call')) report([...here, 'args'], 'args belong to a call', true);
    if (!callsTools && at + 1 < list.length) {
      report(here, 'a step that calls no tool ends the turn; the steps after it are never reached');
    }
  }
}

/** Of a rule, a turn of a replay, or `otherwise`. */
function checkAnswer(answer: unknown, path: FilePath, report: Report): void {
  if (!isJsonObject(answer)) return;
  if (has(answer, 'steps') === has(answer, 'do')) {
    report(path, 'give exactly one of steps (always done) and do (alternatives to draw from)');
  }
  checkSteps(answer.steps, [...path, 'steps'], report);
  for (const [at, alternative] of itemsOf(answer.do).entries()) {
    const here = [...path, 'do', at];
    checkCondition(memberOf(alternative, 'when'), [...here, 'when'], report);
    checkSteps(memberOf(alternative, 'steps'), [...here, 'steps'], report);
  }
}

function checkOtherwise(otherwise: unknown, report: Report): void {
  checkAnswer(otherwise, ['otherwise'], report);
  const alternatives = itemsOf(memberOf(otherwise, 'do'));
  if (alternatives.length > 0 && alternatives.every((alternative) => has(alternative, 'when'))) {
    report(
      ['otherwise', 'do'],
      'one alternative must have no conditions, so that there is always something to answer',
    );
  }
}

function checkIds(value: unknown, report: Report): void {
  const seen = new Set(reservedIds);
  for (const key of ['rules', 'replays']) {
    for (const [at, entry] of itemsOf(memberOf(value, key)).entries()) {
      const id = memberOf(entry, 'id');
      if (typeof id !== 'string') continue;
      const path = [key, at, 'id'];
      if (reservedIds.includes(id)) report(path, `the id "${id}" is taken by the part of that name`);
      else if (seen.has(id))
        report(path, `the id ${quote(id)} is used twice; ids name draws and must be unique`);
      seen.add(id);
    }
  }
}

/**
 * Everything that is wrong with a file of behaviours beyond the shape of its parts; `value` need not have the
 * right shape, so that both kinds of mistakes are reported together. `name` is the one that the file's name asks for.
 */
export function findMistakes(value: unknown, name: string): Mistake[] {
  const mistakes: Mistake[] = [];
  const report: Report = (path, message, isKey = false) => mistakes.push({ path, message, isKey });
  const written = memberOf(value, 'name');
  if (typeof written === 'string' && written !== name) {
    report(['name'], `the name must be that of the file, ${quote(name)}`);
  }
  checkIds(value, report);
  for (const [at, rule] of itemsOf(memberOf(value, 'rules')).entries()) {
    checkCondition(memberOf(rule, 'when'), ['rules', at, 'when'], report);
    checkAnswer(rule, ['rules', at], report);
  }
  for (const [at, replay] of itemsOf(memberOf(value, 'replays')).entries()) {
    for (const [turn, answer] of itemsOf(memberOf(replay, 'turns')).entries()) {
      checkAnswer(answer, ['replays', at, 'turns', turn], report);
    }
  }
  checkOtherwise(memberOf(value, 'otherwise'), report);
  return mistakes;
}
