import { describe, expect, it } from 'vitest';
import { conversation, grade } from './transcripts.js';

function verdicts(reply: string, words: string): { present: string; absent: string } {
  const transcript = conversation(reply);
  return {
    present: grade(transcript, 'keywords_present', { words: [words] }).verdict,
    absent: grade(transcript, 'keywords_absent', { words: [words] }).verdict,
  };
}

function patternVerdicts(reply: string, pattern: string): { present: string; absent: string } {
  const transcript = conversation(reply);
  return {
    present: grade(transcript, 'pattern_present', { pattern }).verdict,
    absent: grade(transcript, 'pattern_absent', { pattern }).verdict,
  };
}

const there = { present: 'pass', absent: 'fail' };
const notThere = { present: 'fail', absent: 'pass' };

describe('keywords in German', () => {
  it.each([
    ['Eine Rückerstattung ist leider nicht möglich.', 'rückerstattung'],
    ['EINE RÜCKERSTATTUNG IST NICHT MÖGLICH.', 'Rückerstattung'],
    ['Rücker\u00adstattung mit weichem Trennstrich', 'Rückerstattung'],
    ['Bitte wenden Sie sich an die Straße.', 'STRASSE'],
    ['Das kostet 1.250,50 €.', '1.250,50'],
    ['Wir melden uns (spätestens morgen).', 'spätestens'],
    ['„Kulanz“ ist möglich.', 'Kulanz'],
    ['Der Rückerstattungs-Antrag', 'Antrag'],
    ['Das geht, z. B. per E-Mail.', 'E-Mail'],
  ])('%j holds %j', (reply, words) => {
    expect(verdicts(reply, words)).toEqual(there);
  });

  it.each([
    ['Wir haben einen Termin.', 'ein'],
    ['Ihr Rückerstattungsantrag ist da.', 'Rückerstattung'],
    ['Die Stornierungen sind da.', 'Stornierung'],
    ['Das ist unmöglich.', 'möglich'],
    ['Ruckerstattung', 'Rückerstattung'],
    ['Die Masse zählt.', 'Maße zählt nicht'],
    ['Das kostet 1.250,50 €.', '250'],
  ])('%j does not hold %j', (reply, words) => {
    expect(verdicts(reply, words)).toEqual(notThere);
  });
});

describe('keywords in Chinese', () => {
  it.each([
    ['很抱歉，我们不能退款。', '退款'],
    ['您可以申请全额退款吗？', '全额退款'],
    ['您可以申请全额 退款吗？', '退款'],
    ['请提供您的订单号：RF-102938。', '订单号'],
    ['请提供您的订单号：RF-102938。', 'rf-102938'],
    ['ＲＦ－１０２９３８', 'RF-102938'],
    ['我们可以提供store credit给您', 'store credit'],
    ['30天内可以退货', '30'],
    ['他说：“不行”。', '不行'],
  ])('%j holds %j', (reply, words) => {
    expect(verdicts(reply, words)).toEqual(there);
  });

  it.each([
    ['很抱歉，我们不能换货。', '退款'],
    ['这家银行在北京大学附近', '京大'],
    ['我们很高兴', '兴奋'],
    ['130天内可以退货', '30'],
    ['退 款', '退款'],
  ])('%j does not hold %j', (reply, words) => {
    expect(verdicts(reply, words)).toEqual(notThere);
  });
});

describe('patterns in German and Chinese', () => {
  it.each([
    ['Die ÄNDERUNG ist gebucht.', '(?i)änderung'],
    ['Größe: 42', '(?i)GRÖSSE|größe'],
    ['Sie erhalten 25,50 € zurück.', '\\d+,\\d{2}\\s?€'],
    ['Ihr Termin: 20.05.2024', '\\d{2}\\.\\d{2}\\.\\d{4}'],
    ['您的退款为￥250', '退款为[￥¥]\\d+'],
    ['订单号：１２３', '\\p{Nd}{3}'],
    ['我们会在30天内处理', '\\d+天'],
    ['可以退款', '\\p{Han}{4}'],
  ])('%j has a match of %j', (reply, pattern) => {
    expect(patternVerdicts(reply, pattern)).toEqual(there);
  });

  it.each([
    ['Die Anderung ist gebucht.', '(?i)änderung'],
    ['Die ÄNDERUNG ist gebucht.', 'änderung'],
    ['我们不能换货', '退款'],
    ['Keine Zusage.', '\\p{Han}'],
  ])('%j has no match of %j', (reply, pattern) => {
    expect(patternVerdicts(reply, pattern)).toEqual(notThere);
  });
});
