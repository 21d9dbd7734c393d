import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { beginStream, startServer } from '../model/wire/server.js';
import { answer, chunk, events } from '../model/wire/streams.js';
import { deskProject } from './desk-project.js';
import { eventsIn, root, runsOf, type TinyProject, tinyProject } from './support.js';

function write(project: TinyProject, file: string, text: string): void {
  mkdirSync(path.dirname(path.join(project.folder, file)), { recursive: true });
  writeFileSync(path.join(project.folder, file), text);
}

/** A suite in which the shipped simulated user insists after the first answer. */
function withUser(): TinyProject {
  const project = tinyProject();
  cpSync(path.join(root, 'simulated/user.yaml'), path.join(project.folder, 'simulated/user.yaml'));
  write(
    project,
    'suites/talk/suite.yaml',
    'name: talk\ntarget: {prompt: tiny, model: agent}\nuser: {model: "simulated:user"}\nscenarios: scenarios.yaml\n',
  );
  write(
    project,
    'suites/talk/scenarios.yaml',
    [
      '- id: insists',
      '  profile: {name: Rosa, facts: [bought 45 days ago]}',
      '  turns: [{user: I want a refund}, {simulate: insist once more, maxTurns: 1}]',
      "  checks: [{type: pattern_present, pattern: '30 days', on: 2}]",
      '',
    ].join('\n'),
  );
  return project;
}

describe('turns that a model plays', () => {
  it('are kept with who wrote them, their tokens in a ledger of their own', async () => {
    const project = withUser();
    const finished = await project.run(['run', 'talk', '--repeat', '2', '--plain']);
    expect(finished).toMatchObject({ code: 0, stderr: '' });
    expect(finished.stdout).toMatch(/^user {5}tokens [1-9][\d,]* input, [1-9]/m);
    const [folder] = runsOf(project, 'talk');
    expect(eventsIn(folder, 'run-started')[0]).toMatchObject({
      user: { model: 'simulated:user', prompt: expect.stringMatching(/@\d+$/) },
      plan: { scenarios: [{ isSimulatedUser: true }] },
    });
    const [first, second] = eventsIn(folder, 'turn-finished').filter(({ trial }) => trial.repeat === 1);
    expect(first?.turn.simulated).toBeUndefined();
    expect(second?.turn).toMatchObject({
      message: 'That cannot be right. I want my money back.',
      simulated: { model: 'simulated:user', plannedTurn: 2 },
    });
    const [ended] = eventsIn(folder, 'trial-finished');
    expect(ended?.tokens.user).toEqual(second?.turn.simulated?.usage);
    // The agent's ledger holds what the agent used, and nothing of the user's.
    const replies = [first, second].map((event) => event?.turn.reply.usage.input ?? 0);
    expect(ended?.tokens.agent.input).toBe(replies.reduce((sum, input) => sum + input, 0));
    const shown = await project.run(['show', 'last', '--trial', 'insists#1']);
    expect(shown.stdout).toContain('  user (simulated)  That cannot be right.');
    const report = JSON.parse((await project.run(['show', 'last', '--json'])).stdout);
    expect(report.runs[0]).toMatchObject({
      user: { model: 'simulated:user', simulated: true },
      tokens: { user: { input: expect.any(Number) } },
    });
  });

  it('are planned, and a run on another user does not go on', async () => {
    const project = withUser();
    const plan = await project.run(['run', 'talk', '--dry-run']);
    expect(plan.stdout).toContain('user        simulated:user plays the user of simulated turns');
    await project.run(['run', 'talk', '--repeat', '2', '--plain', '--max-tokens', '1', '--concurrency', '1']);
    const suite =
      'name: talk\ntarget: {prompt: tiny, model: agent}\nuser: {model: other}\nscenarios: scenarios.yaml\n';
    write(project, 'suites/talk/suite.yaml', suite);
    const resumed = await project.run(['run', '--resume', 'last', '--plain']);
    expect(resumed).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('suite talk: the simulated user changed'),
    });
  });
});

const asksTool =
  chunk({
    tool_calls: [
      { index: 0, id: 't1', type: 'function', function: { name: 'get_order', arguments: '{"id":7}' } },
    ],
  }) +
  chunk({}, 'tool_calls') +
  events.chat({ choices: [], usage: { prompt_tokens: 20, completion_tokens: 4, total_tokens: 24 } }) +
  'data: [DONE]\n\n';

