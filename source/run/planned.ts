import type { ScenarioSource, TargetSpec } from '../suite/types.js';

/** What is the same for every trial of a group of cells: prompt, model, settings, fixtures. */
export interface Condition {
  /** Short and unique in the run (`a`, `b`, …). */
  id: string;
  target: TargetSpec['kind'];
  /** What the header shows: the prompt's version name (`v15`), `no prompt` for a product that is given none. */
  promptName: string;
  promptPath?: string;
  promptSha256?: string;
  /** Commit that the prompt file stands at; not set outside git. */
  promptCommit?: string;
  /** The prompt file differs from that commit. */
  promptDirty: boolean;
  /** `provider:model`; of a product what `--model` says of it, else `http product`, `command product`, …. */
  model: string;
  temperature?: number;
  maxTokens?: number;
  maxSteps?: number;
  /** Tools are called for real, not answered by fixtures. */
  liveTools?: true;
  /** No trials are planned under it: it is there for the confirmation of suspects. */
  standby?: true;
  /** Hashes of what it is made of. */
  parts: ConditionParts;
  /** Hash over the parts: what has to be equal for results to be of the same condition. */
  hash: string;
}

/** Hashes of the parts of a condition, so that a comparison can name those that differ. */
export interface ConditionParts {
  /** Of the prompt's text; not set where a product is given none. */
  prompt?: string;
  model: string;
  settings?: string;
  tools?: string;
  /** How the product is spoken to, or that a prompt is tested. */
  target: string;
  /** How tools are called for real; not set where fixtures answer. */
  liveTools?: string;
}

/** Hashes of what a scenario says, so that a comparison can name what differs. */
export interface ScenarioParts {
  turns: string;
  fixtures: string;
  /** Profile, history, tenant and variables. */
  persona: string;
}

/** What a reader must know of a scenario without its file. */
export interface PlannedScenario {
  id: string;
  hash: string;
  parts: ScenarioParts;
  tags: string[];
  source?: ScenarioSource;
  /** A model plays the user in some of its turns: differences between conditions may be the user's. */
  isSimulatedUser?: true;
  checks: {
    id: string;
    type: string;
    kind: 'hard' | 'judged';
    absolute: boolean;
    axis?: string;
    /** Of all that it was written with but its id: results are kept by id, and an id may come to name another check. */
    hash?: string;
    /** Of a judged check: names what it asks, see `rubricHash`. */
    rubric?: string;
  }[];
}

export interface Plan {
  scenarios: PlannedScenario[];
  conditions: Condition[];
  /** Trials of every scenario under every condition. Extended by `plan-extended`. */
  repeat: number;
}

/** What the candidate of a run is compared with. A copy of the baseline file stands beside the journal. */
export type PlannedBase =
  | { kind: 'condition'; condition: string }
  | {
      kind: 'baseline';
      /** From the top of the project. */
      file: string;
      sha256: string;
      /** The condition that runs what the baseline was made with, for confirmations; not set where that cannot be had. */
      condition?: string;
    };

/** What an A/A run found of the gate of a suite, see `noiseFloor` in compare/. */
export interface KnownNoise {
  /** The A/A run, and when it began. */
  runId: string;
  at: number;
  trials: number;
  /** Probability that the gate goes red with nothing changed. */
  falseRed: number;
  /** The smallest drop of a pass rate, 0 to 1, that it sees 80 % of the time; not set where it sees none. */
  smallestDrop?: number;
  /** In what its condition and its gate are not those of the run: `another prompt`, `all scenarios`, …. */
  differs?: string[];
}

/** What is known to flip: it keeps running and is shown, and counts in no verdict. */
export interface QuarantineEntry {
  scenario: string;
  /** Not set: all checks of the scenario. */
  check?: string;
  owner: string;
  reason: string;
  /** First and last day, as in `2026-11-30`, UTC. */
  since: string;
  until: string;
  /** Ids of the runs that showed it. */
  evidence: string[];
}

/** The run whose conversations a run grades again, without calling the agent. */
export interface RegradeOf {
  runId: string;
  /** Scenarios that the conversations are not of any more as they stand today, and what differs. */
  stale: { scenario: string; why: string }[];
}
