import type { Clock } from '../../base/clock.js';
import { sha256 } from '../../base/hash.js';
import type { ChatEvent, ChatModel, ChatRequest } from '../types.js';
import type { SimulatedBehaviours, Step } from './behaviours.js';
import { createBoundedMap } from './bounded-map.js';
import { chooseStep, readConversation } from './choose.js';
import { createTextViews } from './conditions.js';
import { callText, createInputMeter } from './input-meter.js';
import { startPace } from './latency.js';
import { createPrefixCache } from './prefix-cache.js';
import { type CountTokens, createTokenCounter, cutToTokens } from './tokens.js';
import { splitWords } from './words.js';

/** An answer as far as the token limit lets it come. */
interface Answer {
  say: string;
  calls: { name: string; args: Step['calls'][number]['args']; tokens: number }[];
  output: number;
  isCutOff: boolean;
}

/** What of a step fits: text is cut, a call that does not fit whole is not made, nor anything after it. */
function fitAnswer(step: Step, maxTokens: number, countTokens: CountTokens): Answer {
  const say = cutToTokens(step.say, maxTokens, countTokens);
  const answer: Answer = { say, calls: [], output: countTokens(say), isCutOff: say !== step.say };
  for (const { name, args } of step.calls) {
    const tokens = countTokens(callText(name, args));
    if (answer.isCutOff || answer.output + tokens > maxTokens) return { ...answer, isCutOff: true };
    answer.calls.push({ name, args, tokens });
    answer.output += tokens;
  }
  return answer;
}

/**
 * A stand-in that answers by rule and by seeded draw; it understands nothing. Needs no network and no key.
 * Its prefix cache and its memos live as long as it does, within bounds.
 * `latencyFactor` multiplies the latency of its file; with 0 it answers at once and sets no timer.
 */
export function createSimulatedModel(
  behaviours: SimulatedBehaviours,
  { clock, latencyFactor }: { clock: Clock; latencyFactor: number },
): ChatModel {
  const countTokens = createTokenCounter();
  const measure = createInputMeter(countTokens);
  const view = createTextViews();
  const cache = createPrefixCache(behaviours.cache, clock);
  const hashes = createBoundedMap<string>(64, 4_000_000);
  const latency = {
    firstTokenMs: behaviours.latency.firstTokenMs * latencyFactor,
    wordMs: behaviours.latency.wordMs * latencyFactor,
  };

  function hashOf(system: string): string {
    const known = hashes.get(system);
    if (known !== undefined) return known;
    const hash = sha256(system);
    hashes.set(system, hash, system.length);
    return hash;
  }

  async function* stream(request: ChatRequest): AsyncGenerator<ChatEvent, void, undefined> {
    const { system, messages, seed, maxTokens, signal } = request;
    signal?.throwIfAborted();
    const state = readConversation(system, messages, view);
    const step = chooseStep(behaviours, state, seed, hashOf(system));
    const { say, calls, output, isCutOff } = fitAnswer(step, maxTokens, countTokens);
    const { input, prefixes } = measure(request);
    const { read, write } = cache.find(prefixes);
    const pace = startPace(latency, clock, signal);

    if (!pace.isInstant) await pace.waitForWords(0);
    cache.keep(prefixes);
    if (pace.isInstant) {
      if (say !== '') yield { type: 'text', text: say };
    } else {
      for (const word of splitWords(say)) {
        await pace.waitForWords(1);
        yield { type: 'text', text: word };
      }
    }
    for (const [at, { name, args, tokens }] of calls.entries()) {
      if (!pace.isInstant) await pace.waitForWords(tokens);
      const id = `call-${state.turn}-${state.step + 1}-${at + 1}`;
      yield { type: 'tool-request', request: { id, name, args } };
    }
    signal?.throwIfAborted();
    yield {
      type: 'done',
      stop: isCutOff ? 'cut-off' : calls.length > 0 ? 'tool-calls' : 'end',
      usage: { input, output, cacheRead: read, cacheWrite: write },
    };
  }

  return { name: `simulated:${behaviours.name}`, fingerprint: behaviours.hash, stream };
}