/** A provider whose model looks up the order and repeats what the tool said. */
const startParrot = () =>
  startServer((response, { body }) => {
    const told = body.messages.find(({ role }: { role: string }) => role === 'tool')?.content;
    beginStream(response).end(told === undefined ? asksTool : answer('openai-chat', `It says ${told}`));
  });

const env = { LOCAL_KEY: 'k' };

describe('fixtures of a folder', () => {
  it('stand in the place of those of a scenario, also when the run goes on', async () => {
    const project = deskProject('openai-chat', (await startParrot()).url);
    write(project, 'other/asks-for-the-order.yaml', 'get_order: {status: lost at sea}\n');
    const args = ['run', 'desk', '--fixtures', 'other', '--plain', '--concurrency', '1', '--repeat', '2'];
    const finished = await project.run([...args, '--max-tokens', '1'], env);
    expect(finished.code).toBe(130);
    expect((await project.run(['run', '--resume', 'last', '--plain'], env)).code).toBe(1);
    const turns = eventsIn(runsOf(project, 'desk')[0], 'turn-finished');
    expect(turns.map(({ turn }) => turn.reply.text)).toEqual(
      Array(2).fill('It says {"status":"lost at sea"}'),
    );
  });

  it('of a scenario that does not exist are a mistake', async () => {
    const project = deskProject('openai-chat', 'http://127.0.0.1:1');
    write(project, 'other/asks-for-the-odrer.yaml', 'get_order: {}\n');
    expect(await project.run(['run', 'desk', '--fixtures', 'other', '--plain'], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean "asks-for-the-order"?'),
    });
  });
});

describe('live tools', () => {
  function withLiveTool(url: string): TinyProject {
    const project = deskProject('openai-chat', url);
    write(
      project,
      'suites/desk/tools.yaml',
      [
        '- name: get_order',
        '  description: looks up an order',
        '  parameters: {type: object, properties: {id: {type: integer}}}',
        '  live: {command: [node, look-up.mjs]}',
        '',
      ].join('\n'),
    );
    write(
      project,
      'suites/desk/look-up.mjs',
      'let text = "";\nfor await (const part of process.stdin) text += part;\nconsole.log(JSON.stringify({order: JSON.parse(text).id, status: "delivered by hand"}));\n',
    );
    return project;
  }

  it('are called for real, which the transcript, the condition and the plan say', async () => {
    const project = withLiveTool((await startParrot()).url);
    const plan = await project.run(['run', 'desk', '--live-tools', '--dry-run'], env);
    expect(plan.stdout).toContain('target      prompt, 1 tool, called for real');
    const live = await project.run(['run', 'desk', '--live-tools', '--plain', '--repeat', '1'], env);
    expect(live.code).toBe(0);
    const [folder] = runsOf(project, 'desk');
    expect(eventsIn(folder, 'turn-finished')[0]?.turn.reply.parts[0]).toMatchObject({
      call: { from: 'live', result: { order: 7, status: 'delivered by hand' } },
    });
    const fixed = await project.run(['run', 'desk', '--plain', '--repeat', '1'], env);
    expect(fixed.code).toBe(0);
    const conditions = runsOf(project, 'desk').map(
      (run) => eventsIn(run, 'run-started')[0]?.plan.conditions[0],
    );
    expect(conditions.map((condition) => condition?.liveTools)).toEqual([true, undefined]);
    expect(conditions[0]?.hash).not.toBe(conditions[1]?.hash);
  });

  it.each([
    [['desk'], 'no tool of "desk" can be called for real'],
    [['desk', '--fixtures', 'x'], "option '--live-tools' cannot be used with option '--fixtures <folder>'"],
  ])('refuse %j', async (args, message) => {
    const project = deskProject('openai-chat', 'http://127.0.0.1:1');
    expect(await project.run(['run', ...args, '--live-tools', '--plain'], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
  });
});

it.each(['0', 'many', '1.5', '-3'])('--max-tokens %s is a mistake', async (tokens) => {
  expect(await tinyProject().run(['run', 'tiny', `--max-tokens=${tokens}`])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--max-tokens: expected a whole number of tokens above 0'),
  });
});
