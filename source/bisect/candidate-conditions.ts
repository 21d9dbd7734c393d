import type { Condition } from '../run/planned.js';
import type { LiveRun, RunnableCondition } from '../run/types.js';
import type { Candidate } from './candidate.js';
import { candidateName, candidateText } from './candidate-prompt.js';
import type { BisectRecord } from './record.js';

/** What the conditions of candidates are made with. */
export interface CandidateOpener {
  /** Opens what is tested on a candidate's prompt. `id`: of its condition. */
  openCondition(
    id: string,
    prompt: { name: string; text: string },
  ): Promise<RunnableCondition & { condition: Condition }>;
  /** Told of a candidate that is not tried any more for now: what it holds may be let go of. */
  release?(condition: string): void;
}

/** The conditions that candidates are: each joins the run when it is tried for the first time. */
export interface CandidateConditions {
  isOpening(): boolean;
  /**
   * The conditions of candidates that are to be tried now, in their order; what others hold is let go of. Undefined
   * where some of them are still to join, which this begins.
   */
  take(candidates: readonly Candidate[]): string[] | undefined;
}

/** `onOpened` hears when all that were asked for have joined, or the run has stopped meanwhile. */
export function createCandidateConditions(
  { openCondition, release }: CandidateOpener,
  run: Pick<LiveRun, 'addCondition' | 'isStopping'>,
  record: BisectRecord,
  onOpened: () => void,
  onFailure: (error: unknown) => void,
): CandidateConditions {
  let isOpening = false;
  let inUse = new Set<string>();

  async function open(candidates: Iterable<Candidate>): Promise<void> {
    isOpening = true;
    try {
      for (const candidate of candidates) if (!run.isStopping) await join(candidate);
    } catch (error) {
      isOpening = false;
      onFailure(error);
      return;
    }
    isOpening = false;
    onOpened();
  }

  async function join(candidate: Candidate): Promise<void> {
    const { planned, diff } = record;
    const prompt = { name: candidateName(planned, candidate), text: candidateText(diff, candidate) };
    const added = await openCondition(`c${record.conditionCount() + 1}`, prompt);
    if (!run.isStopping) run.addCondition(added, candidate);
    // The run may be closed by now, and would never let go of it.
    else await added.target.close?.();
  }

  return {
    isOpening: () => isOpening,
    take(candidates) {
      const missing = new Set(candidates.filter((one) => record.conditionOf(one) === undefined));
      if (missing.size > 0) {
        void open(missing);
        return undefined;
      }
      const ids = candidates.flatMap((one) => record.conditionOf(one) ?? []);
      for (const id of inUse) if (!ids.includes(id)) release?.(id);
      inUse = new Set(ids);
      return ids;
    },
  };
}
