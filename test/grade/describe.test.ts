import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeChecks } from '../../source/grade/describe.js';
import { checkCatalogue, checkDefinitions } from '../../source/grade/registry.js';

describe('the documentation of the checks', () => {
  it('is what the definitions say today', async () => {
    await expect(describeChecks()).toMatchFileSnapshot('../../docs/checks.md');
  });

  it.each(checkDefinitions)('gives an example of $type that is accepted as it stands', (definition) => {
    const args = definition.schema.parse(definition.example);
    expect(definition.validate?.(args) ?? []).toEqual([]);
    expect(definition.mainArgument(args)).not.toBe('');
  });
});

describe('the registry', () => {
  it('has every type once, and finds it', () => {
    const types = checkCatalogue.types();
    expect(new Set(types).size).toBe(types.length);
    for (const type of types) expect(checkCatalogue.find(type)).toMatchObject({ type });
    expect(checkCatalogue.find('tool_caled')).toBeUndefined();
  });

  it.each(checkDefinitions)(
    'has a schema of $type that an editor can read and that explains each argument',
    (definition) => {
      const schema = z.toJSONSchema(definition.schema, { io: 'input' });
      expect(schema.additionalProperties).toBe(false);
      const properties = Object.entries(schema.properties ?? {});
      expect(properties.length).toBeGreaterThan(0);
      for (const [name, property] of properties) expect(property, name).toHaveProperty('description');
    },
  );

  it.each(checkDefinitions)('refuses an argument of $type that does not exist', (definition) => {
    const result = definition.schema.safeParse({ ...definition.example, tols: 1 });
    expect(result.error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: ['tols'] }]);
  });
});
