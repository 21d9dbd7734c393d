import type { ChatRequest } from '../types.js';
import { kindOfComplaint, readComplaint, refusesField } from './complaint.js';
import { causesOf, HttpFailure } from './http.js';

/** Names of request fields that a server is known not to take. Shared by all requests of one model. */
export type RefusedFields = Set<string>;

/** Fields of a request that may be left out. */
export interface OptionalFields {
  /** Left out when the server names them in a refusal. */
  named(refused: ReadonlySet<string>): readonly string[];
  /**
   * The field of `answerSchema`: left out after any refusal of the request, since servers refuse it in all kinds of
   * words; for good when the request is taken without it.
   */
  schema: string;
}

/**
 * Sends a request and, when the server refuses a field that it was given without being asked to, sends it again
 * without that field, each field once; what was learnt holds for the requests after it. This is for fields that
 * change nothing of what is asked (usage in the stream, the name of the token limit, a schema that the reader checks
 * anyway), never for a setting of the condition: a temperature that a model does not take stays an error.
 */
export async function sendWithout(
  { answerSchema }: ChatRequest,
  optional: OptionalFields,
  refused: RefusedFields,
  send: (refused: ReadonlySet<string>) => Promise<Response>,
): Promise<Response> {
  const { schema } = optional;
  const without = new Set(refused);
  for (;;) {
    try {
      const response = await send(without);
      if (without.has(schema)) refused.add(schema);
      return response;
    } catch (error) {
      const failure = causesOf(error).find((cause) => cause instanceof HttpFailure);
      if (failure === undefined) throw error;
      const complaint = readComplaint(failure.status, failure.body);
      const field = optional
        .named(without)
        .find((name) => !without.has(name) && refusesField(complaint, name));
      if (field !== undefined) {
        without.add(field);
        refused.add(field);
      } else if (
        answerSchema !== undefined &&
        !without.has(schema) &&
        kindOfComplaint(complaint) === 'bad-request'
      ) {
        without.add(schema);
      } else {
        throw error;
      }
    }
  }
}
