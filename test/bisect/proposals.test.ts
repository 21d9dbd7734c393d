import { expect, test } from 'vitest';
import { createProposals } from '../../source/bisect/proposals.js';
import { createSession, type Session } from '../../source/bisect/session.js';
import { propose } from '../../source/bisect/strategy.js';

test('a proposal is worked out once, until something is added', () => {
  let session: Session = createSession({ hunks: 4 });
  const proposal = createProposals({ session: () => session });
  const first = proposal();
  expect(first).toEqual(propose(session));
  expect(proposal()).toBe(first);
  session = { ...session };
  expect(proposal()).not.toBe(first);
});
