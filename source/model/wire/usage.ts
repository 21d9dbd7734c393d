import type { Usage } from '../types.js';
import { countAt, objectAt } from './reading.js';

/**
 * How an answer's usage is told. Some servers report none, some report zeros; no request takes zero tokens, so both
 * mean that nobody counted; and one that has only what went in, or only what came out, is the least that it can be.
 */
export function metered(usage: Usage, reports: readonly unknown[]): { usage: Usage; usageMissing?: true } {
  const isTold = (...keys: string[]) =>
    reports.some((report) => keys.some((key) => countAt(report, key) !== undefined));
  const isWhole = isTold('input_tokens', 'prompt_tokens') && isTold('output_tokens', 'completion_tokens');
  const isNothing = usage.input === 0 && usage.output === 0;
  return isNothing || !isWhole ? { usage, usageMissing: true } : { usage };
}

/**
 * Anthropic's usage. `input_tokens` counts what was neither read from nor written to the cache, so all input is the
 * sum of the three. Later reports in a stream are totals and replace earlier ones member by member. Thinking is part
 * of `output_tokens`.
 */
export function readAnthropicUsage(reports: readonly unknown[]): Usage {
  const latest = (key: string) => reports.reduce<number>((known, report) => countAt(report, key) ?? known, 0);
  const cacheRead = latest('cache_read_input_tokens');
  const cacheWrite = latest('cache_creation_input_tokens');
  const input = latest('input_tokens') + cacheRead + cacheWrite;
  return { input, output: latest('output_tokens'), cacheRead, cacheWrite };
}

/**
 * Usage of the chat completions and responses APIs, where cached tokens are inside the input and reasoning tokens
 * inside the output. Compatible servers differ, and two differences can be told from the numbers: a total that
 * counts more than prompt and completion has the reasoning on top (xAI, Gemini), and more cached tokens than input
 * tokens means that they are counted apart.
 */
export function readOpenAiUsage(report: unknown): Usage {
  const reported = countAt(report, 'prompt_tokens') ?? countAt(report, 'input_tokens') ?? 0;
  const completion = countAt(report, 'completion_tokens') ?? countAt(report, 'output_tokens') ?? 0;
  const total = countAt(report, 'total_tokens') ?? 0;
  const details = objectAt(report, 'prompt_tokens_details') ?? objectAt(report, 'input_tokens_details');
  // DeepSeek reports hits beside the details.
  const cacheRead = countAt(details, 'cached_tokens') ?? countAt(report, 'prompt_cache_hit_tokens') ?? 0;
  const cacheWrite = countAt(details, 'cache_write_tokens') ?? 0;
  const cached = cacheRead + cacheWrite;
  const input = cached > reported ? reported + cached : reported;
  return { input, output: Math.max(completion, total - input), cacheRead, cacheWrite };
}
