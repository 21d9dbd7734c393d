import { z } from 'zod';
import { hasTuning } from './tuning.js';

/** What stands for a number or a text that the product is asked for. */
function reference() {
  return z.strictObject({
    tuning: z
      .string()
      .regex(/^\$/, { error: 'expected a JSONPath, which begins with $' })
      .describe('JSONPath into the tuning values of the product.'),
  });
}

/**
 * The same schema, which takes `{tuning: $.path}` wherever it takes a number or a text, but for the arguments that are
 * named in `except`. Values without such a reference are parsed by the schema itself, so that mistakes in them read
 * as if there were no references; JSON Schemas that are made from the result show both.
 */
export function withTuning(schema: z.ZodType, except: readonly string[] = []): z.ZodType {
  const tunable = takeReferences(schema, except);
  if (tunable === schema) return schema;
  const { run } = tunable._zod;
  // The one place where zod decides how a value is parsed.
  tunable._zod.run = (payload, context) =>
    hasTuning(payload.value) ? run(payload, context) : schema._zod.run(payload, context);
  return tunable;
}

function takeReferences(schema: z.ZodType, except: readonly string[]): z.ZodType {
  const inner = (one: unknown) => takeReferences(one as z.ZodType, []);
  if (schema instanceof z.ZodString || schema instanceof z.ZodNumber)
    return described(z.union([z.core.clone(schema), reference()]), schema);
  if (schema instanceof z.ZodObject) {
    const shape = Object.fromEntries(
      Object.entries(schema.shape as Record<string, z.ZodType>).map(([key, member]) => [
        key,
        except.includes(key) ? member : inner(member),
      ]),
    );
    return rebuilt(schema, { shape });
  }
  if (schema instanceof z.ZodArray) return rebuilt(schema, { element: inner(schema.element) });
  if (schema instanceof z.ZodRecord) return rebuilt(schema, { valueType: inner(schema.valueType) });
  if (schema instanceof z.ZodUnion) return rebuilt(schema, { options: schema.options.map(inner) });
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  )
    return rebuilt(schema, { innerType: inner(schema.unwrap()) });
  return schema;
}

/** The schema with some of its parts replaced. */
function rebuilt<T extends z.ZodType>(schema: T, parts: object): z.ZodType {
  return described(z.core.clone(schema, { ...schema._zod.def, ...parts }), schema);
}

function described(schema: z.ZodType, as: z.ZodType): z.ZodType {
  const meta = as.meta();
  return meta ? schema.meta(meta) : schema;
}
