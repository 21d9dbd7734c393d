import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { systemClock } from '../../base/clock.js';
import { InputError } from '../../base/errors.js';
import { sha256 } from '../../base/hash.js';
import type { ChatModel } from '../../model/types.js';
import type { PromptVersion } from '../../project/prompts.js';
import { findTemplateProblems, renderTemplate } from '../../suite/template.js';
import type { PromptTargetSpec, Suite } from '../../suite/types.js';
import { createPromptTarget } from '../../target/prompt.js';
import type { Target } from '../../target/types.js';
import type { Workshop } from './workshop.js';

/** What is tested. Each kind is loaded only when a suite has it. */
export async function openTarget(
  suite: Suite,
  prompt: PromptVersion | undefined,
  model: string,
  { env, open, sources }: Workshop,
): Promise<Target> {
  const { target } = suite;
  switch (target.kind) {
    case 'prompt': {
      if (prompt === undefined) throw new Error(`a prompt target without its prompt: ${suite.name}`);
      return openPromptTarget(suite, target, prompt, await open(model));
    }
    case 'http': {
      const { createHttpTarget } = await import('../../target/http.js');
      return createHttpTarget(target, { env, clock: systemClock });
    }
    case 'command': {
      const { createCommandTarget } = await import('../../target/command.js');
      return createCommandTarget(target, { env, clock: systemClock });
    }
    case 'module': {
      const { createModuleTarget } = await import('../../target/module.js');
      const product = await createModuleTarget(target, { env, clock: systemClock });
      // What it imports in turn is not followed.
      sources[`module ${basename(target.file)}`] = sha256(await readFile(target.file, 'utf8'));
      return product;
    }
  }
}

function openPromptTarget(
  suite: Suite,
  { tools, settings, template }: PromptTargetSpec,
  prompt: PromptVersion,
  model: ChatModel,
): Target {
  const target = (system: string) => createPromptTarget({ model, system, tools, settings });
  if (!template) return target(prompt.text);
  // Loading has looked at the versions that the config names; this may be another.
  const problems = findTemplateProblems(prompt.text, prompt.path, suite.scenarios);
  if (problems.length > 0) throw new InputError(problems);
  return {
    open(request) {
      const { variables = {}, tenant, profile } = request;
      const values = { variables, ...(tenant !== undefined && { tenant }), ...(profile && { profile }) };
      return target(renderTemplate(prompt.text, values)).open(request);
    },
  };
}
