// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what stands for a secret is the name of its variable
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecrets } from '../../source/project/known-secrets.js';
import { createLineReader } from '../../source/target/command/line-reader.js';
import { toAgentReply } from '../../source/target/product/agent-reply.js';
import { excerpt } from '../../source/target/product/excerpt.js';
import { createSessionLog } from '../../source/target/product/session-log.js';
import { watchSilence } from '../../source/target/product/silence.js';
import { createManualClock } from './manual-clock.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('token counts that cannot be are unknown, and not none', () => {
  const usage = { input: 9_007_199_254_740_991, output: 5, cacheRead: 0, cacheWrite: 0 };
  expect(toAgentReply({ texts: ['hi'], usage })).toMatchObject({
    usage: { input: 0, output: 0 },
    usageMissing: true,
  });
  expect(toAgentReply({ texts: ['hi'], usage: { ...usage, input: 7 } })).not.toHaveProperty('usageMissing');
});

describe('secrets', () => {
  it('are taken out in every form in which they are sent and quoted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 4, maxLength: 30 }), (value) => {
        fc.pre(value.trim().length >= 4 && !'before:after'.includes(value.trim()));
        const secrets = createSecrets();
        secrets.add('KEY', value);
        const forms = [
          value,
          JSON.stringify(value).slice(1, -1),
          Buffer.from(value).toString('base64'),
          encodeURIComponent(value.replace(/\p{Cs}/gu, '\ufffd')),
        ];
        for (const form of forms) expect(secrets.redact(`before:${form}:after`)).toBe('before:${KEY}:after');
      }),
    );
  });

  it('that hold another leave no half behind', () => {
    const secrets = createSecrets();
    secrets.add('SHORT', 'open');
    secrets.add('LONG', 'open-sesame');
    expect(secrets.redact('open-sesame, open')).toBe('${LONG}, ${SHORT}');
  });

  it('of the environment are known by the names of their variables, unless they are words', () => {
    const secrets = createSecrets({
      MY_API_KEY: 'marked-key-1',
      TOKEN_COUNT: '12345678',
      DB_PASSWORD: 'x',
      MODE: 'production',
    });
    expect(secrets.redact('marked-key-1 12345678 x production')).toBe('${MY_API_KEY} 12345678 x production');
  });

  it('are not shown in half where an excerpt is cut', () => {
    const secrets = createSecrets();
    secrets.add('KEY', 'marked-key-1');
    const text = excerpt(`${'x'.repeat(195)}marked-key-1`, secrets);
    expect(text).toBe(`${'x'.repeat(195)}\${KE…`);
  });
});

describe('a watch over silence', () => {
  function watched(ms: number) {
    const clock = createManualClock();
    let ends = 0;
    const watch = watchSilence(clock, ms, () => {
      ends++;
    });
    return {
      watch,
      clock,
      ends: () => ends,
      async pass(by: number) {
        clock.pass(by);
        await settled();
      },
    };
  }

  it('ends once, when the time has passed since the last sign of life', async () => {
    const { watch, ends, pass } = watched(100);
    await pass(60);
    watch.alive();
    await pass(60);
    expect(ends()).toBe(0);
    await pass(39);
    expect(ends()).toBe(0);
    await pass(1);
    expect(ends()).toBe(1);
    await pass(1000);
    expect(ends()).toBe(1);
  });

  it('that is stopped waits for nothing more', async () => {
    const { watch, clock, ends, pass } = watched(100);
    watch.stop();
    await settled();
    expect(clock.waits()).toBe(0);
    await pass(1000);
    expect(ends()).toBe(0);
  });
});

describe('lines', () => {
  it('are the same however their bytes arrive', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }).map((line) => line.replace(/[\r\n]/g, ''))),
        fc.string({ unit: 'grapheme' }).map((line) => line.replace(/[\r\n]/g, '')),
        fc.array(fc.nat(200)),
        fc.constantFrom('\n', '\r\n'),
        (lines, rest, cuts, end) => {
          const bytes = Buffer.from(lines.map((line) => line + end).join('') + rest);
          const at = [
            0,
            ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b),
            bytes.length,
          ];
          const heard: string[] = [];
          const reader = createLineReader({ maxBytes: 10_000, onLine: (line) => heard.push(line) });
          for (const [i, from] of at.slice(0, -1).entries()) reader.write(bytes.subarray(from, at[i + 1]));
          reader.end();
          expect(heard).toEqual(rest === '' ? lines : [...lines, rest]);
        },
      ),
    );
  });

  it('that are too long are cut, or told once; those after them are whole', () => {
    const heard: string[] = [];
    const cutting = createLineReader({ maxBytes: 5, onLine: (line) => heard.push(line) });
    for (const chunk of ['123', '456', '789\nab', 'c\n\n12345\n']) cutting.write(Buffer.from(chunk));
    expect(heard).toEqual(['12345', 'abc', '', '12345']);
    let told = 0;
    const telling = createLineReader({
      maxBytes: 5,
      onLine: (line) => heard.push(line),
      onTooLong: () => told++,
    });
    telling.write(Buffer.from('123456789'));
    telling.write(Buffer.from('0\nwhole\n'));
    telling.end();
    expect([told, heard.at(-1), heard.length]).toEqual([1, 'whole', 5]);
  });
});

it('the log of a session keeps the last lines, each cut, and says how many it dropped', () => {
  const secrets = createSecrets();
  secrets.add('KEY', 'marked-key-1');
  const log = createSessionLog(secrets);
  for (let i = 0; i < 45; i++) log.add(`line ${i}`);
  log.add(`${'y'.repeat(395)}marked-key-1`);
  const lines = log.read().split('\n');
  expect(lines.slice(0, 2)).toEqual(['(6 earlier lines dropped)', 'line 6']);
  expect(lines).toHaveLength(41);
  expect(lines.at(-1)).toBe(`${'y'.repeat(395)}\${KE…`);
});
