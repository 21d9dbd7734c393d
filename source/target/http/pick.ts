import { UserError } from '../../base/errors.js';
import type { Json } from '../../base/json.js';
import { compileJsonPath } from '../../base/json-path/compile.js';
import { JsonPathError } from '../../base/json-path/types.js';
import { jsonPathMistake } from '../../suite/http-mistakes.js';
import { TargetError } from '../types.js';

/** A JSONPath, read once. Gives every value that it finds, in order. */
export interface Pick {
  path: string;
  from(value: Json): Json[];
}

/** Reads a JSONPath (RFC 9535). `where` names its key in the error. Throws UserError; `from` throws TargetError. */
export function compilePick(path: string, where: string): Pick {
  const mistake = jsonPathMistake(path);
  if (mistake !== undefined) throw new UserError(`${where}: ${mistake}`);
  const compiled = compileJsonPath(path);
  return {
    path,
    from: (value) => {
      try {
        return compiled.select(value);
      } catch (error) {
        if (error instanceof JsonPathError) throw new TargetError('other', `${where}: ${error.message}`);
        throw error;
      }
    },
  };
}
