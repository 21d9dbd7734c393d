import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatProblem } from '../../source/base/errors.js';
import { findTemplateProblems, renderTemplate } from '../../source/suite/template.js';
import type { Profile } from '../../source/suite/types.js';

const values = {
  tenant: 'acme',
  variables: { plan: 'standard', seats: 3, trial: false },
  profile: {
    name: 'Rosa',
    facts: ['bought 45 days ago', 'is angry'],
    details: { age: 40, pets: ['cat', 'dog'] },
  },
};

describe('a template', () => {
  test.each([
    ['{{tenant}} has {{ variables.seats }} seats: {{variables.trial}}', 'acme has 3 seats: false'],
    ['{{profile.name}}, {{profile.age}}:\n{{profile.facts}}', 'Rosa, 40:\nbought 45 days ago\nis angry'],
    ['{{profile.pets}}', 'cat\ndog'],
    ['\\{{tenant}} and \\{{{x}}}', '{{tenant}} and {{{x}}}'],
    ['{{{tenant}}}', '{acme}'],
    ['{tenant} {# x #} {% y %} }} {{', '{tenant} {# x #} {% y %} }} {{'],
  ])('%j becomes %j', (text, expected) => {
    expect(renderTemplate(text, values)).toBe(expected);
  });

  test('fills in whatever text a value is, once and as it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('', '{{tenant}}', '$&', '$1', '\\{{'),
        (a, b) => {
          const tenant = a + b;
          expect(renderTemplate('<{{tenant}}>', { tenant, variables: {} })).toBe(`<${tenant}>`);
        },
      ),
    );
  });

  test('without a value for a name is an error and not an empty text', () => {
    expect(() => renderTemplate('a {{variables.plna}}', values)).toThrow(
      'the prompt names {{variables.plna}}, which has no value',
    );
    expect(() => renderTemplate('{{constructor}} {{toString}}', values)).toThrow('{{constructor}}');
  });
});

test('names that some scenarios have no value for are told with their place and a few of the scenarios', () => {
  const scenario = (id: string, variables: Record<string, string>) => ({ id, variables });
  const problems = findTemplateProblems('one\n  {{variables.plan}} {{plan}}\n', 'p.md', [
    scenario('a', { plan: 'x' }),
    ...['b', 'c', 'd', 'e', 'f'].map((id) => scenario(id, {})),
  ]);
  expect(problems.map(formatProblem)).toEqual([
    'p.md:2:3: {{variables.plan}} has no value in scenarios "b", "c", "d" and 2 more',
    'p.md:2:22: {{plan}} is no name that a scenario gives a value; did you mean {{variables.plan}}?',
  ]);
});

test('a template is without problems exactly when it can be rendered for every scenario', () => {
  const name = fc.constantFrom('tenant', 'variables.a', 'variables.b', 'profile.facts', 'x', '');
  const scenario = fc.record(
    {
      id: fc.string(),
      tenant: fc.string(),
      variables: fc.dictionary(fc.constantFrom('a', 'b'), fc.string()),
      profile: fc.constant<Profile>({ facts: [] }),
    },
    { requiredKeys: ['id', 'variables'] },
  );
  fc.assert(
    fc.property(fc.array(name), fc.array(scenario, { minLength: 1, maxLength: 3 }), (names, scenarios) => {
      const text = names.map((each) => `{{${each}}}`).join(' ');
      const canRender = scenarios.every((each) => {
        try {
          renderTemplate(text, each);
          return true;
        } catch {
          return false;
        }
      });
      expect(findTemplateProblems(text, 'p', scenarios).length === 0).toBe(canRender);
    }),
  );
});
