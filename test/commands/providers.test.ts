import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { beginStream, sendJson, startServer } from '../model/wire/server.js';
import { answer, chunk, errorBody, events, opening, piece } from '../model/wire/streams.js';
import { deskProject } from './desk-project.js';
import { eventsIn, runsOf, type TinyProject } from './support.js';

const apis = ['openai-chat', 'anthropic'] as const;
type Api = (typeof apis)[number];

const key = 'gw7Marked+7f3a9c/0b1d5e8f2a==';

const run = (project: TinyProject, args: string[] = []) =>
  project.run(['run', 'desk', '--plain', ...args], { LOCAL_KEY: key });

/** An answer that asks for `get_order({"id": 7})`. */
const asksTool: Record<Api, string> = {
  'openai-chat':
    chunk({
      tool_calls: [
        { index: 0, id: 't1', type: 'function', function: { name: 'get_order', arguments: '{"id":7}' } },
      ],
    }) +
    chunk({}, 'tool_calls') +
    events.chat({ choices: [], usage: { prompt_tokens: 20, completion_tokens: 4, total_tokens: 24 } }) +
    'data: [DONE]\n\n',
  anthropic:
    events.anthropic('message_start', {
      message: { type: 'message', usage: { input_tokens: 20, output_tokens: 1 } },
    }) +
    events.anthropic('content_block_start', {
      index: 0,
      content_block: { type: 'tool_use', id: 't1', name: 'get_order', input: {} },
    }) +
    events.anthropic('content_block_delta', {
      index: 0,
      delta: { type: 'input_json_delta', partial_json: '{"id":7}' },
    }) +
    events.anthropic('content_block_stop', { index: 0 }) +
    events.anthropic('message_delta', { delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 4 } }) +
    events.anthropic('message_stop', {}),
};

/** What the server is asked for: the tool first, and the answer once the tool has answered. */
const hasToolAnswer = (body: unknown) => /tool_result|"role":"tool"/.test(JSON.stringify(body));

function reply(api: Api, body: unknown): string {
  return hasToolAnswer(body) ? answer(api, 'It is ', 'delivered.') : asksTool[api];
}

