import { isJsonObject } from '../../base/json.js';
import { isTooDeep } from '../../base/json-text.js';
import type { ToolRequest } from '../types.js';
import { BrokenAnswer } from '../wire/complaint.js';
import { objectAt, readToolArguments, textAt } from '../wire/reading.js';

interface Call {
  index: number | undefined;
  id: string;
  name: string;
  written: string;
}

/** Puts the pieces of streamed tool calls together. */
export interface ToolCallAssembler {
  /** Takes one element of `delta.tool_calls`, or of a whole message's `tool_calls`. */
  take(delta: unknown): void;
  /** The calls in the order in which they began. Throws BrokenAnswer for a call without a name. */
  requests(): ToolRequest[];
}

/**
 * Which call a piece belongs to. OpenAI numbers calls by `index`; compatible servers leave it out (older Ollama,
 * Gemini) or send 0 for all (newer Ollama), so the id decides first:
 * - an id that was seen before continues that call, unless the index says that it is another one;
 * - a new id begins a call, also under an index that is taken;
 * - without an id, the index decides; a new one begins a call;
 * - with neither, a piece with a name begins a call, and any other continues the last one.
 *
 * `idPrefix` makes ids for calls that come without one, or with an id that another call has: a result must find its
 * call.
 */
export function createToolCallAssembler(idPrefix: string): ToolCallAssembler {
  const calls: Call[] = [];

  function begin(index: number | undefined, id: string): Call {
    const call = { index, id, name: '', written: '' };
    calls.push(call);
    return call;
  }

  function find(index: number | undefined, id: string, name: string): Call {
    if (id !== '') {
      const known = calls.findLast((call) => call.id === id);
      if (known !== undefined && (index === undefined || (known.index ?? index) === index)) return known;
      const last = calls.findLast((call) => call.index === index);
      // A call may get its id after its first piece.
      if (index !== undefined && last !== undefined && last.id === '') return last;
      return begin(index, id);
    }
    if (index !== undefined) return calls.findLast((call) => call.index === index) ?? begin(index, id);
    return (name === '' ? calls.at(-1) : undefined) ?? begin(index, id);
  }

  return {
    take(delta) {
      const fields = objectAt(delta, 'function');
      const id = textAt(delta, 'id');
      const name = textAt(fields, 'name');
      const index = isJsonObject(delta) && typeof delta.index === 'number' ? delta.index : undefined;
      const call = find(index, id, name);
      if (call.id === '') call.id = id;
      // Sent whole, and by some servers again with every piece.
      if (call.name === '') call.name = name;
      const written = fields?.arguments;
      if (isTooDeep(written)) throw new BrokenAnswer('the model nested the arguments of a tool too deeply');
      // Some servers send the object itself.
      call.written += isJsonObject(written) ? JSON.stringify(written) : textAt(fields, 'arguments');
    },
    requests() {
      const taken = new Set<string>();
      return calls.map(({ id, name, written }, at) => {
        if (name === '') throw new BrokenAnswer('the model called a tool without naming it');
        const own = id === '' || taken.has(id) ? `${idPrefix}-${at + 1}` : id;
        taken.add(own);
        return { id: own, name, args: readToolArguments(written) };
      });
    },
  };
}
