import type { CheckDefinition } from './types.js';

/**
 * Gives a definition with arguments of its own the type under which the registry lists it. Sound because the
 * arguments of a `CheckSpec` were parsed by this definition's own schema when the suite was loaded.
 */
export function defineCheck<Args extends object>(definition: CheckDefinition<Args>): CheckDefinition {
  return definition as unknown as CheckDefinition;
}
