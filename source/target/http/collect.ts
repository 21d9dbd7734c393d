import type { Json } from '../../base/json.js';
import { noUsage, type Usage } from '../../model/types.js';
import { type ProductReply, toAgentReply, usageMistake } from '../product/agent-reply.js';
import { readToolCalls } from '../product/tool-calls.js';
import type { AgentReply, ToolCall } from '../types.js';
import {
  AnswerMistake,
  pickBoolean,
  pickCount,
  pickList,
  pickSuggestions,
  pickText,
  pickTexts,
  pickValue,
  type SendPicks,
  wrongValue,
} from './picks.js';

/** What was new in one answer or event. */
export interface Heard {
  /** The reply so far, when there is more of it. */
  text?: string;
  tools: string[];
}

/** Puts one turn together from a single answer, or from the events of a stream in their order. */
export interface Collector {
  /** Throws AnswerMistake. */
  take(value: Json): Heard;
  /** Throws AnswerMistake when the reply is missing, unless the product ended the session. */
  finish(): AgentReply;
}

/**
 * Pieces add up; of whole replies, and of every other value, the last one counts. Tool calls add up too, until an
 * event with the whole reply lists them: that list is all of them.
 */
export function createCollector(picks: SendPicks): Collector {
  let pieces = '';
  let replies: string[] | undefined;
  let toolCalls: ToolCall[] = [];
  let usage: Usage | undefined;
  const counted = new Set<keyof Usage>();
  const said: Omit<ProductReply, 'texts' | 'toolCalls' | 'usage'> = {};

  function takeToolCalls(value: Json, isWhole: boolean): string[] {
    const items = pickList(picks.toolCalls, value);
    if (items === undefined) return [];
    const calls = readToolCalls(items);
    if (!Array.isArray(calls)) {
      throw new AnswerMistake(`toolCalls${calls.key} (${picks.toolCalls?.path}): ${calls.message}`);
    }
    const before = toolCalls.length;
    toolCalls = isWhole ? calls : [...toolCalls, ...calls];
    return toolCalls.slice(before).map(({ name }) => name);
  }

  function takeUsage(value: Json): void {
    for (const [name, pick] of picks.usage) {
      const count = pickCount(pick, value, `usage.${name}`);
      if (count === undefined) continue;
      usage = { ...(usage ?? noUsage), [name]: count };
      counted.add(name);
    }
  }

  function takeRest(value: Json): void {
    for (const [name, pick] of picks.signals) {
      const signal = pickValue(pick, value);
      if (signal !== undefined) said.signals = { ...said.signals, [name]: signal };
    }
    const suggestions = pickSuggestions(picks.suggestions, value);
    if (suggestions !== undefined) said.suggestions = suggestions;
    const model = pickText(picks.model, value, 'model');
    if (model !== undefined) said.model = model;
    const version = pickText(picks.version, value, 'version', true);
    if (version !== undefined) said.version = version;
    const ended = pickBoolean(picks.ended, value, 'ended');
    if (ended !== undefined) said.ended = ended;
    const fallback = pickBoolean(picks.fallback, value, 'fallback');
    if (fallback !== undefined) said.fallback = fallback;
  }

  return {
    take(value) {
      const heard: Heard = { tools: [] };
      const more = pickTexts(picks.delta, value, 'delta').join('');
      if (more !== '') {
        pieces += more;
        heard.text = pieces;
      }
      const whole = pickTexts(picks.reply, value, 'reply', true);
      if (whole.length > 0) {
        replies = whole;
        heard.text = whole.join('\n\n');
      }
      heard.tools = takeToolCalls(value, whole.length > 0);
      takeUsage(value);
      takeRest(value);
      return heard;
    },
    finish() {
      if (picks.reply !== undefined && replies === undefined && said.ended !== true) {
        throw wrongValue('reply', picks.reply.path, undefined, 'the text of the reply');
      }
      if (picks.reply === undefined && pieces === '' && said.ended !== true) {
        throw wrongValue('delta', picks.delta?.path ?? '', undefined, 'pieces of the reply');
      }
      const mistake = usage && usageMistake(usage);
      if (mistake !== undefined) {
        const path = picks.usage.find(([name]) => name === 'input')?.[1].path ?? 'no path';
        throw new AnswerMistake(
          `usage.input (${path}): ${mistake}; a path that finds several counts adds them up`,
        );
      }
      const reply: ProductReply = { texts: replies ?? [pieces], toolCalls, ...said };
      if (usage !== undefined) reply.usage = usage;
      // What went in and what came out are the two that every report of usage has.
      if (!counted.has('input') || !counted.has('output')) reply.usageMissing = true;
      return toAgentReply(reply);
    },
  };
}
