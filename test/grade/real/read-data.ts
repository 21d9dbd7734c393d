import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../../source/base/json.js';

function readLines<T>(name: string): T[] {
  return readFileSync(join(import.meta.dirname, 'data', name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

/** A message in OpenAI's form, as recorded. */
export interface RecordedMessage {
  role: 'user' | 'assistant' | 'tool';
  content: string | null;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

/** One recorded conversation of tau-bench, with what its task expects. */
export interface Recording {
  id: string;
  /** 1: the data base ended as expected and every output was said. */
  reward: number;
  expected: { actions: { name: string; kwargs: JsonObject }[]; outputs: string[] };
  messages: RecordedMessage[];
}

export const recordings = readLines<Recording>('tau-bench-airline.jsonl');

/** A call that is wanted: the function's name, and for each argument the values that are accepted. */
export interface AcceptedCall {
  id: string;
  accepted: Record<string, Record<string, Json[]>>;
}

export const acceptedCalls = readLines<AcceptedCall>('bfcl-simple.jsonl');

/** A message that none of the functions could help with. */
export interface Irrelevance {
  id: string;
  message: string;
  functions: string[];
}

export const irrelevances = readLines<Irrelevance>('bfcl-irrelevance.jsonl');
