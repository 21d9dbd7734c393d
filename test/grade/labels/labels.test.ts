import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../../source/base/errors.js';
import { measureAgreement } from '../../../source/grade/labels/agreement.js';
import { calibrationOf, calibrationText } from '../../../source/grade/labels/calibration.js';
import { readLabels } from '../../../source/grade/labels/load.js';
import { rubricHash, verdictOn } from '../../../source/grade/labels/rubric-hash.js';
import type { Label } from '../../../source/grade/labels/types.js';
import {
  appendLabel,
  labelText,
  type NewLabel,
  removeLabel,
  replaceJudged,
} from '../../../source/grade/labels/write.js';
import { noUsage } from '../../../source/model/types.js';
import type { ReplyPart } from '../../../source/target/types.js';

function newLabel(rubric: string, parts: ReplyPart[], more: Partial<NewLabel> = {}): NewLabel {
  const check = {
    id: 'x',
    type: 'judge',
    args: { rubric, min_score: 4 },
    place: { file: 'l', line: 1, column: 1 },
  };
  const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n');
  return {
    check,
    rubric: rubricHash(check),
    turns: [
      {
        index: 1,
        message: 'refund?',
        reply: { parts, text, usage: noUsage, steps: 1, stop: 'end', model: '' },
        ms: 0,
      },
    ],
    expected: verdictOn(check, 2),
    ...more,
  };
}

/** Without what depends on the place in a file. */
function content({ place: _, check, ...label }: Label | (NewLabel & { place?: unknown })) {
  return { ...label, check: { type: check.type, args: check.args } };
}

const said = (text: string): ReplyPart[] => [{ kind: 'text', text }];
const label = (more: Partial<Label>): Label => ({
  ...newLabel('Offers store credit.', said('No.')),
  place: { file: 'l.yaml', line: 1, column: 1 },
  ...more,
});
const judge = { model: 'simulated:judge', sha256: 'abcdef0123456789' };
const judged = { model: judge.model, prompt: 'default@1', sha256: 'abcdef012345' };

