import type { z } from 'zod';
import type { JsonObject } from '../base/json.js';
import type { TurnSelector } from './types.js';

/** What loading has to know of one type of check. A `CheckDefinition` of `grade/` is one. */
export interface CheckEntry {
  /** Of the arguments alone; strict. */
  schema: z.ZodType;
  /** Judged checks need a judge in the suite. */
  kind?: 'hard' | 'judged';
  /** One sentence, for the JSON Schema. */
  summary?: string;
  /** The part of a made-up id that tells this check from others of its type. */
  mainArgument(args: JsonObject): string;
  /** Mistakes that the schema cannot see. `suiteFolder`, absolute, holds the files that the check names. */
  validate?(args: JsonObject, suiteFolder?: string): { path: (string | number)[]; message: string }[];
  defaultOn?: TurnSelector;
  absoluteByDefault?: boolean;
}

/**
 * The types of checks that exist. Loading a suite needs them, and they are defined in `grade/`, which stands
 * above: so the table is handed in.
 */
export interface CheckCatalogue {
  types(): string[];
  find(type: string): CheckEntry | undefined;
}
