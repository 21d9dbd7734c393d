import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { makeSchema } from '../../source/commands/schema.js';
import { decide } from '../../source/compare/gate.js';
import { defaultGate } from '../../source/project/gate-settings.js';
import { annotationsOf } from '../../source/report/github.js';
import type { FinishedRun } from '../../source/report/reporter.js';
import type { QuarantineEntry } from '../../source/run/planned.js';
import { feedOf, finished, plannedScenario, runStarted, trialKey } from '../tally/support.js';
import { emptyJournal, hostile, reportOf, unsafe } from './support.js';

const junit = readFileSync(new URL('../../docs/schemas/junit.xsd', import.meta.url), 'utf8');

function entry(scenario: string, more: Partial<QuarantineEntry> = {}): QuarantineEntry {
  return {
    scenario,
    owner: 'Ada',
    reason: 'the model is unsure',
    since: '1969-12-20',
    until: '1970-01-20',
    evidence: ['20261130-142530-k3fz'],
    ...more,
  };
}

/** `refund` fails whole, `order / d` fails, and all else passes. */
function run(quarantine: QuarantineEntry[]): FinishedRun {
  const planned = ['refund', 'order', 'greeting'].map((id) => plannedScenario(id, ['c', 'd']));
  const feed = feedOf({ ...runStarted(planned), quarantine });
  for (const { id } of planned) {
    for (const repeat of [1, 2, 3]) {
      const fails = ['fail', 'promises money back'] satisfies ['fail', string];
      feed.trial(trialKey(id, repeat), {
        c: id === 'refund' ? fails : 'pass',
        d: id === 'greeting' ? 'pass' : fails,
      });
    }
  }
  feed.tell(finished());
  return { tally: feed.tally, decision: decide(feed.tally, defaultGate), place: emptyJournal() };
}

const both = [entry('refund'), entry('order', { check: 'd' })];

describe('what is quarantined', () => {
  it('stands apart in the closing lines, with what it came to, until when and whose it is', async () => {
    const text = await reportOf('plain', [run(both)]);
    expect(text).toMatch(/^\(fail\) {3}refund /m);
    expect(text).toMatch(/^PASS {5}order /m);
    expect(text).not.toMatch(/^FAIL/m);
    expect(text).toContain('quarantined: shown, and counted in no verdict');
    expect(text).toContain(
      '  refund / all checks   0 of 2 pass   until 1970-01-20, Ada: the model is unsure',
    );
    expect(text).toContain('  order / d   fail 0/3   until 1970-01-20, Ada: the model is unsure');
    expect(text).toContain(
      'quarantined: 3 checks of 2 scenarios, of which 3 fail: refund / c, refund / d, order / d',
    );
  });

  it('is told in JSON by entry, scenario and check, as its schema says', async () => {
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const validate = ajv.compile(await makeSchema('report'));
    const report = JSON.parse(await reportOf('json', [run(both)]));
    validate(report);
    expect(validate.errors).toBeNull();
    const [told] = report.runs;
    expect(told).toMatchObject({ verdict: 'pass', quarantined: 1, verdicts: { pass: 2, fail: 0 } });
    expect(told.quarantine[1]).toMatchObject({
      scenario: 'order',
      check: 'd',
      expired: false,
      checks: [{ check: 'd', verdict: 'fail', passed: 0, of: 3 }],
    });
    const flags = told.scenarios.map(
      (one: { quarantined: boolean; conditions: { checks: { quarantined: boolean }[] }[] }) => [
        one.quarantined,
        ...(one.conditions[0]?.checks ?? []).map((check) => check.quarantined),
      ],
    );
    expect(flags).toEqual([
      [true, true, true],
      [false, false, true],
      [false, false, false],
    ]);
  });

  it('is skipped in JUnit where it does not pass, and a failure nowhere', async () => {
    const xml = await reportOf('junit', [run(both)]);
    const { errors } = await validateXML({
      xml: [{ fileName: 'report.xml', contents: xml }],
      schema: [junit],
    });
    expect(errors).toEqual([]);
    expect(xml).toContain('failures="0" errors="0" skipped="3"');
    expect(xml).toContain('<skipped message="quarantined: fail, passed 0 of 3: promises money back"/>');
  });

  it('has a table of its own in Markdown, a count, and no annotation', async () => {
    const text = await reportOf('markdown', [run(both)]);
    expect(text).toContain('#### Quarantined: shown, and counted in no verdict (2)');
    expect(text).toMatch(
      /order<.*> \| <code>d<.*> \| fail 0\/3 \| 1970-01-20 \| <code>Ada<.*>the model is unsure</,
    );
    expect(text).toContain('scenarios: 2 pass, 1 quarantined');
    expect(text).not.toContain('#### Fails');
    expect([...annotationsOf(run(both))]).toEqual([]);
  });

  it('is shouted at where its time is over', async () => {
    const old = [entry('refund', { until: '1969-12-31' })];
    expect(await reportOf('plain', [run(old)])).toContain('EXPIRED 1969-12-31, Ada');
    expect(await reportOf('markdown', [run(old)])).toContain('**EXPIRED 1969-12-31**');
    expect(await reportOf('plain', [run(old)])).toContain('quarantine-expired: refund / all checks');
  });

  it('can say nothing that a terminal, a log or a page obeys', async () => {
    const told = run([entry('refund', { owner: hostile, reason: hostile, until: '1969-12-31' })]);
    for (const name of ['plain', 'json', 'junit', 'markdown'] as const)
      expect(await reportOf(name, [told])).not.toMatch(unsafe);
  });
});
