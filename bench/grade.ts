/**
 * What each type of check costs, per kilobyte of what the agent said and did, and whether that stays the same as a
 * conversation grows. Both sizes take turns, so that a busy machine weighs on both alike. `npm run bench -- grade`
 */
import type { Json, JsonObject } from '../source/base/json.js';
import { gradeTrial } from '../source/grade/grade.js';
import { buildQuestion } from '../source/grade/judge/question.js';
import { checkDefinitions } from '../source/grade/registry.js';
import type { AskJudge } from '../source/grade/types.js';
import { noUsage } from '../source/model/types.js';
import type { Transcript, Turn } from '../source/play/types.js';
import type { CheckSpec } from '../source/suite/types.js';
import type { ReplyPart } from '../source/target/types.js';

/** Time a kilobyte may not grow by more than this from the small conversation to the large one. */
const limits = { growth: 2, msPerKilobyte: 2 };
const kilobytes = { small: 32, large: 256 } as const;
const rounds = 9;

type Size = keyof typeof kilobytes;

/** Prose in several scripts, with what patterns and words almost find. */
const prose = [
  'We can offer you store credit for 12 months. ',
  'Leider ist eine Rückerstattung nach 30 Tagen nicht mehr möglich. ',
  '很抱歉，我们不能为这个订单办理换货。',
  'The refunds team aaaaaaaaaaaaaaaaaaaaaaaaaaa! is closed. ',
  'Your order RF-10293 costs $1,234.50 and was shipped on May 20, 2024. ',
];

function proseOf(size: number): string {
  let text = '';
  for (let at = 0; text.length < size; at++) text += prose[at % prose.length];
  return text;
}

function turnOf(index: number, parts: ReplyPart[], signals: Record<string, Json> = {}): Turn {
  return {
    index,
    message: `Message ${index}`,
    reply: {
      parts,
      text: parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n'),
      usage: { input: 900, output: 90, cacheRead: 0, cacheWrite: 0 },
      steps: 1,
      stop: 'end',
      model: 'bench',
      signals,
    },
    ms: 1000,
  };
}

/** Turns of prose, of about two kilobytes each. */
function talk(size: number): Transcript {
  const turns = Array.from({ length: Math.ceil(size / 2000) }, (_, index) =>
    turnOf(index + 1, [{ kind: 'text', text: proseOf(2000) }], {
      distress: 9 - (index % 5) - index / 1000,
      exercise: `exercise ${index}`,
    }),
  );
  return { turns, end: { kind: 'completed' }, unsent: [] };
}

/** Calls of tools, with arguments and results of about a quarter of a kilobyte each. */
function work(size: number): Transcript {
  const parts = Array.from({ length: Math.ceil(size / 250) }, (_, index): ReplyPart => {
    const args = { order: index, note: proseOf(100) };
    return {
      kind: 'tool',
      call: { name: 'get_order', args, result: { state: proseOf(60) }, from: 'fixture' },
    };
  });
  const turns = [turnOf(1, [...parts, { kind: 'text', text: 'Done.' }])];
  return { turns, end: { kind: 'completed' }, unsent: [] };
}

/** One reply in JSON. */
function data(size: number): Transcript {
  const items = Array.from({ length: Math.ceil(size / 100) }, (_, index) => ({
    id: index,
    name: `item ${index}`,
    price: `$${index}.50`,
    note: proseOf(30).slice(0, 30),
  }));
  const actions = items.map(({ id }) => ({ action_type: 'ship', fields: { id } }));
  const text = JSON.stringify({ items, actions });
  return { turns: [turnOf(1, [{ kind: 'text', text }])], end: { kind: 'completed' }, unsent: [] };
}

