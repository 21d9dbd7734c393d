import { expect, test } from 'vitest';
import { filterScenarios, type ScenarioFilter } from '../../source/suite/filter.js';
import { load } from './project.js';

const files = {
  'suites/support/scenarios/a.yaml': [
    '- {id: refund-late, tags: [refund, tools], message: x}',
    '- {id: refund-early, tags: [refund], message: x}',
    '- {id: pricing, tags: [tools], message: x}',
    '- {id: "odd*", message: x}',
    '- {id: oddity, message: x}',
    '',
  ].join('\n'),
};

async function ids(filter: ScenarioFilter): Promise<string[]> {
  return filterScenarios(await load(files), filter).map(({ id }) => id);
}

test('no filter takes all scenarios in their order', async () => {
  expect(await ids({})).toEqual(['refund-late', 'refund-early', 'pricing', 'odd*', 'oddity']);
  expect(await ids({ scenario: [], tag: [] })).toHaveLength(5);
});

test.each([
  [{ scenario: ['refund-*'] }, ['refund-late', 'refund-early']],
  [{ scenario: ['pricing', 'refund-lat?'] }, ['refund-late', 'pricing']],
  [{ scenario: ['odd*'] }, ['odd*']],
  [{ scenario: ['odd**'] }, ['odd*', 'oddity']],
  [{ scenario: ['*i*'] }, ['pricing', 'oddity']],
  [{ scenario: ['re*-*t*'] }, ['refund-late']],
  [{ scenario: ['?????y'] }, ['oddity']],
  [{ tag: ['refund'] }, ['refund-late', 'refund-early']],
  [{ tag: ['refund', 'tools'] }, ['refund-late', 'refund-early', 'pricing']],
  [{ scenario: ['*early', 'pricing'], tag: ['tools'] }, ['pricing']],
])('%j takes %j', async (filter, expected) => {
  expect(await ids(filter)).toEqual(expected);
});

test.each([
  [
    { scenario: ['refnd-late'] },
    'no scenario of support is named by "refnd-late"; did you mean "refund-late"?',
  ],
  [
    { scenario: ['pricing', 'zzz*'] },
    /no scenario of support is named by "zzz\*"; known scenarios: "refund-late"/,
  ],
  [{ scenario: ['refund.late'] }, /is named by "refund\.late"; did you mean "refund-late"\?/],
  [{ tag: ['refnd'] }, 'no scenario of support has the tag "refnd"; did you mean "refund"?'],
  [
    { scenario: ['*early'], tag: ['tools'] },
    'no scenario of support fits all of --scenario "*early" and --tag "tools"',
  ],
])('%j is an error that says what there is', async (filter, expected) => {
  await expect(ids(filter)).rejects.toThrow(expected);
});

test('many stars take no longer than few', async () => {
  const long = 'a'.repeat(200);
  const suite = await load({ 'suites/support/scenarios/a.yaml': `- {id: ${long}, message: x}\n` });
  const before = performance.now();
  expect(() => filterScenarios(suite, { scenario: [`${'*a'.repeat(40)}*b`] })).toThrow(
    'no scenario of support',
  );
  expect(filterScenarios(suite, { scenario: ['*a'.repeat(40)] })).toHaveLength(1);
  expect(performance.now() - before).toBeLessThan(5000);
});