describe('a labels file', () => {
  it('remembers that a label was not given blind', async () => {
    const text = await labelText(newLabel('Offers store credit.', said('No.'), { isSighted: true }));
    expect(text).toContain('\nblind: false\n');
    const [read] = await readLabels(text, 'l.yaml');
    expect(read?.isSighted).toBe(true);
    const [blind] = await readLabels(await labelText(newLabel('Offers credit.', said('No.'))), 'l.yaml');
    expect(blind?.isSighted).toBeUndefined();
  });

  it('gives back every label that was written to it, whatever was said', async () => {
    const anyText = fc
      .string({ unit: 'binary', maxLength: 60 })
      .filter((text) => !/\p{Surrogate}/u.test(text));
    const line = anyText.map((text) => `r${text}`);
    const part = fc.oneof(
      anyText.map((text): ReplyPart => ({ kind: 'text', text })),
      fc.record({ result: fc.jsonValue({ maxDepth: 2 }).filter(hasPlainKeys), id: anyText }).map(
        ({ result, id }): ReplyPart => ({
          kind: 'tool',
          call: {
            name: 'get_order',
            args: { id },
            result: JSON.parse(JSON.stringify(result)),
            from: 'fixture',
          },
        }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        line,
        fc.array(part, { minLength: 1, maxLength: 3 }),
        anyText,
        async (rubric, parts, note) => {
          const written = [
            newLabel(rubric, parts, { note }),
            newLabel('Another.', said('yes'), { by: 'ada', at: '2026-11-30' }),
          ];
          let text = '';
          for (const one of written) text = appendLabel(text, await labelText(one));
          const read = await readLabels(text, 'l.yaml');
          expect(read.map(content)).toEqual(written.map(content));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('keeps data with a key that no file may have as its JSON', async () => {
    const data = '{"__proto__":{"a":1}}';
    const args = JSON.parse(data);
    const parts: ReplyPart[] = [
      { kind: 'tool', call: { name: 'get_order', args, result: args, from: 'fixture' } },
    ];
    const [read] = await readLabels(appendLabel('', await labelText(newLabel('Kind.', parts))), 'l.yaml');
    expect(read?.turns[0]?.reply.parts).toMatchObject([{ call: { args: data, result: data } }]);
  });

  it('names all its mistakes at once, at their places', async () => {
    const text = [
      '---',
      'check: {type: judge, rubrik: Offers store credit.}',
      'transcript: []',
      'expected: maybe',
      '---',
      'check: {type: pattern_present, pattern: x}',
      'transcript: [{user: hi, agent: [{speak: hello}]}]',
      'expected: pass',
      '---',
      'transcript: [{user: hi, agent: hello}]',
      'expected: 4',
    ].join('\n');
    const error = await readLabels(text, 'l.yaml').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InputError);
    const found = (error as InputError).problems.map(({ line, message }) => `${line}: ${message}`);
    expect(found).toEqual([
      expect.stringMatching(/^2: unknown key "rubrik"/),
      expect.stringMatching(/^3: /),
      expect.stringMatching(/^4: expected pass, fail, or a score/),
      expect.stringMatching(/^6: no judge is asked/),
      expect.stringMatching(/^7: unknown key "speak"/),
      expect.stringMatching(/^10: missing key "check"/),
    ]);
  });

  it('names a merge that was left half done as the one mistake that it is', async () => {
    const one = await labelText(newLabel('One.', said('a')));
    const two = await labelText(newLabel('Two.', said('b')));
    const text = `<<<<<<< HEAD\n${one}=======\n${two}>>>>>>> theirs\n`;
    const error = await readLabels(text, 'l.yaml').catch((thrown: unknown) => thrown);
    expect((error as InputError).problems).toEqual([
      {
        file: 'l.yaml',
        line: 1,
        column: 1,
        message: 'a merge conflict stands in the file; keep both sides, each label once',
      },
    ]);
  });

  it('refuses a label whose check was changed after it was given', async () => {
    const text = (await labelText(newLabel('Offers store credit.', said('No.')))).replace(
      'store credit',
      'money back',
    );
    await expect(readLabels(text, 'l.yaml')).rejects.toThrow('the check was changed after it was labelled');
  });

  it('is changed at its end alone, and a label can be taken back', async () => {
    const [first, second] = [
      await labelText(newLabel('One.', said('a'))),
      await labelText(newLabel('Two.', said('b'))),
    ];
    const start = `# mine\n\n${first}# kept\n`;
    const both = appendLabel(start, second);
    expect(both).toBe(start + second);
    expect(removeLabel(both, second)).toBe(start);
    expect(removeLabel(start, second)).toBeUndefined();
    expect(removeLabel(both.replace('Two.', 'Three.'), second)).toBeUndefined();
  });

  it('takes what the judge says without touching anything else', async () => {
    const hand = [
      '# a remark',
      '---',
      'check: {type: refusal}   # flow style',
      "transcript: [{user: 'hi', agent: 'no'}]",
      'expected: pass',
      '# a remark of the first',
      '---',
      'judged:',
      '  {model: old, prompt: default@1, sha256: abcdef012345, verdict: fail}',
      'check:',
      '  type: refusal',
      'transcript: [{user: hi, agent: yes}]',
      'expected: fail',
      '',
    ].join('\n');
    const labels = await readLabels(hand, 'l.yaml');
    const answers = [
      { ...judged, pass: true },
      { ...judged, pass: 'unknown' as const },
    ];
    const text = replaceJudged(hand, labels, answers);
    expect((await readLabels(text, 'l.yaml')).map((one) => one.judged)).toEqual(answers);
    const kept = (whole: string) => whole.split('\n').filter((line) => !/judged:|model: old/.test(line));
    expect(kept(text)).toEqual(kept(hand));
    expect(replaceJudged(text, await readLabels(text, 'l.yaml'), answers)).toBe(text);
  });

  it('may hold nothing yet', async () => {
    expect(await readLabels('# only a remark\n---\n', 'l.yaml')).toEqual([]);
  });

  it('is shipped with labels of both kinds', async () => {
    const labels = await readLabels(
      readFileSync('judges/default.labels.yaml', 'utf8'),
      'default.labels.yaml',
    );
    expect(labels.filter(({ expected }) => !expected.pass).length).toBeGreaterThan(4);
    expect(labels.length).toBeGreaterThan(19);
  });
});

describe('what a rubric is', () => {
  const hashOf = (args: object) => rubricHash({ type: 'judge', args: args as Label['check']['args'] });

  it('does not change with the score that is needed, but with whether there is one', () => {
    expect(hashOf({ rubric: 'a', min_score: 3 })).toBe(hashOf({ min_score: 4, rubric: 'a' }));
    expect(hashOf({ rubric: 'a' })).not.toBe(hashOf({ rubric: 'a', min_score: 3 }));
  });

  it('changes with its words and with the fact', () => {
    expect(hashOf({ rubric: 'a' })).not.toBe(hashOf({ rubric: 'b' }));
    expect(hashOf({ rubric: 'a' })).not.toBe(hashOf({ rubric: 'a', fact: 'x' }));
  });
});

describe('agreement', () => {
  const right = { pass: true, score: 5 };
  const wrong = { pass: false, score: 1 };

  it('counts an unknown of the judge as no agreement', () => {
    const { agreed, cases, table, scores } = measureAgreement([
      { expected: right, judged: { pass: true, score: 4 } },
      { expected: wrong, judged: { pass: 'unknown' } },
      { expected: wrong, judged: { pass: true, score: 5 } },
    ]);
    expect({ agreed, cases }).toEqual({ agreed: 1, cases: 3 });
    expect(table).toEqual({ pass: { pass: 1, fail: 0, unknown: 0 }, fail: { pass: 1, fail: 0, unknown: 1 } });
    expect(scores).toEqual({ cases: 2, equal: 0, within1: 1 });
  });
});

describe('calibration', () => {
  it('is of the rubric, the prompt and the model that were held against labels', () => {
    const labels = [
      label({ judged: { ...judged, pass: false, score: 2 } }),
      label({
        ...newLabel('Offers store credit.', said('Yes.')),
        expected: { pass: true, score: 5 },
        judged: { ...judged, pass: true, score: 4 },
      }),
    ];
    const { rubric } = label({});
    expect(calibrationText(calibrationOf(labels, rubric, judge))).toMatch(
      /^agrees with 2 of 2 labels, kappa 1.00/,
    );
    const other = { ...judge, sha256: '0000000000000000' };
    expect(calibrationText(calibrationOf(labels, rubric, other))).toBe(
      'uncalibrated: the judge or its prompt changed since it was held against the labels',
    );
    expect(calibrationOf(labels, rubric, { ...judge, model: 'openai:x' }).kind).toBe('uncalibrated');
  });

  it('tells a rubric that changed from one that nobody labelled', () => {
    const from = { suite: 's', scenario: 'one', check: 'c' };
    const labels = [label({ from, judged: { ...judged, pass: true } })];
    expect(calibrationText(calibrationOf(labels, 'another', judge, from))).toBe(
      'uncalibrated: the rubric changed since it was labelled',
    );
    expect(calibrationText(calibrationOf(labels, 'another', judge, { ...from, scenario: 'two' }))).toBe(
      'uncalibrated: nobody labelled this rubric',
    );
  });

  it('is measured by blind labels alone, and says so where there are no others', () => {
    const agreed = { expected: { pass: true }, judged: { ...judged, pass: true } };
    const sighted = label({ ...agreed, isSighted: true });
    expect(calibrationText(calibrationOf([sighted], sighted.rubric, judge))).toBe(
      "uncalibrated: all labels were given with the judge's verdict in view",
    );
    const blind = label({ expected: { pass: false }, judged: { ...judged, pass: true } });
    const found = calibrationOf([sighted, blind], blind.rubric, judge);
    expect(found).toMatchObject({ kind: 'calibrated', agreement: { cases: 1, agreed: 0 } });
  });

  it('says that there is no kappa where every label has one verdict', () => {
    const labels = [label({ judged: { ...judged, pass: false } })];
    expect(calibrationText(calibrationOf(labels, label({}).rubric, judge))).toBe(
      'agrees with 1 of 1 label, no kappa: there is one verdict only',
    );
  });
});

function hasPlainKeys(value: unknown): boolean {
  return !JSON.stringify(value).includes('"__proto__":');
}
