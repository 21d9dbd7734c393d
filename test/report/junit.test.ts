import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { decide } from '../../source/compare/gate.js';
import { defaultGate } from '../../source/project/gate-settings.js';
import type { FinishedRun } from '../../source/report/reporter.js';
import { xmlAttribute, xmlText } from '../../source/report/xml-text.js';
import {
  feedOf,
  finished,
  plannedCondition,
  plannedScenario,
  runStarted,
  trialKey,
} from '../tally/support.js';
import { change, comparison, emptyJournal, hostile, reportOf, unsafe } from './support.js';

const schema = readFileSync(new URL('../../docs/schemas/junit.xsd', import.meta.url), 'utf8');

async function mistakes(xml: string): Promise<readonly string[]> {
  const { errors } = await validateXML({
    xml: [{ fileName: 'report.xml', contents: xml }],
    schema: [schema],
  });
  return errors.map(({ message }) => message);
}

/** `name result` of each test case. */
function casesOf(xml: string): string[] {
  const cases = xml.matchAll(/<testcase classname="([^"]*)" name="([^"]*)"[^>]*?(?:\/>|><(\w+))/g);
  return Array.from(cases, ([, classname, name, result = 'passed']) => `${classname} ${name} ${result}`);
}

function runOf(ids: string[], conditions = [plannedCondition('a')]): FinishedRun {
  const feed = feedOf(
    runStarted(
      ids.map((id) => plannedScenario(id, ['c', 'd'])),
      3,
      conditions,
    ),
  );
  for (const condition of conditions) {
    for (const id of ids) {
      for (const repeat of [1, 2, 3]) {
        const key = trialKey(id, repeat, condition.id);
        if (id === 'broken') feed.errored(key, hostile);
        else if (id === 'unclear') feed.trial(key, { c: ['unknown', hostile], d: 'pass' });
        else feed.trial(key, { c: id === 'fails' ? ['fail', hostile] : 'pass', d: 'pass' });
      }
    }
  }
  feed.tell(finished());
  const decision = decide(feed.tally, { ...defaultGate, minCoverage: 0 });
  return { tally: feed.tally, decision, place: emptyJournal() };
}

it('says how far its judge can be trusted, and nothing where no judge was asked', async () => {
  const run = runOf(['passes']);
  const notes = ['judge default@1 on openai:x: agrees with 2 of 2 labels', 'read the answers yourself'];
  const xml = await reportOf('junit', [{ ...run, judgeNotes: notes }]);
  expect(xml).toContain(`<property name="calibration" value="${notes.join('; ')}"/>`);
  expect(await mistakes(xml)).toEqual([]);
  expect(await reportOf('junit', [run])).not.toContain('calibration');
});

it('fits the schema whatever the run holds', async () => {
  const conditions = [plannedCondition('a'), plannedCondition('b', { promptName: hostile })];
  const runs = [runOf(['passes', 'fails', 'broken', 'unclear']), runOf(['passes', hostile], conditions)];
  const xml = await reportOf('junit', runs);
  expect(await mistakes(xml)).toEqual([]);
  expect(xml).not.toMatch(unsafe);
  expect(xml).not.toMatch(/^\s*::/m);
});

it('has a case a criterion and one for the gate, and fails where the gate does', async () => {
  expect(casesOf(await reportOf('junit', [runOf(['passes', 'fails'])]))).toEqual([
    'tiny.passes c passed',
    'tiny.passes d passed',
    'tiny.fails c failure',
    'tiny.fails d passed',
    'tiny gate failure',
  ]);
  expect(casesOf(await reportOf('junit', [runOf(['passes', 'unclear'])])).slice(2)).toEqual([
    'tiny.unclear c error',
    'tiny.unclear d passed',
    'tiny gate error',
  ]);
});

it('of what fails, only what blocks is a failure', async () => {
  const run = runOf(['passes', 'fails']);
  const decision = { ...run.decision, exitCode: 0 as const, verdict: 'pass' as const };
  const known = { ...run, decision, comparison: comparison([change('fails')]) };
  expect(casesOf(await reportOf('junit', [known]))[2]).toBe('tiny.fails c skipped');
  const blocking = [
    { by: 'hard-criteria' as const, scenario: 'fails', check: 'c', text: 'fails / c: regression' },
  ];
  const proved = { ...known, decision: { ...run.decision, blocking } };
  expect(casesOf(await reportOf('junit', [proved]))[2]).toBe('tiny.fails c failure');
  expect(await reportOf('junit', [proved])).toContain('message="fails / c: regression"');
});

it('counts what it lists', async () => {
  const xml = await reportOf('junit', [runOf(['passes', 'fails', 'broken'])]);
  expect(xml).toMatch(/tests="7" failures="2" errors="2" skipped="0"/);
  expect(xml.match(/<failure /g)).toHaveLength(2);
  expect(xml.match(/<error /g)).toHaveLength(2);
});

it('any text comes out of XML as it was made visible', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 40 }), async (text) => {
      const xml = `<?xml version="1.0" encoding="UTF-8"?><a b="${xmlAttribute(text)}">${xmlText(text)}</a>`;
      const { valid, rawOutput } = await validateXML({
        xml: [{ fileName: 'a.xml', contents: xml }],
        schema: [
          '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a"><xs:complexType><xs:simpleContent><xs:extension base="xs:string"><xs:attribute name="b" type="xs:string"/></xs:extension></xs:simpleContent></xs:complexType></xs:element></xs:schema>',
        ],
      });
      expect({ valid, rawOutput, text }).toMatchObject({ valid: true });
    }),
    { numRuns: 15 },
  );
});
