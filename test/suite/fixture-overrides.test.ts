import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatProblem, InputError, UserError } from '../../source/base/errors.js';
import { describeMissingFixture } from '../../source/play/missing-fixture.js';
import { applyFixtures } from '../../source/suite/fixture-overrides.js';
import { loadSuite } from '../../source/suite/load.js';
import type { Suite } from '../../source/suite/types.js';
import { createProject, type Files, testCatalogue } from './project.js';

const files: Files = {
  'suites/support/suite.yaml': 'target: {prompt: support, model: agent, tools: tools.yaml}\n',
  'suites/support/tools.yaml': 'tools: [{name: get_order}, {name: find_user}, {name: list_tickets}]\n',
  'suites/support/scenarios/a.yaml': `
- id: refund
  message: hi
  fixtures: {get_order: {status: delivered}, find_user: [{returns: 1}, {error: gone}]}
- {id: a/b, message: hi}
- {id: other, message: hi, fixtures: {get_order: 1}}
`,
};

async function apply(overrides: Files): Promise<{ before: Suite; after: Suite }> {
  const project = await createProject({ ...files, ...overrides });
  const before = await loadSuite(project, 'support', testCatalogue);
  return { before, after: await applyFixtures(before, join(project.root, 'fixtures'), project.root) };
}

async function mistakesOf(overrides: Files): Promise<string[]> {
  try {
    await apply(overrides);
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.problems.map(formatProblem);
    throw error;
  }
}

describe('fixtures of a folder', () => {
  test('stand tool by tool in the place of those of their scenario, and nowhere else', async () => {
    const { before, after } = await apply({
      'fixtures/refund.yaml': 'find_user: {id: 7}\nlist_tickets: [{returns: []}, {returns: [1]}]\n',
      'fixtures/a%2Fb.json': '{"get_order": null}',
      'fixtures/readme.md': 'not one',
    });
    const [refund, ab, other] = after.scenarios;
    expect(refund?.fixtures).toEqual({
      get_order: { kind: 'constant', value: { status: 'delivered' } },
      find_user: { kind: 'constant', value: { id: 7 } },
      list_tickets: { kind: 'rules', rules: [{ returns: [] }, { returns: [1] }] },
    });
    expect(ab?.fixtures).toEqual({ get_order: { kind: 'constant', value: null } });
    expect(other).toBe(before.scenarios[2]);
    expect(before.scenarios[0]?.fixtures).not.toHaveProperty('list_tickets');
  });

  test('make another scenario of one that they change, and the same of one that they do not', async () => {
    const { before, after } = await apply({
      'fixtures/refund.yaml': 'get_order: {status: lost}\n',
      'fixtures/other.yaml': 'get_order: 1\n',
    });
    const hashes = (suite: Suite) => suite.scenarios.map(({ hash }) => hash);
    expect(hashes(after)[0]).not.toBe(hashes(before)[0]);
    expect(hashes(after)[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(hashes(after).slice(1)).toEqual(hashes(before).slice(1));
    const again = await apply({ 'fixtures/refund.yaml': 'get_order: {status: stolen}\n' });
    expect(hashes(again.after)[0]).not.toBe(hashes(after)[0]);
  });

  test('may be pasted as a missing one is printed', async () => {
    const { after } = await apply({
      'fixtures/refund.yaml': `${describeMissingFixture('list_tickets', { id: 7 })}\n`,
    });
    expect(after.scenarios[0]?.fixtures.list_tickets).toEqual({
      kind: 'rules',
      rules: [{ when: { id: 7 }, returns: {} }],
    });
  });
});

describe('a mistake in a folder of fixtures', () => {
  test('is told with all others, at its place', async () => {
    expect(
      await mistakesOf({
        'fixtures/refnd.yaml': 'get_order: 1\n',
        'fixtures/refund.yaml': 'get_oder: 1\nfind_user: [{returns: 1, error: x}]\n',
        'fixtures/other.json': '[1]',
        'fixtures/other.yaml': 'get_order: 2\n',
        'fixtures/a%2Fb.yml': 'get_order: {\n',
      }),
    ).toEqual([
      expect.stringMatching(/^fixtures\/a%2Fb\.yml:2:1: .*check the indentation and the closing bracket$/),
      'fixtures/other.json:1:1: expected what each tool answers, {tool: …}, found a list',
      'fixtures/other.yaml: the fixtures of "other" stand in fixtures/other.json already; keep one of the two files',
      'fixtures/refnd.yaml: support has no scenario "refnd"; did you mean "refund"?',
      'fixtures/refund.yaml:1:1: a fixture of "get_oder", which is no tool of the target; did you mean "get_order"?',
      'fixtures/refund.yaml:2:26: a rule has "returns" or "error", not both: a call has one outcome',
    ]);
  });

  test('is a folder that is not there, or has nothing to give', async () => {
    await expect(apply({})).rejects.toThrow(/^there is no folder of fixtures fixtures; in .* there are/);
    await expect(apply({ 'fixtures/readme.md': 'x' })).rejects.toThrow(
      'the folder fixtures holds no fixtures: there is no file SCENARIO.yaml in it',
    );
    await expect(apply({})).rejects.toThrow(UserError);
  });
});
