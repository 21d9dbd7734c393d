import type { Json, JsonObject } from '../base/json.js';

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
export type PlannedTurn = FixedTurn;

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
  facts: string[];
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
  settings: ModelSettings;
  /** Whether `{{…}}` in the prompt is filled in from tenant, variables and profile. */
  template: boolean;
}
export type TargetSpec = PromptTargetSpec;

export interface JudgeSpec {
  /** A name from `models` of the config, or provider:model. */
  model: string;
  /** `name@N`, a judge prompt. */
  prompt: string;
}

export interface Suite {
  name: string;
  /** The folder that holds suite.yaml, absolute. */
  folder: string;
  place: Place;
  target: TargetSpec;
  judge?: JudgeSpec;
  /** Not set: the config's, then 3. */
  repeat?: number;
  limits: { maxTurns: number };
  mix?: Partial<Record<ScenarioSource, number>>;
  /** In the order of files (sorted by path), then of position in the file. Ids are unique. */
  scenarios: Scenario[];
}
