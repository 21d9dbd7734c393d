import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, it } from 'vitest';
import { makeSchema } from '../../source/commands/schema.js';
import { decide } from '../../source/compare/gate.js';
import { defaultGate } from '../../source/project/gate-settings.js';
import type { FinishedRun } from '../../source/report/reporter.js';
import {
  feedOf,
  finished,
  plannedCondition,
  plannedScenario,
  runStarted,
  trialKey,
} from '../tally/support.js';
import { change, comparison, emptyJournal, evidence, hostile, reportOf, unsafe } from './support.js';

function runs(): FinishedRun[] {
  const conditions = [plannedCondition('a'), plannedCondition('b', { liveTools: true, temperature: 0.5 })];
  const feed = feedOf({
    ...runStarted([{ ...plannedScenario('s'), tags: ['t'] }, plannedScenario('broken')], 3, conditions),
    judge: { model: 'simulated:judge', prompt: 'default@1', promptSha256: 'x' },
    git: { commit: 'abc', dirty: true },
    label: 'l',
  });
  for (const condition of ['a', 'b']) {
    feed.trial(trialKey('s', 1, condition), { c: 'pass' });
    feed.trial(trialKey('s', 2, condition), { c: ['fail', hostile] });
    feed.trial(trialKey('s', 3, condition), { c: ['unknown', 'x'] });
    feed.errored(trialKey('broken', 1, condition));
  }
  const decision = decide(feed.tally, { ...defaultGate, minCoverage: 0 });
  const place = emptyJournal();
  const going = { tally: feed.tally, decision, place };
  const over = feedOf(runStarted([plannedScenario('s')]));
  for (const repeat of [1, 2, 3]) over.trial(trialKey('s', repeat), { c: 'fail' });
  over.tell({ type: 'taint', at: 1, kind: 'auth', message: hostile });
  over.tell(finished());
  const changes = [
    change('s', {
      proof: 'confirmed',
      p: 0.01,
      to: evidence(0, 3, { fresh: { passed: 1, of: 6 }, score: 2.5 }),
    }),
    change('s', { direction: 'not-comparable', why: [hostile] }),
  ];
  return [
    going,
    { ...going, tally: over.tally, judgeNotes: ['x'], comparison: comparison(changes, { refused: ['y'] }) },
  ];
}

it('fits the published schema, and holds nothing that a terminal or a CI engine obeys', async () => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(await makeSchema('report'));
  for (const all of [runs(), runs().slice(0, 1)]) {
    const text = await reportOf('json', all);
    expect(text).not.toMatch(unsafe);
    expect(text).not.toMatch(/##\[|##vso|^\s*::/m);
    const report = JSON.parse(text);
    validate(report);
    expect(validate.errors).toBeNull();
    expect(validate({ ...report, format: 2 })).toBe(false);
    expect(validate({ ...report, added: 'later' })).toBe(true);
  }
});

it('says what was seen as it was', async () => {
  const {
    runs: [first],
  } = JSON.parse(await reportOf('json', runs()));
  const [{ checks, trials }] = first.scenarios[0].conditions;
  expect(trials[1].why).toContain(hostile.slice(0, 60));
  expect(checks[0]).toMatchObject({ passed: 1, of: 2, counts: { pass: 1, fail: 1, unknown: 1 } });
});