describe.each(apis)('a provider that speaks %s', (api) => {
  it('answers, calls tools, and reports its tokens', async () => {
    const server = await startServer((response, { body }) => beginStream(response).end(reply(api, body)));
    const project = deskProject(api, server.url);
    const finished = await run(project);
    expect(finished).toMatchObject({ code: 0, stderr: '' });
    expect(finished.stdout).toContain('PASS: the scenario passes');
    // Two requests a trial, of three trials: 30 in and 9 out each.
    expect(finished.stdout).toContain('agent    tokens 90 input, 27 output');
    const [folder] = runsOf(project, 'desk');
    expect(eventsIn(folder, 'turn-finished')[0]?.turn.reply).toMatchObject({
      text: 'It is delivered.',
      model: 'local:one',
      steps: 2,
      parts: [
        { kind: 'tool', call: { name: 'get_order', args: { id: 7 }, result: { status: 'delivered' } } },
        { kind: 'text', text: 'It is delivered.' },
      ],
    });
    expect(server.seen).toHaveLength(6);
  });

  it('that is busy for a moment is asked again: recorded, and no taint', async () => {
    const server = await startServer((response, { body }, at) =>
      at < 2
        ? sendJson(response, 429, errorBody(api, 'rate_limit_error', 'too many'), { 'retry-after': '0' })
        : beginStream(response).end(reply(api, body)),
    );
    const project = deskProject(api, server.url);
    const finished = await run(project);
    expect(finished.code).toBe(0);
    expect(finished.stdout).toContain('waits    local:one  rate-limit:');
    expect(finished.stdout).toMatch(/^retries {2}2 model requests sent again; the last was rate-limit/m);
    const [folder] = runsOf(project, 'desk');
    expect(eventsIn(folder, 'request-retried')).toHaveLength(2);
    expect(eventsIn(folder, 'taint')).toEqual([]);
    expect(runsOf(project, 'desk', 'tainted')).toEqual([]);
  });

  it('that stays busy makes the trial an error and the run no evidence', async () => {
    const server = await startServer((response) =>
      sendJson(response, 429, errorBody(api, 'rate_limit_error', 'too many'), { 'retry-after': '3600' }),
    );
    const project = deskProject(api, server.url);
    const finished = await run(project, ['--repeat', '1']);
    expect(finished.code).toBe(3);
    expect(finished.stdout).toContain('TAINTED  by rate-limit: asks-for-the-order: ');
    expect(finished.stdout).toContain('NO VERDICT: the run is tainted and is no evidence');
    expect(runsOf(project, 'desk')).toEqual([]);
    expect(runsOf(project, 'desk', 'tainted')).toHaveLength(1);
  });

  it('that refuses the key stops the run at once, names the variable, and the run can still be read', async () => {
    const server = await startServer((response) =>
      sendJson(response, 401, errorBody(api, 'authentication_error', `invalid key ${key}`)),
    );
    const project = deskProject(api, server.url);
    const finished = await run(project, ['--repeat', '50', '--concurrency', '2']);
    expect(finished.code).toBe(3);
    expect(finished.stdout).toMatch(/^TAINTED {2}by auth: .*LOCAL_KEY/m);
    expect(server.seen.length).toBeLessThanOrEqual(2);
    expect(runsOf(project, 'desk')).toEqual([]);
    const [folder = ''] = runsOf(project, 'desk', 'tainted');
    const runId = path.basename(folder);
    const shown = await project.run(['show', runId, '--plain']);
    expect(shown.code).toBe(3);
    expect(shown.stdout).toContain('tainted by auth');
    const listed = await project.run(['runs', '--json']);
    expect(JSON.parse(listed.stdout).runs).toMatchObject([{ runId, folder, decision: { exitCode: 3 } }]);
    const resumed = await project.run(['run', '--resume', runId, '--plain'], { LOCAL_KEY: key });
    expect(resumed).toMatchObject({ code: 2, stderr: expect.stringContaining('can never be evidence') });
  });

  it('whose answer is cut in the middle is asked again, and nothing of the first half is left', async () => {
    let cuts = 0;
    const server = await startServer((response, { body }) => {
      if (!hasToolAnswer(body) || cuts++ > 0) return beginStream(response).end(reply(api, body));
      return beginStream(response).write(opening[api] + piece(api, 'It is'), () => response.destroy());
    });
    const project = deskProject(api, server.url);
    const finished = await run(project, ['--repeat', '1']);
    expect(finished.code).toBe(0);
    const [folder] = runsOf(project, 'desk');
    expect(eventsIn(folder, 'turn-finished')[0]?.turn.reply.text).toBe('It is delivered.');
    expect(eventsIn(folder, 'request-retried')).toMatchObject([{ kind: 'network', model: 'local:one' }]);
  });

  it('whose key is in no variable is not asked at all', async () => {
    const server = await startServer((response) => response.destroy());
    const project = deskProject(api, server.url);
    expect(await project.run(['run', 'desk', '--plain'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'evalrun: local:one needs a key; set LOCAL_KEY\n',
    });
    expect(server.seen).toEqual([]);
    expect(runsOf(project, 'desk')).toEqual([]);
  });

  it('is not asked for more than --max-tokens, and the run goes on with a larger one', async () => {
    const server = await startServer((response, { body }) => beginStream(response).end(reply(api, body)));
    const project = deskProject(api, server.url);
    // A trial takes 39 tokens.
    const stopped = await run(project, ['--repeat', '5', '--concurrency', '1', '--max-tokens', '100']);
    expect(stopped.code).toBe(130);
    expect(stopped.stdout).toContain('3 of 5 trials done');
    expect(stopped.stdout).toContain('the agent has used 117 tokens, of 100 that it may use');
    const resumed = await project.run(['run', '--resume', 'last', '--plain', '--max-tokens', '1k'], {
      LOCAL_KEY: key,
    });
    expect(resumed.code).toBe(0);
    expect(resumed.stdout).toContain('trials   5 of 5 done');
    expect(server.seen).toHaveLength(10);
  });

  it('says where its judge is of the same vendor', async () => {
    const server = await startServer((response, { body }) => beginStream(response).end(reply(api, body)));
    const plan = await deskProject(api, server.url, true).run(['run', 'desk', '--dry-run'], {
      LOCAL_KEY: key,
    });
    expect(plan.stderr).toBe('');
    expect(plan.stdout).toContain('target      prompt, 1 tool, answered by fixtures');
    expect(plan.stdout).toContain('judge       default@1 on local:one');
    expect(plan.stdout).toContain('agent and judge are both of local:one: judges are lenient');
    expect(server.seen).toEqual([]);
  });
});
