import type { Problem } from '../base/errors.js';
import type { Json, JsonObject } from '../base/json.js';
import type { CommandTargetSpec, HttpTargetSpec, ModuleTargetSpec } from './target-specs.js';

/** Where something stands in a file that a person wrote. `line` and `column` count from 1. */
export interface Place {
  file: string;
  line: number;
  column: number;
}

export const scenarioSources = ['real', 'incident', 'adversarial', 'rare'] as const;
export type ScenarioSource = (typeof scenarioSources)[number];

/** One user message to send. */
export interface FixedTurn {
  kind: 'fixed';
  /** Sent byte for byte. */
  message: string;
}

/** User messages that a model writes, playing the user. */
export interface SimulatedTurn {
  kind: 'simulated';
  /** What the user does, with its conditions. */
  instruction: string;
  /** What the user is after: once it is reached, nothing more is said in this turn. Not set: the instruction says it. */
  goal?: string;
  /** Messages that the user sends at most. */
  maxTurns: number;
}

export type PlannedTurn = FixedTurn | SimulatedTurn;

/** One recorded answer of a tool. */
export type FixtureRule = { when?: JsonObject; returns: Json } | { when?: JsonObject; error: string };

/**
 * What a tool answers in a scenario. `constant`: always this. `rules`: those with `when` answer calls whose
 * arguments contain every member of `when`; rules of the same `when` are a sequence whose last one repeats.
 */
export type Fixture = { kind: 'constant'; value: Json } | { kind: 'rules'; rules: FixtureRule[] };

/** Which replies a check reads: all, the first, the last, turn N (from 1), or a range of turns. */
export type TurnSelector = 'replies' | 'last' | 'first' | { from: number; to: number };

/** One criterion, as written and validated against the schema of its type. */
export interface CheckSpec {
  /** Unique in its scenario, given or made from type and main argument; stable under reordering. */
  id: string;
  type: string;
  /** Everything but `id`, `type`, `on`, `absolute` and `axis`, parsed by the schema of the type (defaults filled). */
  args: JsonObject;
  /** Not set: the type's default. */
  on?: TurnSelector;
  /** One violation is a defect. Not set: the type's default. */
  absolute?: boolean;
  /** Adds the check to the scores of this axis. */
  axis?: string;
  place: Place;
}

export interface Profile {
  name?: string;
  /** What the person knows. */
  facts: string[];
  /** What the person does not know, and says so when asked. For the simulated user alone. */
  unknown?: string[];
  /** What else the persona says of itself, by name. */
  details?: Record<string, Json>;
}

export interface Scenario {
  id: string;
  place: Place;
  tags: string[];
  source?: ScenarioSource;
  /** What the scenario was made from, free text kept for attribution. */
  origin?: string;
  tenant?: string;
  variables: Record<string, string | number | boolean>;
  profile?: Profile;
  history?: Json;
  turns: PlannedTurn[];
  fixtures: Record<string, Fixture>;
  checks: CheckSpec[];
  /** Hash of all that decides what the trial does and how it is graded; not of place, tags or origin. */
  hash: string;
}

export interface ToolDefinition {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: JsonObject;
}

/** How a tool is called for real. */
export type LiveTool =
  | {
      kind: 'command';
      /** Program and arguments; no shell. The arguments of the call are its standard input, as JSON. */
      command: string[];
      /** Folder it runs in, absolute. */
      cwd: string;
      /** Variables added to its environment; `${NAME}` is taken from the person's. */
      env: Record<string, string>;
      /** Seconds that one call may take. */
      timeoutSeconds: number;
    }
  | {
      kind: 'http';
      method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
      /** `${NAME}` is taken from the environment, `{{args.x}}` and the names of a session are filled in. */
      url: string;
      headers: Record<string, string>;
      timeoutSeconds: number;
    };

export interface ModelSettings {
  temperature?: number;
  /** Output tokens of one model request. */
  maxTokens: number;
  /** Model requests in one turn before the turn is cut short. */
  maxSteps: number;
}

export interface PromptTargetSpec {
  kind: 'prompt';
  /** A name from `prompts` of the config, or a path. */
  prompt: string;
  /** A name from `models` of the config, or provider:model. */
  model: string;
  tools: ToolDefinition[];
  /** By the name of the tool: how those that can be called for real are. */
  live?: Record<string, LiveTool>;
  settings: ModelSettings;
  /** Whether `{{…}}` in the prompt is filled in from tenant, variables and profile. */
  template: boolean;
}
export type TargetSpec = PromptTargetSpec | HttpTargetSpec | CommandTargetSpec | ModuleTargetSpec;

export interface JudgeSpec {
  /** A name from `models` of the config, or provider:model. */
  model: string;
  /** `name@N`, a judge prompt. */
  prompt: string;
  /** Verdicts that are asked for, 1 to 9. Not set: as many as the rule for the number of trials wants. */
  verdicts?: number;
  /** No run begins unless judge and agent are known to be of different vendors. */
  strict?: boolean;
}

/** Who plays the user in simulated turns. */
export interface UserSpec {
  /** A name from `models` of the config, or provider:model. */
  model: string;
}

/** Each not set where suite.yaml does not say it. */
export interface SuitePlaces {
  model?: Place;
  judge?: Place;
  judgePrompt?: Place;
  user?: Place;
}

export interface Suite {
  name: string;
  /** The folder that holds suite.yaml, absolute. */
  folder: string;
  place: Place;
  target: TargetSpec;
  /**
   * For a target that is no prompt itself: the prompt whose text reaches the product, a name from `prompts` of the
   * config or a path. See `promptOf`.
   */
  prompt?: string;
  judge?: JudgeSpec;
  /** Set where a scenario has simulated turns. */
  user?: UserSpec;
  /** Not set: the config's, then 3. */
  repeat?: number;
  limits: { maxTurns: number };
  mix?: Partial<Record<ScenarioSource, number>>;
  /** Where suite.yaml names models and the judge's prompt: what is wrong with those is found when they are opened. */
  places?: SuitePlaces;
  /** What is read for it, absolute: every file, and what a check names that may be one. Not set: it was read from none. */
  files?: readonly string[];
  /** What reading noticed that is no mistake and may not be meant; not set where there is nothing. */
  notes?: readonly Problem[];
  /** In the order of files (sorted by path), then of position in the file. Ids are unique. */
  scenarios: Scenario[];
}
