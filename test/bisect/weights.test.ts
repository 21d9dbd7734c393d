import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffPrompts } from '../../source/bisect/hunks.js';
import { hunkWeights } from '../../source/bisect/weights.js';
import { root } from '../commands/support.js';

const hunk = (oldText: string, newText: string) => ({ oldText, newText });
const nothing = { check: [], scenario: [] };

describe('how suspicious hunks are before any trial', () => {
  it('is told by the rare words that a hunk shares with the check', () => {
    const hunks = [
      hunk('Be friendly.', 'Be warm.'),
      hunk('Offer a certificate after a change.', 'Offer a certificate.'),
      hunk('Say goodbye.', 'Wish a good day.'),
    ];
    const prompt = hunks.map(({ newText }) => newText).join('\n');
    const [warm = 0, certificate = 0, goodbye = 0] = hunkWeights(hunks, prompt, {
      check: ['tool_not_called-send_certificate', '{"tool":"sendCertificates"}'],
      scenario: [],
    });
    expect(certificate).toBeGreaterThan(2 * warm);
    expect(certificate).toBeGreaterThan(2 * goodbye);
  });

  it('counts words of the conversation half, and common ones hardly', () => {
    const hunks = [hunk('', 'refunds'), hunk('', 'delays'), hunk('', 'customer')];
    const prompt = 'refunds\ndelays\ncustomer one\ncustomer two\ncustomer three\n';
    const [check = 0, conversation = 0, common = 0] = hunkWeights(hunks, prompt, {
      check: ['refund', 'customer'],
      scenario: ['My flight is delayed'],
    });
    expect(check).toBeGreaterThan(conversation);
    expect(conversation).toBeGreaterThan(common);
  });

  it('is told by size alone where no word is shared', () => {
    expect(
      hunkWeights(
        [hunk('one', 'two'), hunk('', 'one two three four five'), hunk('a b', 'a  b')],
        '',
        nothing,
      ),
    ).toEqual([1.12, 1.2, 1]);
    expect(hunkWeights([hunk('the same', 'the  same')], 'the  same', nothing)).toEqual([1]);
  });

  it('names the guilty hunks of the shipped candidate first', () => {
    const [good, bad] = ['v14', 'v15'].map((name) =>
      readFileSync(path.join(root, `prompts/support-agent/${name}.md`), 'utf8'),
    ) as [string, string];
    const { hunks } = diffPrompts(good, bad, 'hunk');
    const first = (check: string) => {
      const weights = hunkWeights(hunks, bad, { check: [check], scenario: [] });
      return hunks[weights.indexOf(Math.max(...weights))]?.title;
    };
    expect(first('tool_not_called-send_certificate {"tool":"send_certificate"}')).toMatch(
      /certificate|confirmed/,
    );
    expect(first('the complete reservation is repeated before it is changed')).toMatch(
      /^repeat the complete/,
    );
  });

  it('is mild, whatever the texts are', () => {
    const text = fc.string({ unit: fc.constantFrom('refund', 'flight', 'x', ' ', '\n', '_', 'é', '退款') });
    fc.assert(
      fc.property(
        fc.array(fc.record({ oldText: text, newText: text }), { minLength: 1, maxLength: 8 }),
        text,
        text,
        (hunks, prompt, words) => {
          const weights = hunkWeights(hunks, prompt, { check: [words], scenario: [words] });
          expect(weights).toHaveLength(hunks.length);
          for (const weight of weights) {
            expect(weight).toBeGreaterThanOrEqual(1);
            expect(weight).toBeLessThanOrEqual(3);
          }
        },
      ),
    );
  });
});
