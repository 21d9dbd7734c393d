import { describe, expect, it } from 'vitest';
import { gradeTrial } from '../../../source/grade/grade.js';
import type { CheckSpec } from '../../../source/suite/types.js';
import { check } from '../transcripts.js';
import { type Recording, recordings } from './read-data.js';
import { transcriptOf } from './transcript.js';

/** Tools that change the data base; what else is called leaves no trace in it. */
const changing = [
  'book_reservation',
  'cancel_reservation',
  'send_certificate',
  'update_reservation_baggages',
  'update_reservation_flights',
  'update_reservation_passengers',
];

/** What the reward is about: exactly the changes that are expected, and every output said. */
function checksOfOutcome({ expected }: Recording): CheckSpec[] {
  const changes = expected.actions.filter(({ name }) => changing.includes(name));
  const wanted = changes.map(({ name, kwargs }, index) =>
    check('tool_called', { tool: name, args: kwargs, times: 1 }, { id: `does-${index}` }),
  );
  const limits = changing.map((tool) => {
    const times = changes.filter(({ name }) => name === tool).length;
    return times === 0
      ? check('tool_not_called', { tool }, { id: `no-${tool}` })
      : check('tool_called', { tool, times }, { id: `only-${tool}` });
  });
  const outputs = expected.outputs.map((output) =>
    check('keywords_present', { words: [output] }, { id: `says-${output}` }),
  );
  return [...wanted, ...limits, ...outputs];
}

/** The expected actions to the letter: what is only looked up has to be looked up too, and in that order. */
function checksOfActions(recording: Recording): CheckSpec[] {
  const { actions } = recording.expected;
  return [
    ...checksOfOutcome(recording),
    ...actions.map(({ name, kwargs }, index) =>
      check('tool_called', { tool: name, args: kwargs }, { id: `calls-${index}-${name}` }),
    ),
    check('tool_order', { tools: actions.map(({ name }) => name) }, { id: 'in-order' }),
  ];
}

/** The ids of the checks that fail, one conversation each. */
async function failuresOf(checksOf: (recording: Recording) => CheckSpec[]): Promise<Map<string, string[]>> {
  const failures = new Map<string, string[]>();
  for (const recording of recordings) {
    const context = { transcript: transcriptOf(recording.messages), suiteFolder: '/nowhere', seed: 's' };
    const results = await gradeTrial(checksOf(recording), context, () => {});
    const unsure = results.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'fail');
    expect(unsure, recording.id).toEqual([]);
    failures.set(
      recording.id,
      results.filter(({ verdict }) => verdict === 'fail').map(({ checkId }) => checkId),
    );
  }
  return failures;
}

/** Conversations where the checks and the recorded reward say different things. */
function disagreements(failures: ReadonlyMap<string, string[]>): Record<string, string[]> {
  return Object.fromEntries(
    recordings.flatMap(({ id, reward }) => {
      const failed = failures.get(id) ?? [];
      return (failed.length === 0) === (reward === 1) ? [] : [[id, failed]];
    }),
  );
}

/** Each disagreement: the checks that fail although the reward is 1. There is none the other way round. */
const understood: { id: string; fails: string[]; why: string }[] = [
  {
    id: 'airline-47-trial1',
    fails: ['calls-0-get_user_details', 'calls-1-get_reservation_details', 'in-order'],
    why:
      'The agent asks for a reservation ID, which the customer does not have, and looks nothing up; it could have ' +
      'found it by the user ID. Nothing is cancelled, which is what the task wants, and the reward looks at the ' +
      'data base alone: a call that only reads leaves no trace there.',
  },
];

describe('24 recorded conversations of tau-bench', () => {
  it('are read whole', () => {
    expect(recordings).toHaveLength(24);
    for (const { messages } of recordings) {
      const { turns } = transcriptOf(messages);
      const parts = turns.flatMap(({ reply }) => reply.parts);
      const calls = messages.flatMap(({ tool_calls: made = [] }) => made);
      expect(parts.filter(({ kind }) => kind === 'tool')).toHaveLength(calls.length);
      expect(turns.every(({ reply }) => reply.parts.length > 0)).toBe(true);
    }
  });

  it('are graded as their reward says by what was done and said', async () => {
    const failures = await failuresOf(checksOfOutcome);
    expect(disagreements(failures)).toEqual({});
    // The reward says that something was wrong; the checks say what.
    expect(Object.fromEntries([...failures].filter(([, failed]) => failed.length > 0))).toEqual({
      'airline-43-trial1': ['does-0', 'only-update_reservation_passengers'],
      'airline-43-trial2': ['does-0', 'only-update_reservation_passengers'],
      'airline-43-trial3': ['does-0', 'only-update_reservation_passengers'],
      'airline-44-trial1': ['says-4'],
      'airline-44-trial3': ['says-4'],
      'airline-41-trial0': ['no-cancel_reservation'],
      'airline-41-trial2': ['no-cancel_reservation'],
      'airline-1-trial0': ['does-0', 'only-cancel_reservation'],
      'airline-1-trial2': ['does-0', 'only-cancel_reservation'],
      'airline-1-trial3': ['does-0', 'only-cancel_reservation'],
      'airline-39-trial1': ['no-cancel_reservation'],
      'airline-39-trial2': ['no-cancel_reservation'],
      'airline-39-trial3': ['no-cancel_reservation'],
      'airline-47-trial0': ['no-cancel_reservation'],
      'airline-47-trial2': ['no-cancel_reservation'],
      'airline-47-trial3': ['no-cancel_reservation'],
    });
  });

  it('are graded as their reward says by every expected call, but for one that need not be made', async () => {
    const found = disagreements(await failuresOf(checksOfActions));
    expect(found).toEqual(Object.fromEntries(understood.map(({ id, fails }) => [id, fails])));
  });

  it('fail by the checks of another task', async () => {
    for (const recording of recordings) {
      const other = recordings.find(
        ({ expected }) => expected.actions[0]?.name !== recording.expected.actions[0]?.name,
      );
      if (!other) continue;
      const context = { transcript: transcriptOf(recording.messages), suiteFolder: '/nowhere', seed: 's' };
      const results = await gradeTrial(checksOfActions(other), context, () => {});
      expect(
        results.some(({ verdict }) => verdict === 'fail'),
        recording.id,
      ).toBe(true);
    }
  });
});
