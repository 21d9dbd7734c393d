import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Usage } from '../../source/model/types.js';
import { formatDollars, priceLines, priceRun, totalOf } from '../../source/report/price.js';
import { bundledPrices, createPrices, type PriceOverrides } from '../../source/report/prices.js';
import {
  type Feed,
  feedOf,
  finished,
  plannedCondition,
  plannedScenario,
  runStarted,
  trialKey,
} from '../tally/support.js';
import { hostile, unsafe } from './support.js';

const at = Date.UTC(2026, 10, 30);
const million: Usage = { input: 1e6, output: 1e6, cacheRead: 0, cacheWrite: 0 };

/** Three trials of 100 tokens in and 10 out; the judge takes 7 each. */
function runOn(model: string, judge = 'simulated:judge', more: object = {}): Feed {
  const conditions = [plannedCondition('a', { model })];
  const feed = feedOf({
    ...runStarted([plannedScenario('s')], 3, conditions),
    at,
    judge: { model: judge, prompt: 'default@1', promptSha256: 'x' },
    ...more,
  });
  for (const repeat of [1, 2, 3]) feed.trial(trialKey('s', repeat), { c: 'pass' });
  return feed;
}

async function linesOf(feed: Feed, overrides: PriceOverrides = {}): Promise<string[]> {
  return [...priceLines([priceRun(feed.tally, await createPrices(overrides))])];
}

describe('the table of prices', () => {
  it('is the one that is installed, and dated', () => {
    const file = new URL('../../node_modules/@pydantic/genai-prices/package.json', import.meta.url);
    const { version } = JSON.parse(readFileSync(file, 'utf8'));
    // After an update of the package: its version, and the day on which that was published.
    expect(bundledPrices.version).toBe(version);
    expect(bundledPrices.asOf).toMatch(/^20\d\d-\d\d-\d\d$/);
  });

  it('knows models of the official providers by our names for them', async () => {
    const priceOf = await createPrices({});
    for (const model of ['openai:gpt-4o-mini', 'openai-responses:gpt-4o-mini']) {
      expect(priceOf(model, million, at)).toEqual({
        kind: 'priced',
        dollars: expect.closeTo(0.75, 9),
        asOf: bundledPrices.asOf,
        source: 'bundled',
      });
    }
    expect(
      priceOf('anthropic:claude-haiku-4-5', { ...million, cacheRead: 5e5, cacheWrite: 1e5 }, at),
    ).toMatchObject({ dollars: expect.closeTo(0.4 + 0.05 + 0.125 + 5, 9) });
    expect(priceOf('openai:no-such-model', million, at)).toEqual({ kind: 'unknown' });
    expect(priceOf('http product', million, at)).toEqual({ kind: 'unknown' });
    expect(priceOf('openai:gpt-4o-mini', { input: 1, output: 1, cacheRead: 9, cacheWrite: 9 }, at)).toEqual({
      kind: 'unknown',
    });
  });

  it('does not take the sum of many requests for one long one', async () => {
    const priceOf = await createPrices({});
    const price = priceOf('google:gemini-2.5-pro', million, at);
    expect(price).toMatchObject({ kind: 'priced', dollars: expect.closeTo(11.25, 9), isLowestTier: true });
  });

  it('stands below what the config says, also for models that nobody else knows', async () => {
    const own = { input: 2, output: 4, cacheRead: 1, asOf: '2026-10-01' };
    const priceOf = await createPrices({ 'openai:gpt-4o-mini': own, 'local:x': own });
    for (const model of ['openai:gpt-4o-mini', 'local:x']) {
      const price = priceOf(model, { ...million, cacheRead: 5e5, cacheWrite: 1e5 }, at);
      expect(price).toEqual({
        kind: 'priced',
        dollars: expect.closeTo(0.8 + 0.5 + 0.2 + 4, 9),
        asOf: '2026-10-01',
        source: 'config',
      });
    }
  });

  it('gives prices that grow with tokens, one by one', async () => {
    const priceOf = await createPrices({});
    const tokens = fc.nat({ max: 5e6 });
    fc.assert(
      fc.property(
        fc.constantFrom('openai:gpt-4o-mini', 'google:gemini-2.5-pro', 'anthropic:claude-opus-4-5'),
        tokens,
        tokens,
        (model, input, output) => {
          const usage = { input, output, cacheRead: 0, cacheWrite: 0 };
          const dollars = (one: Usage) => {
            const price = priceOf(model, one, at);
            return price.kind === 'priced' ? price.dollars : Number.NaN;
          };
          const twice = dollars({ ...usage, input: 2 * input, output: 2 * output });
          expect(twice).toBeCloseTo(2 * dollars(usage), 6);
        },
      ),
    );
  });
});

