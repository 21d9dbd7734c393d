import type { Json, JsonObject } from '../../base/json.js';
import type { Transcript, Turn } from '../../play/types.js';
import type { CheckVerdict, Evidence, ScenarioFacts } from '../types.js';

/** What a custom check is told: the argument of a module's function, and what a command reads, as JSON. */
export interface CustomCheckInput {
  /** Id of the check. */
  check: string;
  /** The `args` that the scenario gives it. */
  args: JsonObject;
  /** The turns that it is to read: those that `on` names. */
  turns: Turn[];
  /** The whole conversation. */
  transcript: Transcript;
  /** Not set where the trial was graded without its scenario. */
  scenario?: ScenarioFacts;
  /** What the product says that it is tuned with. */
  tuning?: Json;
  /** The folder of the suite, absolute. */
  folder: string;
}

/** What a custom check answers: the result of a module's function, and what a command writes, as JSON. */
export interface CustomCheckAnswer {
  verdict: CheckVerdict;
  /** What was seen, in one sentence. Of a failed check: what was expected and what was there instead. */
  reason: string;
  /** 1 to 5; only where the check is declared as `kind: judged`. */
  score?: number;
  /** Shares of parts that were right, 0 to 1, by axis. */
  axes?: Record<string, number>;
  /** What the trial screen highlights. */
  evidence?: Evidence[];
}

/** The function that a module exports, as its default or under the name `check`. */
export type CustomCheck = (input: CustomCheckInput) => CustomCheckAnswer | Promise<CustomCheckAnswer>;
