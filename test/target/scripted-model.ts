import type { ChatEvent, ChatModel, ChatRequest, StopReason, Usage } from '../../source/model/types.js';

/** One scripted answer: events before the end, or an error to throw. */
export interface ScriptedAnswer {
  say?: string | string[];
  calls?: { name: string; args: Record<string, never> | object | string }[];
  stop?: StopReason;
  usage?: Usage;
  usageMissing?: true;
  carry?: string[];
  /** The stream ends with no `done`. */
  breaksOff?: boolean;
  throws?: Error;
}

/** A model that gives one scripted answer after the other, and keeps what it was asked. */
export function createScriptedModel(answers: ScriptedAnswer[]): ChatModel & { requests: ChatRequest[] } {
  const requests: ChatRequest[] = [];
  let next = 0;
  return {
    name: 'scripted:model',
    requests,
    async *stream(request): AsyncGenerator<ChatEvent> {
      requests.push(request);
      const answer = answers[next++];
      if (answer === undefined) throw new Error('the script has no answer left');
      if (answer.throws !== undefined) throw answer.throws;
      for (const text of typeof answer.say === 'string' ? [answer.say] : (answer.say ?? [])) {
        yield { type: 'text', text };
      }
      for (const [at, { name, args }] of (answer.calls ?? []).entries()) {
        const id = `${next}-${at + 1}`;
        yield {
          type: 'tool-request',
          request: {
            id,
            name,
            args: typeof args === 'string' ? args : { ...(args as Record<string, never>) },
          },
        };
      }
      if (answer.breaksOff) return;
      yield {
        type: 'done',
        stop: answer.stop ?? (answer.calls ? 'tool-calls' : 'end'),
        usage: answer.usage ?? { input: 100, output: 10, cacheRead: 60, cacheWrite: 20 },
        ...(answer.usageMissing && { usageMissing: true as const }),
        ...(answer.carry && { carry: answer.carry }),
      };
    },
  };
}
