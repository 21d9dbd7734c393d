import { expect, it } from 'vitest';
import { findTrials } from '../../source/commands/shared/find-trials.js';
import { feedOf, plannedScenario, runStarted } from '../tally/support.js';

const { tally } = feedOf(runStarted(['a', 'a#2', 'b#9'].map((id) => plannedScenario(id))));
const found = (wanted: string) =>
  findTrials(tally, wanted).map(({ scenario, cell, of }) => `${scenario} ${cell.repeat}/${of}`);

it('a scenario is all of its trials, and a number behind it one of them', () => {
  expect(found('a')).toEqual(['a 1/3', 'a 2/3', 'a 3/3']);
  expect(found('a#3')).toEqual(['a 3/3']);
  expect(found('b#9')).toEqual(['b#9 1/3', 'b#9 2/3', 'b#9 3/3']);
  expect(found('b#9#2')).toEqual(['b#9 2/3']);
});

it('what can be read both as a scenario and as a trial of another is both', () => {
  expect(found('a#2')).toEqual(['a#2 1/3', 'a#2 2/3', 'a#2 3/3', 'a 2/3']);
});

it('what is not there is said, with what there is', () => {
  expect(() => found('a#4')).toThrow('scenario "a" has trials 1 to 3, and no 4');
  expect(() => found('c#1')).toThrow('the run has no scenario "c"');
});