describe('what a run cost', () => {
  it('is told ledger by ledger, with the date of the prices on every figure', async () => {
    const feed = runOn('anthropic:claude-haiku-4-5', 'openai:gpt-4o-mini');
    feed.tell(finished());
    expect(await linesOf(feed)).toEqual([
      'run 20261130-142530-k3fz   tiny   2026-11-30 00:00',
      '  agent  anthropic:claude-haiku-4-5  $0.00045   prices of 2026-09-23 (genai-prices 0.1.8)',
      '         tokens 300 input, 30 output, 0 cache read, 0 cache written, cache 0 %, effective input 300',
      '  judge  openai:gpt-4o-mini          $0.0000031   prices of 2026-09-23 (genai-prices 0.1.8)',
      '         tokens 21 input, 0 output, 0 cache read, 0 cache written, cache 0 %, effective input 21',
      '  total  $0.00045   prices of 2026-09-23',
    ]);
  });

  it('is never a price for a stand-in', async () => {
    const feed = runOn('simulated:tiny');
    feed.tell(finished());
    const lines = await linesOf(feed);
    expect(lines.filter((line) => line.includes('simulated: not priced'))).toHaveLength(2);
    expect(lines.join()).not.toContain('$');
    expect(totalOf([priceRun(feed.tally, await createPrices({}))])).toBeUndefined();
  });

  it('names models without a price, and is at least the rest', async () => {
    const feed = runOn('local:qwen3', 'openai:gpt-4o-mini');
    feed.tell(finished());
    const lines = await linesOf(feed);
    expect(lines[1]).toBe('  agent  local:qwen3         no price known');
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}total {2}at least \$/));
    expect(lines.at(-1)).toMatch(
      /^no price of local:qwen3: say it in .evalrc.json, "prices": \{"local:qwen3"/,
    );
  });

  it.each<[string, (feed: Feed) => void]>([
    ['the run is tainted', (feed) => feed.tell({ type: 'taint', at: 9000, kind: 'auth', message: 'x' })],
    ['the run is not complete', () => {}],
  ])('is at least that where %s', async (why, happen) => {
    const feed = runOn('openai:gpt-4o-mini');
    happen(feed);
    if (why !== 'the run is not complete') feed.tell(finished());
    const lines = await linesOf(feed);
    expect(lines[1]).toMatch(/at least \$/);
    expect(lines).toContain(`         more was used than is counted: ${why}`);
  });

  it('leaves out the conversations that are graded again', async () => {
    const feed = runOn('openai:gpt-4o-mini', 'openai:gpt-4o-mini', {
      regradeOf: { runId: 'first', stale: [] },
    });
    feed.tell(finished());
    const lines = await linesOf(feed);
    expect(lines.join()).toContain('those are priced with run first');
    expect(lines.filter((line) => line.includes('agent'))).toEqual([]);
  });

  it('is safe to print', async () => {
    const feed = runOn(hostile, hostile);
    feed.tell(finished());
    expect((await linesOf(feed)).join('\n')).not.toMatch(unsafe);
  });
});

it('dollars are short, and never nothing where there was something', () => {
  expect([0, 0.0000032, 0.0042, 0.051, 0.1, 1.005, 1234.5].map(formatDollars)).toEqual([
    '$0.00',
    '$0.0000032',
    '$0.0042',
    '$0.051',
    '$0.10',
    '$1.00',
    '$1,234.50',
  ]);
});
