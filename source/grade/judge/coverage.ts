import type { CheckSpec } from '../../suite/types.js';
import { findCheck } from '../registry.js';
import type { JudgeTask } from '../types.js';
import { readInstructions } from './instructions.js';

/**
 * The tasks that checks ask a judge for and that its prompt says nothing about: those checks would be unknown in
 * every trial.
 */
export function tasksWithoutInstructions(
  prompt: { name: string; text: string },
  checks: readonly Pick<CheckSpec, 'type'>[],
): JudgeTask['kind'][] {
  const known = readInstructions(prompt.name, prompt.text);
  const asked = checks.flatMap(({ type }) => findCheck(type)?.asksFor ?? []);
  return [...new Set(asked)].filter((task) => !known.has(task));
}
