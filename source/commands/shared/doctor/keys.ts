import { UserError } from '../../../base/errors.js';
import { listed } from '../../../base/quote.js';
import type { Project } from '../../../project/config.js';
import type { Suite } from '../../../suite/types.js';
import { keyNotes } from '../notes.js';
import { variablesOf } from '../target-files.js';
import { type Finding, fail, ok, warn } from './finding.js';

/**
 * Whether each variable is set that suites take keys or other values from. Names alone: no value is looked at but for
 * being there.
 */
export function keyFindings(suites: readonly Suite[], project: Project, env: NodeJS.ProcessEnv): Finding[] {
  const needed = new Map<string, string[]>();
  const findings: Finding[] = [];
  for (const suite of suites) {
    try {
      for (const name of variablesOf(suite, project))
        needed.set(name, [...(needed.get(name) ?? []), suite.name]);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      findings.push(fail('key', error.message, 'evalrun check names the place'));
    }
  }
  for (const [name, names] of needed) {
    const who = listed(names);
    findings.push(
      (env[name] ?? '').trim() === ''
        ? fail(
            'key',
            `${name} is not set; ${who} ${names.length === 1 ? 'needs' : 'need'} it`,
            `export ${name}=…`,
          )
        : ok('key', `${name} is set, for ${who}`),
    );
  }
  const odd = keyNotes(project, env).map((note) =>
    warn('key', note.replace(/^warning: /, ''), 'take a longer key, or look well at what is shared'),
  );
  if (findings.length === 0 && suites.length > 0) findings.push(ok('key', 'no suite needs one'));
  return [...findings, ...odd];
}
