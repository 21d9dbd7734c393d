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

/** Number of the hunk that makes refunds fail, as people count. */
export const guiltyHunk = 4;

/**
 * The fixture project with two prompts between which five hunks lie; under the second the simulated model always promises
 * money back, and never under the first.
 */
export function bisectProject(): TinyProject {
  const project = tinyProject();
  for (const [side, file] of ['v3.md', 'v4.md'].entries()) {
    const text = paragraphs.map((versions) => versions[side]).join('\n\n');
    writeFileSync(path.join(project.folder, 'prompts/tiny', file), `${text}\n`);
  }
  const config = path.join(project.folder, '.evalrc.json');
  const settings = JSON.parse(readFileSync(config, 'utf8'));
  settings.prompts.tiny = { deployed: 'prompts/tiny/v3.md', candidate: 'prompts/tiny/v4.md' };
  writeFileSync(config, JSON.stringify(settings));
  return project;
}

/** The same with answers that take their time, so that it can be interrupted. */
export function slowBisectProject(): TinyProject {
  const project = bisectProject();
  const simulated = path.join(project.folder, 'simulated/tiny.yaml');
  writeFileSync(simulated, readFileSync(simulated, 'utf8').replace('firstTokenMs: 0', 'firstTokenMs: 150'));
  return project;
}

/** A copy of a run's folder elsewhere, as on another machine. */
export function copyRun(folder: string, to: string): string {
  const target = path.join(to, path.basename(folder));
  cpSync(folder, target, { recursive: true });
  return target;
}
