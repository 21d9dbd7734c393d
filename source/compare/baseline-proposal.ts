/** What counting a run in a baseline would do, for a person to agree to. Nothing is written before that. */
export type BaselineProposal = BaselineChangeProposal | { kind: 'counted'; line: string };

/** The run is not counted yet; that of the union which is not this says of a run that it is. */
export interface BaselineChangeProposal {
  kind: 'change';
  /** As a person sees it, from the root of the project. */
  file: string;
  isNew: boolean;
  /** Checks of which what is expected, or how it was counted so far, gives way. */
  replaced: number;
  /** What changes, the run first. */
  lines: readonly string[];
  /** For the commit of it. */
  message: string;
  /** Whether git has the file as it stands now, so that it can be had back. */
  isInGit(): Promise<boolean>;
  /** Throws UserError where the file is not as it was when this was proposed. */
  write(): Promise<void>;
}
