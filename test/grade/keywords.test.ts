import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { call, conversation, conversationOf, grade, mistakesOf, unanswered } from './transcripts.js';

const transcript = conversation('We offer store credit.', [call('get_order'), 'A voucher is possible too.']);

describe('keywords_present', () => {
  it('needs each word in at least one of the replies, and points at them', () => {
    expect(grade(transcript, 'keywords_present', { words: ['Store Credit', 'VOUCHER'] })).toEqual({
      verdict: 'pass',
      reason: 'saw "Store Credit", "VOUCHER"',
      evidence: [
        { turn: 1, part: 0, start: 9, end: 21 },
        { turn: 2, part: 1, start: 2, end: 9 },
      ],
    });
  });

  it('names the words that are missing, and quotes the last reply', () => {
    expect(grade(transcript, 'keywords_present', { words: ['voucher', 'money', 'days'] })).toMatchObject({
      verdict: 'fail',
      reason: 'expected "money", "days", saw in the last of 2 replies "A voucher is possible too."',
    });
  });

  it('needs one of them only with any', () => {
    expect(grade(transcript, 'keywords_present', { words: ['money', 'voucher'], any: true }).verdict).toBe(
      'pass',
    );
    expect(grade(transcript, 'keywords_present', { words: ['money', 'days'], any: true })).toMatchObject({
      verdict: 'fail',
      reason: expect.stringMatching(/^expected one of "money", "days"/),
    });
  });

  it('fails on an empty reply, and on one that was cut off before the word', () => {
    expect(grade(conversation(''), 'keywords_present', { words: ['voucher'] })).toMatchObject({
      verdict: 'fail',
      reason: 'expected "voucher", saw an empty reply in turn 1',
    });
    const cutOff = conversationOf([{ said: ['We can offer you a'], stop: 'cut-off' }]);
    expect(grade(cutOff, 'keywords_present', { words: ['voucher'] })).toMatchObject({
      verdict: 'fail',
      reason: expect.stringContaining('(turn 1 was cut off at the token limit)'),
    });
  });
});

describe('keywords_absent', () => {
  it('fails on a word in any reply, and points at each place', () => {
    expect(grade(transcript, 'keywords_absent', { words: ['money', 'voucher', 'credit'] })).toEqual({
      verdict: 'fail',
      reason: 'expected no "credit", saw "We offer store credit." in turn 1',
      evidence: [
        { turn: 1, part: 0, start: 15, end: 21 },
        { turn: 2, part: 1, start: 2, end: 9 },
      ],
    });
  });

  it('passes when the words are not there, though parts of other words are', () => {
    expect(
      grade(conversation('Das kann einen Tag dauern.'), 'keywords_absent', { words: ['ein', 'Tage'] }),
    ).toEqual({
      verdict: 'pass',
      reason: 'none of "ein", "Tage"',
    });
  });

  it('is unknown over an empty reply and over one that is not there', () => {
    expect(
      grade(conversation('Fine.', [call('get_order')]), 'keywords_absent', { words: ['money'] }).verdict,
    ).toBe('unknown');
    expect(grade(conversation(), 'keywords_absent', { words: ['money'] }).verdict).toBe('unknown');
    expect(
      grade(transcript, 'keywords_absent', { words: ['money'] }, { on: { from: 2, to: 3 } }).verdict,
    ).toBe('unknown');
  });

  it('is unknown after a call without a fixture, unless the word is there or the turn was over', () => {
    const brokenOff = conversation('No money back.', ['One moment.', unanswered('get_order')]);
    expect(grade(brokenOff, 'keywords_absent', { words: ['voucher'] }).verdict).toBe('unknown');
    expect(grade(brokenOff, 'keywords_absent', { words: ['moment'] }).verdict).toBe('fail');
    expect(grade(brokenOff, 'keywords_absent', { words: ['voucher'] }, { on: 'first' }).verdict).toBe('pass');
  });
});

describe('words from a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'evalrun-keywords-'));
  writeFileSync(join(folder, 'words.txt'), '\ufeff# what we never say\r\n\r\nfull refund\r\n退款\r\n');
  writeFileSync(join(folder, 'none.txt'), '# nothing yet\n');
  writeFileSync(join(folder, 'latin1.txt'), Buffer.from([0x52, 0xfc, 0x63, 0x6b]));

  it('are one a line, without comments', () => {
    const options = { suiteFolder: folder };
    expect(
      grade(conversation('我要退款。'), 'keywords_absent', { file: 'words.txt' }, options),
    ).toMatchObject({
      verdict: 'fail',
      reason: 'expected no "退款", saw "我要退款。" in turn 1',
    });
    expect(
      grade(conversation('we never say'), 'keywords_absent', { file: 'words.txt' }, options).verdict,
    ).toBe('pass');
  });

  it.each([
    [{ file: 'words.txt' }, []],
    [{ file: 'none.txt' }, ['file: there is no word in "none.txt"']],
    [{ file: 'gone.txt' }, ['file: there is no file "gone.txt" in the folder of the suite']],
    [{ file: 'latin1.txt' }, ['file: "latin1.txt" is not UTF-8']],
    [{ file: '../words.txt' }, ['file: "../words.txt" has to be a file below the folder of the suite']],
    [{ file: '/etc/passwd' }, ['file: "/etc/passwd" has to be a file below the folder of the suite']],
    [{ file: '.' }, ['file: "." has to be a file below the folder of the suite']],
    [{}, [': needs either words or file']],
    [{ words: ['a'], file: 'words.txt' }, [': needs either words or file']],
    [{ words: ['fine', ' \u200b'] }, ['words.1: there is no word in this text']],
  ])('of %j a suite is told %j', (args, mistakes) => {
    expect(mistakesOf('keywords_absent', args, folder)).toEqual(mistakes);
  });
});
