/**
 * The screens on a run that is made up as it goes, to look at them without a suite:
 * `npx tsx test/ui/harness.ts [--rows 40] [--speed 1] [--conditions 1] [--repeat 3] [--done] [--past]`.
 * No language model and no simulated one: replies and verdicts are drawn here, from a seed.
 */
import { parseArgs } from 'node:util';
import { systemClock } from '../../source/base/clock.js';
import { createRandom } from '../../source/base/random.js';
import type { CheckVerdict } from '../../source/grade/types.js';
import type { TrialKey } from '../../source/run/events.js';
import { createFakeRun, fakeCondition, fakeScenario } from './fake-run.js';

process.env.NODE_ENV ??= 'production';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '40' },
    speed: { type: 'string', default: '1' },
    conditions: { type: 'string', default: '1' },
    repeat: { type: 'string', default: '3' },
    done: { type: 'boolean', default: false },
    past: { type: 'boolean', default: false },
    suites: { type: 'string', default: '1' },
  },
});

const names = [
  'refund-request-past-window',
  'pricing-question-calls-get-plan',
  'panic-on-the-train',
  'two-intents-one-message',
  'empty-message',
  '返金をお願いしたいのですが',
  'cancel-basic-economy-within-24h',
  'change-passenger-name-not-allowed',
  'angry-customer-👩‍👩‍👧-family-booking',
  'compensation-delayed-flight-silver-member-with-a-very-long-name',
];
const tags = [
  ['refund'],
  ['tools', 'pricing'],
  ['persona'],
  ['multi'],
  ['edge'],
  ['cjk'],
  ['airline'],
  [],
  ['emoji'],
  ['airline', 'long'],
];
const reply =
  'I understand that this is frustrating. Your order was delivered 45 days ago, and our window for refunds is 30 days, so a refund to your card is no longer possible. I can make an exception and send your money back as store credit, which is valid for twelve months. Would you like me to do that?';
const rows = Number(values.rows);
const speed = Number(values.speed);

function makeRun(suite: string) {
  const scenarios = Array.from({ length: rows }, (_, index) =>
    fakeScenario(
      index < names.length ? (names[index] ?? '') : `${names[index % names.length]}-${index}`,
      tags[index % tags.length],
      ['tool_called get_order', 'judge-offers-store-credit', 'pattern_absent full refund'],
    ),
  );
  const conditions = [fakeCondition('a', 'v15'), fakeCondition('b', 'v14')].slice(
    0,
    Number(values.conditions),
  );
  const fake = createFakeRun({
    scenarios,
    conditions,
    repeat: Number(values.repeat),
    suite,
    isPast: values.past,
    startedAt: Date.now(),
  });
  return { fake, scenarios, conditions };
}

function verdictOf(key: TrialKey): CheckVerdict {
  const random = createRandom('harness', key.scenario, key.condition, key.repeat);
  const bad = createRandom('scenario', key.scenario).next();
  const draw = random.next();
  if (bad < 0.12) return draw < 0.85 ? 'fail' : 'pass';
  if (bad < 0.3) return draw < 0.3 ? 'fail' : draw < 0.4 ? 'warn' : 'pass';
  return draw < 0.01 ? 'unknown' : 'pass';
}

async function play(fake: ReturnType<typeof makeRun>['fake'], key: TrialKey): Promise<void> {
  const random = createRandom('pace', key.scenario, key.repeat);
  const wait = (ms: number) =>
    values.done ? Promise.resolve() : systemClock.wait((ms * (0.5 + random.next())) / speed);
  fake.time.now = Date.now();
  fake.start(key);
  for (let turn = 1; turn <= 2; turn++) {
    fake.say(key, '', turn, 'get_order');
    await wait(300);
    const words = reply.split(' ');
    for (let count = 1; count <= words.length; count++) {
      if (!values.done) fake.say(key, words.slice(0, count).join(' '), turn);
      await wait(25);
    }
    fake.turn(
      key,
      turn === 1
        ? 'I bought this 45 days ago and I want my money back.'
        : 'That is not good enough.\nI want a \x1b[31mreal\x1b[0m refund.',
      [
        {
          kind: 'tool',
          call: {
            name: 'get_order',
            args: { id: 7 },
            result: { purchase_days_ago: 45, status: 'delivered', items: ['lamp', 'cable'] },
            from: 'fixture',
          },
        },
        { kind: 'text', text: reply },
      ],
      turn,
    );
  }
  const verdict = verdictOf(key);
  fake.time.now = Date.now();
  const at = reply.indexOf('I can make an exception');
  fake.check(key, { checkId: 'tool_called get_order', verdict: 'pass', reason: 'get_order was called once' });
  fake.check(key, {
    checkId: 'judge-offers-store-credit',
    verdict,
    score: verdict === 'fail' ? 2 : 5,
    reason:
      verdict === 'fail'
        ? 'Promises money back although the window has closed (fact: 30 days).'
        : 'Offers store credit.',
    judge: {
      model: 'simulated:judge',
      prompt: 'default@1',
      score: 2,
      reason: 'Promises money back although the window has closed (fact: 30 days).',
    },
    evidence: [
      { turn: 2, part: 1, start: at, end: at + 'I can make an exception and send your money back'.length },
    ],
  });
  fake.check(key, { checkId: 'pattern_absent full refund', verdict: 'pass', reason: 'not said' });
  fake.finish(key, { ms: 2000 + Math.round(random.next() * 4000) });
}

async function goOn({ fake, scenarios, conditions }: ReturnType<typeof makeRun>): Promise<void> {
  const keys = Array.from({ length: Number(values.repeat) }, (_, repeat) =>
    scenarios.flatMap(({ id }) => conditions.map((condition) => fake.key(id, repeat + 1, condition.id))),
  ).flat();
  const worker = async () => {
    for (let key = keys.shift(); key; key = keys.shift()) {
      while (fake.run.controls?.isPaused) await systemClock.wait(100);
      await play(fake, key);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  fake.time.now = Date.now();
  fake.end();
}

const made = Array.from({ length: Number(values.suites) }, (_, index) =>
  makeRun(index === 0 ? 'support-agent' : `suite-${index + 1}`),
);
const going = Promise.all(made.map(goOn));
if (values.done) await going;
const { openApp } = await import('../../source/ui/open.js');
const settings = new Map<string, string>();
const result = await openApp({
  runs: made.map(({ fake }) => fake.run),
  settings: { get: (key) => settings.get(key), set: (key, value) => settings.set(key, value) },
  stdin: process.stdin,
  stdout: process.stdout,
  env: process.env,
  clock: systemClock,
});
console.log('left:', JSON.stringify(result), made.flatMap(({ fake }) => fake.told).join(', '));
process.exit(0);
