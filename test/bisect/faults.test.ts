import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../source/base/clock.js';
import { createHttpTarget } from '../../source/target/http.js';
import { temporaryFolder } from '../run/support.js';
import { httpSpec } from '../target/http/http-target.js';
import { answerJson, startServer } from '../target/http/local-server.js';
import { plannedBisect } from './planned.js';
import { beginReal, finishReal, readReal, resumeReal } from './real-run.js';

/** What goes wrong with a product, one after the other. */
const faults: readonly ((response: ServerResponse) => unknown)[] = [
  (response) => answerJson(response, { error: 'slow down' }, 429),
  (response) => answerJson(response, { error: 'oops' }, 500),
  (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('<html>{"reply":'),
  // No answer at all: the hard limit of the trial.
  () => undefined,
  (response) => response.destroy(),
  (response) => answerJson(response, { reply: 'no', isFallback: true }),
  (response) => answerJson(response, { other: 'no' }),
];

/** A product whose answers hang on the second rule of its prompt. `isDown`: by the number of the request. */
async function startProduct(isDown: (request: number) => boolean) {
  let requests = 0;
  let failed = 0;
  const server = await startServer(({ body }, response) => {
    if (isDown(requests++)) return faults[failed++ % faults.length]?.(response);
    const { prompt } = JSON.parse(body) as { prompt: string };
    return answerJson(response, {
      reply: prompt.includes('Rule 2 is bad') ? 'no' : 'yes',
      isFallback: false,
    });
  });
  const target = createHttpTarget(
    httpSpec(server.url, {
      send: {
        method: 'POST',
        path: '/chat',
        body: { text: '{{message}}', prompt: '{{prompt}}' },
        reply: '$.reply',
        fallback: '$.isFallback',
      },
    }),
    { env: {}, clock: systemClock },
  );
  return { target, failures: () => failed };
}

const planned = plannedBisect({ watched: [{ scenario: 'refund', check: 'agrees' }] });
/** One try a trial, of 300 ms at most. */
const given = { attempts: 1, limitMs: 300 };

it('what could not be run is no evidence: a product that fails two requests of three blames nobody else', async () => {
  const { target, failures } = await startProduct((request) => request % 3 !== 0);
  const opened = await beginReal(await temporaryFolder(), { planned, targetOf: () => target, given });
  await finishReal(opened);
  const { record, driver, run } = opened;
  expect(driver.status()).toMatchObject({ found: { finding: { kind: 'hunks', hunks: [1] } } });
  expect(failures()).toBeGreaterThan(faults.length);
  const watched = record.trials.filter(({ purpose }) => purpose.kind !== 'suite');
  const outcomes = watched.map((trial) => [trial.candidate, record.outcomeOf(trial)] as const);
  expect(outcomes.filter(([, outcome]) => outcome === 'error').length).toBeGreaterThan(faults.length);
  for (const [candidate, outcome] of outcomes)
    if (outcome !== 'error')
      expect([candidate, outcome]).toEqual([candidate, candidate[1] === '1' ? 'fail' : 'pass']);
  // It is no tainted run either: what was spoilt was left out trial by trial.
  expect(path.basename(path.dirname(run.folder))).not.toBe('tainted');
});

it('a product that is down ends it without an answer, and once it is up the same bisect goes on', async () => {
  let isDown = false;
  const { target } = await startProduct(() => isDown);
  const folder = await temporaryFolder();
  const opened = await beginReal(folder, { planned, targetOf: () => target, given });
  opened.driver.subscribe(() => {
    // In the middle of the search.
    if (opened.record.trials.length >= 6) isDown = true;
  });
  await finishReal(opened);
  expect(opened.driver.status()).toMatchObject({
    found: { finding: { kind: 'inconclusive', why: 'errors' } },
  });
  isDown = false;
  const resumed = await resumeReal(opened.run.folder, { planned, targetOf: () => target, given });
  await finishReal(resumed);
  expect((await readReal(opened.run.folder)).found()?.finding).toMatchObject({ kind: 'hunks', hunks: [1] });
});
