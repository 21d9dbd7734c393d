import { describe, expect, it } from 'vitest';
import { applyMessage, createTally } from '../../../../source/tally/tally.js';
import type { RunTally } from '../../../../source/tally/types.js';
import { parseFilter } from '../../../../source/ui/screens/grid/filter.js';
import { createFakeRun, fakeScenario } from '../../fake-run.js';

function tallyOfFour(): RunTally {
  const fake = createFakeRun({
    scenarios: [
      fakeScenario('refund-past-window', ['refund', 'eu']),
      fakeScenario('Pricing-question', ['tools']),
      { ...fakeScenario('panic-on-the-train', ['persona']), source: 'real' },
      fakeScenario('empty-message', []),
    ],
    repeat: 1,
  });
  fake.trial(fake.key('refund-past-window', 1), 'fail', { reason: 'promises money back' });
  fake.trial(fake.key('Pricing-question', 1), 'pass');
  fake.start(fake.key('panic-on-the-train', 1));
  let tally: RunTally | undefined;
  fake.run.feed((message) => {
    if (message.event.type === 'run-started') tally = createTally(message.event);
    else if (tally) applyMessage(tally, message);
  });
  if (!tally) throw new Error('the fake run did not start');
  return tally;
}

const matching = (query: string) =>
  tallyOfFour()
    .rows.filter(parseFilter(query).matches)
    .map(({ scenario }) => scenario.id);

describe('the filter of the grid', () => {
  it.each([
    ['', ['refund-past-window', 'Pricing-question', 'panic-on-the-train', 'empty-message']],
    ['pricing', ['Pricing-question']],
    ['MONEY', ['refund-past-window']],
    ['persona', ['panic-on-the-train']],
    ['tag:refund', ['refund-past-window']],
    ['tag:ref', ['refund-past-window']],
    ['tag:tools,persona', ['Pricing-question', 'panic-on-the-train']],
    ['verdict:fail', ['refund-past-window']],
    ['verdict:pass,fail', ['refund-past-window', 'Pricing-question']],
    ['verdict:running', ['panic-on-the-train']],
    ['verdict:waiting', ['empty-message']],
    ['source:real', ['panic-on-the-train']],
    ['tag:refund verdict:pass', []],
    ['  tag:refund   money ', ['refund-past-window']],
    ['tag:', ['refund-past-window', 'Pricing-question', 'panic-on-the-train', 'empty-message']],
  ])('%j shows %j', (query, ids) => expect(matching(query)).toEqual(ids));

  it('says which verdicts and sources there are when it is given another', () => {
    expect(parseFilter('verdict:bad').problem).toBe('pass warn fail unknown error running waiting');
    expect(parseFilter('source:web').problem).toBe('real incident adversarial rare');
    expect(parseFilter('verdict:f').problem).toBeUndefined();
  });
});