/** What is graded, so that all of the conversation has to be looked at. */
const cases: Record<string, { make: (size: number) => Transcript; args: JsonObject }> = {
  tool_called: { make: work, args: { tool: 'get_order', args: { order: { min: -2, max: -1 } } } },
  tool_not_called: { make: work, args: { tool: 'get_order', args: { note: { pattern: '^(a+)+$' } } } },
  tool_order: { make: work, args: { tools: ['get_order', 'refund_order'] } },
  field_equals: { make: data, args: { path: '$.items[*].name', value: 'none', match: 'normalised' } },
  field_present: { make: data, args: { path: '$..missing' } },
  json_schema: {
    make: data,
    args: { schema: { properties: { items: { items: { properties: { note: { pattern: '(.|x)*' } } } } } } },
  },
  pattern_present: { make: talk, args: { pattern: '(?i)(a+)+\\$|full refund\\b' } },
  pattern_absent: { make: talk, args: { pattern: '(?i)(a+)+\\$|full refund\\b' } },
  keywords_present: { make: talk, args: { words: ['refund', 'Rückerstattungen', '退款'] } },
  keywords_absent: { make: talk, args: { words: ['refund', 'Rückerstattungen', '退款'] } },
  signal: { make: talk, args: { name: 'distress', max: 9 } },
  no_duplicates: { make: data, args: { path: '$.items[*].price', match: 'normalised' } },
  session_ended: { make: talk, args: {} },
  action: {
    make: data,
    args: { actions: [{ action_type: 'ship', fields: { id: 1 } }], match: 'normalised' },
  },
  budget: { make: talk, args: { steps: { fail: 1_000_000 } } },
  fact_present: { make: talk, args: { fact: 'Money is paid back.' } },
  fact_absent: { make: talk, args: { fact: 'Money is paid back.' } },
  refusal: { make: talk, args: {} },
  conveys: { make: talk, args: { must: 'store credit', must_not: 'money back' } },
  judge: { make: talk, args: { rubric: 'Offers store credit.' } },
};

/** Of a judged check the question is what costs time here: the judge's own is not ours. */
const askJudge: AskJudge = async (question) => {
  const { length } = buildQuestion(question);
  const answers = { stated: length > 0, refused: false, must_1: true, must_not_1: false };
  return { verdict: { model: 'bench', prompt: 'bench@1', reason: 'r', pass: true, answers }, usage: noUsage };
};

async function time(check: CheckSpec, transcript: Transcript): Promise<number> {
  const started = performance.now();
  const [result] = await gradeTrial([check], { transcript, suiteFolder: '/', seed: 's', askJudge }, () => {});
  const ms = performance.now() - started;
  if (result === undefined || result.reason.includes(' broke: '))
    throw new Error(`${check.type}: ${result?.reason ?? 'no result'}`);
  return ms;
}

let isBeyond = false;
console.log(`microseconds a kilobyte, at ${kilobytes.small} and ${kilobytes.large} kB`);
for (const { type, schema } of checkDefinitions) {
  // What a program or a module does is not ours.
  if (type === 'custom') continue;
  const known = cases[type];
  if (!known) throw new Error(`there is no case for ${type}`);
  const check: CheckSpec = {
    id: type,
    type,
    args: schema.parse(known.args),
    place: { file: 'bench', line: 1, column: 1 },
  };
  const transcripts = {
    small: known.make(kilobytes.small * 1000),
    large: known.make(kilobytes.large * 1000),
  };
  // Small runs are repeated until they are as long as large ones, so that both are measured alike.
  const repeats = { small: kilobytes.large / kilobytes.small, large: 1 };
  const perKilobyte: Record<Size, number[]> = { small: [], large: [] };
  for (let round = 0; round < rounds; round++) {
    for (const size of ['small', 'large'] as const) {
      let ms = 0;
      for (let repeat = 0; repeat < repeats[size]; repeat++) ms += await time(check, transcripts[size]);
      // The first round is for the compiler.
      if (round > 0) perKilobyte[size].push(ms / repeats[size] / kilobytes[size]);
    }
  }
  // The best of all rounds: whatever else the machine does can only add to it.
  const [small, large] = [Math.min(...perKilobyte.small), Math.min(...perKilobyte.large)];
  const growth = large / small;
  // What takes hardly any time has no growth that could be told from chance.
  const isGrowing = growth > limits.growth && large * kilobytes.large > 1;
  const isSlow = large > limits.msPerKilobyte;
  if (isGrowing || isSlow) isBeyond = true;
  console.log(
    `${type.padEnd(18)}${(small * 1000).toFixed(1).padStart(9)}${(large * 1000).toFixed(1).padStart(9)}   growth ${growth.toFixed(2)}${isGrowing || isSlow ? '   BEYOND ITS LIMIT' : ''}`,
  );
}
console.log(`growth at most ${limits.growth}, and ${limits.msPerKilobyte} ms a kilobyte`);
process.exit(isBeyond ? 1 : 0);
