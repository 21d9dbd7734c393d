import type { BisectStatus } from '../bisect/driver.js';
import type { Proposal } from '../bisect/next.js';
import type { BisectRecord } from '../bisect/record.js';
import type { BisectDecision } from '../run/bisect-events.js';

/** What a bisect is doing on screen. `planned`: it was made and nothing was tried; a person is to begin. */
export type ShownStatus = BisectStatus | { kind: 'planned' };

/** What a person can do in a bisect that goes on in this process. */
export interface BisectControls {
  /** Begins: nothing is tried before. Does nothing the second time. */
  begin(): void;
  /** Runs the step that is proposed, or that of a hunk; goes on where a person was asked. */
  goOn(hunk?: number): void;
  decide(decision: BisectDecision): void;
  /** Writes the narrowed prompt as a new version; `isOld` one has its text already. Throws UserError where it cannot. */
  writeNarrowed(): Promise<{ path: string; isOld: boolean }>;
}

/** A bisect for the screens. */
export interface BisectDesk {
  readonly record: BisectRecord;
  status(): ShownStatus;
  /** What is made of all that is known. Worked out once for what is known; up to 100 ms then. */
  proposal(): Proposal;
  /** Hears whenever something has changed that no message of the run told of. */
  subscribe(listener: () => void): () => void;
  /** What it will cost, a line each, safe to print; undefined while that is worked out. */
  plan(): readonly string[] | undefined;
  /** The line that goes on with it another time. */
  resume: string;
  /** Not set: it is only shown. */
  controls?: BisectControls;
}
