import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TinyProject, tinyProject } from './support.js';

const paragraphs = [
  ['You answer for a shop.', 'You answer for a little shop.'],
  ['Keep it short.', 'Keep it very short.'],
  ['Ask for the number of the order.', 'Ask for the order number.'],
  ['Refunds are made within 30 days.', 'Be generous with refunds.'],
  ['Say goodbye.', 'Say goodbye and thank them.'],
] as const;

/** How many hunks lie between v3 and v4. */
export const hunkCount = paragraphs.length;
/** Number of the hunk that makes refunds fail, as people count. */
export const guiltyHunk = 4;

const textOf = (side: (hunk: number) => 0 | 1) =>
  `${paragraphs.map((versions, at) => versions[side(at + 1)]).join('\n\n')}\n`;

/** v4 without the guilty hunk. */
export const narrowedText = textOf((hunk) => (hunk === guiltyHunk ? 0 : 1));

/**
 * Gives a copy of the fixture project two prompts between which hunks lie; under the second the simulated model always
 * promises money back, and never under the first.
 */
export function addPrompts(folder: string): void {
  writeFileSync(
    path.join(folder, 'prompts/tiny/v3.md'),
    textOf(() => 0),
  );
  writeFileSync(
    path.join(folder, 'prompts/tiny/v4.md'),
    textOf(() => 1),
  );
  const config = path.join(folder, '.evalrc.json');
  const settings = JSON.parse(readFileSync(config, 'utf8'));
  settings.prompts.tiny = { deployed: 'prompts/tiny/v3.md', candidate: 'prompts/tiny/v4.md' };
  writeFileSync(config, JSON.stringify(settings));
}

/** Lets the answers of a copy of the fixture project take their time, so that it can be interrupted. */
export function slowDown(folder: string, firstTokenMs: number): void {
  const simulated = path.join(folder, 'simulated/tiny.yaml');
  const text = readFileSync(simulated, 'utf8');
  writeFileSync(simulated, text.replace('firstTokenMs: 0', `firstTokenMs: ${firstTokenMs}`));
}

/** The fixture project with both prompts. */
export function bisectProject(): TinyProject {
  const project = tinyProject();
  addPrompts(project.folder);
  return project;
}

export function slowBisectProject(): TinyProject {
  const project = bisectProject();
  slowDown(project.folder, 150);
  return project;
}

/** A copy of a run's folder elsewhere, as on another machine. */
export function copyRun(folder: string, to: string): string {
  const target = path.join(to, path.basename(folder));
  cpSync(folder, target, { recursive: true });
  return target;
}
