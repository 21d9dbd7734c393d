import { readComplaint, refusesField } from '../wire/complaint.js';
import { causesOf, HttpFailure } from '../wire/http.js';

/** Names of request fields that a server is known not to take. Shared by all requests of one model. */
export type RefusedFields = Set<string>;

/**
 * Sends a request and, when the server refuses a field that it was given without being asked to, sends it again
 * without that field, each field once; what was learnt holds for the requests after it. This is for fields that
 * change nothing of what is asked (usage in the stream, the name of the token limit), never for a setting of the
 * condition: a temperature that a model does not take stays an error.
 */
export async function sendWithout(
  optional: (refused: ReadonlySet<string>) => readonly string[],
  refused: RefusedFields,
  send: (refused: ReadonlySet<string>) => Promise<Response>,
): Promise<Response> {
  const without = new Set(refused);
  for (;;) {
    try {
      return await send(without);
    } catch (error) {
      const failure = causesOf(error).find((cause) => cause instanceof HttpFailure);
      if (failure === undefined) throw error;
      const complaint = readComplaint(failure.status, failure.body);
      const field = optional(without).find((name) => !without.has(name) && refusesField(complaint, name));
      if (field === undefined) throw error;
      without.add(field);
      refused.add(field);
    }
  }
}
