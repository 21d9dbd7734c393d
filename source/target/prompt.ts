import { quote } from '../base/quote.js';
import {
  addUsage,
  type Carry,
  type ChatEvent,
  type ChatMessage,
  type ChatModel,
  type ChatRequest,
  ModelError,
  noUsage,
  type StopReason,
  type ToolRequest,
  type Usage,
} from '../model/types.js';
import type { ModelSettings, ToolDefinition } from '../suite/types.js';
import {
  type AgentReply,
  type CallTool,
  MissingFixtureError,
  type ReplyPart,
  type ReplyProgress,
  type Target,
  type ToolCall,
} from './types.js';

/** Everything of a prompt target that is the same for all its sessions. */
export interface PromptTargetOptions {
  model: ChatModel;
  /** The system prompt's text, sent as it is. */
  system: string;
  tools: ToolDefinition[];
  settings: ModelSettings;
}

/** What one model request gave: text and tool requests in the order in which they came. */
interface ModelAnswer {
  blocks: ({ kind: 'text'; text: string } | { kind: 'request'; request: ToolRequest })[];
  stop: StopReason;
  usage: Usage;
  isUsageMissing: boolean;
  carry: Carry | undefined;
}

/** Text of several parts as a reader gets it: a blank line between them. */
function joinText(texts: readonly string[]): string {
  return texts.join('\n\n');
}

async function readAnswer(
  model: ChatModel,
  request: ChatRequest,
  onProgress: (progress: ReplyProgress) => void,
): Promise<ModelAnswer> {
  const blocks: ModelAnswer['blocks'] = [];
  let done: Extract<ChatEvent, { type: 'done' }> | undefined;
  for await (const event of model.stream(request)) {
    if (event.type === 'done') {
      done = event;
    } else if (event.type === 'restart') {
      blocks.length = 0;
    } else if (event.type === 'tool-request') {
      blocks.push({ kind: 'request', request: event.request });
      onProgress({ type: 'tool', name: event.request.name });
    } else if (event.text !== '') {
      let block = blocks.at(-1);
      if (block?.kind !== 'text') {
        block = { kind: 'text', text: '' };
        blocks.push(block);
      }
      block.text += event.text;
      onProgress({ type: 'text', text: block.text });
    }
  }
  if (done === undefined)
    throw new ModelError('bad-answer', `the answer of ${model.name} broke off in the middle`);
  const { stop, usage, usageMissing, carry } = done;
  return { blocks, stop, usage, isUsageMissing: usageMissing ?? false, carry };
}

/** The answer as the next request sends it back. */
function toMessage({ blocks, carry }: ModelAnswer): ChatMessage {
  const text = joinText(blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : [])));
  const toolRequests = blocks.flatMap((block) => (block.kind === 'request' ? [block.request] : []));
  return { role: 'assistant', text, toolRequests, ...(carry && { carry }) };
}

/** What the model gets to read of a call that was answered. */
function toResultMessage({ id }: ToolRequest, call: ToolCall): ChatMessage {
  const isError = call.error !== undefined;
  const content =
    call.error ?? (typeof call.result === 'string' ? call.result : JSON.stringify(call.result ?? null));
  return { role: 'tool', toolRequestId: id, name: call.name, content, isError };
}

/**
 * The product is a prompt and a model in a plain agent loop: the model is asked until it calls no more tools,
 * or `maxSteps` times; the calls of the last request are still answered, so that the conversation can go on.
 * A tool that is not among `tools`, and arguments that are no JSON object, are answered with an error that the
 * model reads, as agent loops do; neither ends the trial.
 */
export function createPromptTarget({ model, system, tools, settings }: PromptTargetOptions): Target {
  const toolNames = new Set(tools.map(({ name }) => name));

  async function answerCall(
    { name, args }: ToolRequest,
    callTool: CallTool,
    signal: AbortSignal,
  ): Promise<ToolCall> {
    if (!toolNames.has(name)) {
      const known = tools.length === 0 ? 'there are no tools' : `the tools are ${[...toolNames].join(', ')}`;
      return { name, args, error: `there is no tool named ${quote(name)}; ${known}`, from: 'none' };
    }
    if (typeof args === 'string') {
      return { name, args, error: 'the arguments are not a JSON object', from: 'none' };
    }
    try {
      const answer = await callTool(name, args, signal);
      return { name, args, ...answer, from: answer.from ?? 'fixture' };
    } catch (error) {
      if (error instanceof MissingFixtureError) return { name, args, from: 'none' };
      throw error;
    }
  }

  return {
    async open({ seed, callTool }) {
      const messages: ChatMessage[] = [];
      let turn = 0;

      /** Records an answer and answers its calls, in order. False when a call has no answer: nothing goes on from there. */
      async function takeAnswer(
        answer: ModelAnswer,
        parts: ReplyPart[],
        signal: AbortSignal,
      ): Promise<boolean> {
        messages.push(toMessage(answer));
        for (const block of answer.blocks) {
          if (block.kind === 'text') {
            parts.push(block);
            continue;
          }
          const call = await answerCall(block.request, callTool, signal);
          parts.push({ kind: 'tool', call });
          if (call.result === undefined && call.error === undefined) return false;
          messages.push(toResultMessage(block.request, call));
        }
        return true;
      }

      return {
        async send(message, onProgress, signal) {
          turn++;
          messages.push({ role: 'user', text: message });
          const parts: ReplyPart[] = [];
          let usage = noUsage;
          let isUsageMissing = false;
          let steps = 0;
          let stop: AgentReply['stop'] = 'step-limit';
          while (steps < settings.maxSteps) {
            signal.throwIfAborted();
            const request: ChatRequest = {
              system,
              // A copy: what was asked stays as it was, whoever holds on to the request.
              messages: [...messages],
              tools,
              maxTokens: settings.maxTokens,
              // One seed for the whole turn: its steps belong to one draw.
              seed: `${seed}/${turn}`,
              signal,
            };
            if (settings.temperature !== undefined) request.temperature = settings.temperature;
            const answer = await readAnswer(model, request, onProgress);
            steps++;
            usage = addUsage(usage, answer.usage);
            isUsageMissing ||= answer.isUsageMissing;
            if (!(await takeAnswer(answer, parts, signal))) {
              stop = 'no-fixture';
              break;
            }
            if (answer.blocks.every(({ kind }) => kind === 'text')) {
              stop = answer.stop;
              break;
            }
          }
          const text = joinText(parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])));
          const missing = isUsageMissing ? { usageMissing: true as const } : {};
          return { parts, text, usage, ...missing, steps, stop, model: model.name };
        },
        async close() {},
      };
    },
  };
}
