import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../source/base/clock.js';
import { sha256 } from '../../../source/base/hash.js';
import { createJudge } from '../../../source/grade/judge/ask.js';
import { createFileCache } from '../../../source/grade/judge/cache.js';
import type { CachedVerdict, JudgeCache, JudgeQuestion, JudgeTask } from '../../../source/grade/types.js';
import type { ChatModel } from '../../../source/model/types.js';
import { conversation } from '../transcripts.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evalrun-cache-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const verdict: CachedVerdict = { score: 4, reason: 'offers credit' };
const keyOf = (text: string) => sha256(text);

/** Every file below the folder. */
async function files(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe('the cache of verdicts', () => {
  it('gives back what was put in, also to another process', async () => {
    await createFileCache({ folder }).set(keyOf('a'), verdict);
    const another = createFileCache({ folder });
    expect(await another.get(keyOf('a'))).toEqual(verdict);
    expect(await another.get(keyOf('b'))).toBeUndefined();
  });

  it('holds verdicts of every form', async () => {
    const cache = createFileCache({ folder });
    for (const [index, one] of [
      { pass: false, reason: '' },
      { answers: { must_1: true, must_not_1: false }, reason: 'r' },
      { score: 1, reason: 'x'.repeat(2000) },
    ].entries()) {
      await cache.set(keyOf(`k${index}`), one);
      expect(await cache.get(keyOf(`k${index}`))).toEqual(one);
    }
  });

  it('forgets an entry that is damaged, and writes it anew', async () => {
    const cache = createFileCache({ folder });
    await cache.set(keyOf('a'), verdict);
    const [file = ''] = await files();
    const whole = await readFile(file, 'utf8');
    const damaged = [
      whole.slice(0, 20),
      '',
      'null',
      whole.replace('4', '9'),
      whole.replace('"score":4', '"score":"4"'),
      whole.replace(keyOf('a'), keyOf('b')),
    ];
    for (const text of damaged) {
      await writeFile(file, text);
      expect(await cache.get(keyOf('a')), text).toBeUndefined();
    }
    await cache.set(keyOf('a'), verdict);
    expect(await cache.get(keyOf('a'))).toEqual(verdict);
  });

  it('is bounded, and drops what was used longest ago', async () => {
    let now = 1_000_000_000_000;
    const clock = { ...systemClock, now: () => (now += 1000) };
    // One verdict a folder of the first two digits.
    const cache = createFileCache({ folder, most: 256, clock });
    const alike = Array.from({ length: 4 }, (_, index) => `aa${index}${'0'.repeat(20)}`);
    for (const key of alike) await cache.set(key, verdict);
    expect(await files()).toHaveLength(1);
    expect(await cache.get(alike[3] ?? '')).toEqual(verdict);

    const roomy = createFileCache({ folder, most: 512, clock });
    await roomy.set(alike[0] ?? '', verdict);
    await roomy.get(alike[3] ?? '');
    await roomy.set(alike[1] ?? '', verdict);
    expect(await roomy.get(alike[3] ?? '')).toEqual(verdict);
    expect(await roomy.get(alike[1] ?? '')).toEqual(verdict);
    expect(await roomy.get(alike[0] ?? '')).toBeUndefined();
  });

  it('keeps no verdict that is too long, and no key that could leave the folder', async () => {
    const cache = createFileCache({ folder });
    await cache.set(keyOf('a'), { pass: true, reason: 'x'.repeat(100_000) });
    await cache.set('../../etc/passwd', verdict);
    await cache.set('..', verdict);
    expect(await files()).toEqual([]);
    expect(await cache.get('../../etc/passwd')).toBeUndefined();
  });

  it('never fails, where nothing can be written or read', async () => {
    const file = join(folder, 'a-file');
    await writeFile(file, 'text');
    const cache = createFileCache({ folder: join(file, 'below') });
    await expect(cache.set(keyOf('a'), verdict)).resolves.toBeUndefined();
    await expect(cache.get(keyOf('a'))).resolves.toBeUndefined();
  });

  it('may be written to by many at once', async () => {
    const caches = [createFileCache({ folder, most: 512 }), createFileCache({ folder, most: 512 })];
    const keys = Array.from({ length: 30 }, (_, index) => `bb${String(index).padStart(10, '0')}`);
    await Promise.all(
      keys.flatMap((key) => caches.map((cache) => cache.set(key, { pass: true, reason: key }))),
    );
    for (const key of keys) {
      const kept = await caches[0]?.get(key);
      if (kept) expect(kept.reason).toBe(key);
    }
    expect((await files()).length).toBeLessThanOrEqual(2);
  });
});

/** A model that counts its answers in the reason. */
function countingModel(name = 'openai:judge'): ChatModel & { asked: number } {
  return {
    name,
    asked: 0,
    async *stream() {
      this.asked++;
      yield { type: 'text', text: `{"reason": "answer ${this.asked}", "stated": true, "score": 3}` };
      yield { type: 'done', stop: 'end', usage: { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 } };
    },
  };
}

function mapCache(): JudgeCache & { map: Map<string, CachedVerdict> } {
  const map = new Map<string, CachedVerdict>();
  return { map, get: async (key) => map.get(key), set: async (key, value) => void map.set(key, value) };
}

const prompt = 'Common.\n## Task: judge\nGrade.\n## Task: fact\nFind.';
const question: JudgeQuestion = {
  task: { kind: 'judge', rubric: 'Offers credit.', scale: 'score' },
  transcript: conversation('I can offer credit.'),
  on: 'replies',
  seed: 'a',
  index: 1,
};

describe('a judge with a cache', () => {
  it('is not asked the same twice, and says so', async () => {
    const model = countingModel();
    const ask = createJudge({ model, promptName: 'own@1', promptText: prompt, cache: mapCache() });
    const first = await ask(question);
    expect(first).toMatchObject({ verdict: { reason: 'answer 1' }, usage: { input: 100 } });
    expect(first.verdict).not.toHaveProperty('cached');
    const second = await ask({ ...question, seed: 'another trial' });
    expect(second).toEqual({
      verdict: { model: 'openai:judge', prompt: 'own@1', score: 3, reason: 'answer 1', cached: true },
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    });
    expect(model.asked).toBe(1);
  });

  it('is asked anew when anything that decides has changed', async () => {
    const cache = mapCache();
    const judge = (promptText: string, name?: string) => {
      const model = countingModel(name);
      return { model, ask: createJudge({ model, promptName: 'own@1', promptText, cache }) };
    };
    const { model, ask } = judge(prompt);
    const { task } = question;
    const other: JudgeTask = { kind: 'judge', rubric: 'Offers credit!', scale: 'score' };
    const changed: Partial<JudgeQuestion>[] = [
      {},
      { index: 2 },
      { task: other },
      { task: { ...other, fact: 'A fact.' } },
      { task: { kind: 'fact', claim: 'Offers credit.' } },
      { transcript: conversation('I can offer credit!') },
      { transcript: conversation('I can offer credit.', 'Bye.') },
      { transcript: conversation('Hello.', 'I can offer credit.', 'Bye.'), on: { from: 2, to: 3 } },
    ];
    for (const change of changed) await ask({ ...question, ...change });
    expect(model.asked).toBe(changed.length);
    for (const change of changed) await ask({ ...question, ...change });
    expect(model.asked).toBe(changed.length);

    const otherPrompt = judge(prompt.replace('Grade.', 'Grade!'));
    await otherPrompt.ask({ ...question, task });
    expect(otherPrompt.model.asked).toBe(1);
    const otherTask = judge(prompt.replace('Find.', 'Find!'));
    await otherTask.ask(question);
    expect(otherTask.model.asked).toBe(0);
    const otherModel = judge(prompt, 'openai:better-judge');
    await otherModel.ask(question);
    expect(otherModel.model.asked).toBe(1);
  });

  it('keeps no answer that could not be read', async () => {
    const cache = mapCache();
    const model: ChatModel = {
      name: 'openai:judge',
      async *stream() {
        yield { type: 'text', text: 'Hm.' };
        yield { type: 'done', stop: 'end', usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 } };
      },
    };
    await createJudge({ model, promptName: 'own@1', promptText: prompt, cache })(question);
    expect(cache.map.size).toBe(0);
  });

  it('that is simulated draws each time: its chance is what the seed names', async () => {
    const cache = mapCache();
    const model = countingModel('simulated:judge');
    const ask = createJudge({ model, promptName: 'own@1', promptText: prompt, cache });
    await ask(question);
    await ask(question);
    expect(model.asked).toBe(2);
    expect(cache.map.size).toBe(0);
  });
});
