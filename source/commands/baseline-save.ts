import type { ExitCode } from '../base/errors.js';
import { makeVisible } from '../base/text.js';
import { shellQuote } from '../compare/baseline-save.js';
import { loadProject } from '../project/config.js';
import type { CommandIo } from './io.js';
import { agreed } from './shared/ask.js';
import { writeLines } from './shared/output.js';
import { type ProposedRun, proposeBaseline } from './shared/propose-baseline.js';

export interface BaselineSaveArgs extends ProposedRun {
  /** Nobody is asked. */
  yes?: boolean;
}

/**
 * `evalrun baseline save`: counts a run in the baseline of its suite and model, after showing what that changes. Exit code
 * 2 where the run is no evidence, a failing check was not named, or nobody agreed.
 */
export async function baselineSaveCommand(args: BaselineSaveArgs, io: CommandIo): Promise<ExitCode> {
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  const proposal = await proposeBaseline(args, project, io);
  if (proposal.kind === 'counted') {
    await writeLines(io.stdout, [proposal.line], io.env);
    return 0;
  }
  await writeLines(io.stdout, proposal.lines, io.env);
  const question = `${proposal.isNew ? 'write' : 'change'} ${makeVisible(proposal.file)}?`;
  if (!(await agreed(args, question, 'nothing was saved; --yes saves it', io))) return 2;
  await proposal.write();
  const file = shellQuote(proposal.file);
  await writeLines(io.stdout, [
    `saved ${proposal.file}; to commit it:`,
    `  git add -- ${file} && git commit -m ${shellQuote(proposal.message)} -- ${file}`,
  ]);
  return 0;
}
