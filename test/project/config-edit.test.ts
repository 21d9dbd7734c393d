import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addToConfig } from '../../source/project/config-edit.js';

const agent = { section: 'models', key: 'agent', value: 'simulated:x' };
const prompt = { section: 'prompts', key: 'x', value: { deployed: 'prompts/x/v1.md' } };

describe('an entry of the config', () => {
  it.each([
    ['{}', '{ "models": { "agent": "simulated:x" } }'],
    ['{"models": {}}', '{"models": { "agent": "simulated:x" }}'],
    ['{"models": {"a": "b:c"}}', '{"models": {"a": "b:c", "agent": "simulated:x"}}'],
    [
      '{\n  "models": {\n    "a": "b:}{"\n  },\n  "run": {}\n}\n',
      '{\n  "models": {\n    "a": "b:}{",\n    "agent": "simulated:x"\n  },\n  "run": {}\n}\n',
    ],
    [
      '\ufeff{\r\n\t"project": "\\"p"\r\n}\r\n',
      '\ufeff{\r\n\t"project": "\\"p",\r\n\t"models": { "agent": "simulated:x" }\r\n}\r\n',
    ],
  ])('stands in %j as its neighbours do', (text, expected) => {
    expect(addToConfig(text, [agent])).toBe(expected);
  });

  it('is added to whatever is there, which stays as it was written', () => {
    const names = fc.dictionary(fc.stringMatching(/^[{}"\\a-z é]{1,6}$/), fc.string({ maxLength: 8 }), {
      maxKeys: 4,
    });
    const config = fc.record({ models: names, prompts: names, run: names }, { requiredKeys: [] });
    const layout = fc.constantFrom(undefined, 2, 4, '\t');
    fc.assert(
      fc.property(config, layout, fc.boolean(), (value, indent, isWindows) => {
        fc.pre(!Object.hasOwn(value.models ?? {}, 'agent') && !Object.hasOwn(value.prompts ?? {}, 'x'));
        const written = JSON.stringify(value, null, indent);
        const text = isWindows ? written.replaceAll('\n', '\r\n') : written;
        const once = addToConfig(text, [agent]);
        expect(JSON.parse(addToConfig(once, [prompt]))).toEqual({
          ...value,
          models: { ...value.models, agent: 'simulated:x' },
          prompts: { ...value.prompts, x: prompt.value },
        });
        // What was there is the beginning and the end of what is there.
        let same = 0;
        while (same < text.length && once[same] === text[same]) same++;
        expect(once.endsWith(text.slice(same))).toBe(true);
      }),
    );
  });
});
