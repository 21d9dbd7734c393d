import type { Proposal } from './next.js';
import type { BisectRecord } from './record.js';
import type { Session } from './session.js';
import { propose } from './strategy.js';

/** What the strategy makes of all that a record knows, worked out once until something is added to it. */
export function createProposals(record: Pick<BisectRecord, 'session'>): () => Proposal {
  let known: { of: Session; proposal: Proposal } | undefined;
  return () => {
    const of = record.session();
    if (known?.of !== of) known = { of, proposal: propose(of) };
    return known.proposal;
  };
}
