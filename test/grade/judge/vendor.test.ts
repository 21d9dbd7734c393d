import { describe, expect, it } from 'vitest';
import { sameVendor } from '../../../source/grade/judge/vendor.js';

const vendors = {
  local: 'alibaba',
  'router:anthropic/*': 'Anthropic',
  'router:openai/*': 'openai',
  'router:openai/gpt-oss-120b': 'somebody',
  azure: 'openai',
};

describe('agent and judge', () => {
  it.each([
    ['anthropic:claude-haiku-4-5', 'anthropic:claude-opus-4-5', { kind: 'same', vendor: 'anthropic' }],
    ['openai:gpt-4o', 'openai-responses:gpt-5', { kind: 'same', vendor: 'openai' }],
    ['openai:gpt-4o', 'anthropic:claude-haiku-4-5', { kind: 'different' }],
    ['router:anthropic/claude-haiku-4-5', 'anthropic:claude-opus-4-5', { kind: 'same', vendor: 'anthropic' }],
    ['router:anthropic/claude-haiku-4-5', 'router:openai/gpt-4o', { kind: 'different' }],
    ['router:openai/gpt-oss-120b', 'openai:gpt-4o', { kind: 'different' }],
    ['azure:gpt-4o', 'openai:gpt-4o', { kind: 'same', vendor: 'openai' }],
    ['local:qwen3', 'local:qwen3-judge', { kind: 'same', vendor: 'alibaba' }],
    ['other:claude-haiku', 'anthropic:claude-haiku-4-5', { kind: 'unknown', model: 'other:claude-haiku' }],
    ['openai:gpt-4o', 'other:gpt-4o', { kind: 'unknown', model: 'other:gpt-4o' }],
    ['other:gpt-4o', 'other:gpt-4o', { kind: 'same', vendor: 'other:gpt-4o' }],
    ['simulated:agent', 'simulated:judge', { kind: 'different' }],
    ['simulated:agent', 'simulated:agent', { kind: 'different' }],
    ['simulated:agent', 'openai:gpt-4o', { kind: 'different' }],
  ])('%s and %s are %j', (agent, judge, comparison) => {
    expect(sameVendor(agent, judge, vendors)).toEqual(comparison);
    const { kind } = sameVendor(judge, agent, vendors);
    expect(kind).toBe(comparison.kind);
  });

  it('are compared by what the config says, over what is known of a provider', () => {
    const moved = { anthropic: 'a gateway of ours' };
    expect(sameVendor('anthropic:a', 'anthropic:b', moved)).toEqual({
      kind: 'same',
      vendor: 'a gateway of ours',
    });
    expect(sameVendor('constructor:a', 'openai:b', {})).toEqual({ kind: 'unknown', model: 'constructor:a' });
  });
});
