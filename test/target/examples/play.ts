import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { AgentReply, SessionRequest, Target } from '../../../source/target/types.js';
import { ignore, never, sessionRequest } from '../session-request.js';

/** What the tests need of a scenario; that the files are scenarios is for those who load suites to check. */
export interface ExampleScenario {
  id: string;
  profile?: { name?: string; facts: string[] };
  history?: SessionRequest['history'];
  turns: { user: string }[];
}

export const exampleFolder = (name: string) =>
  fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));

export function readTarget(folder: string): unknown {
  return parse(readFileSync(`${folder}/suite.yaml`, 'utf8')).target;
}

/** All scenarios of an example, by id. */
export function readScenarios(folder: string): Map<string, ExampleScenario> {
  const files = readdirSync(`${folder}/scenarios`).map((name) => `${folder}/scenarios/${name}`);
  const scenarios = files.flatMap(
    (file) => parse(readFileSync(file, 'utf8')) as ExampleScenario | ExampleScenario[],
  );
  return new Map(scenarios.map((scenario) => [scenario.id, scenario]));
}

/** One trial: the replies to the turns of a scenario, up to the one with which the product ends the session. */
export async function play(
  target: Target,
  { id, profile, history, turns }: ExampleScenario,
  request: { account: string; folder: string; prompt: 'v1' | 'v2' },
): Promise<AgentReply[]> {
  const path = `${request.folder}/prompts/${request.prompt}.md`;
  const session = await target.open(
    sessionRequest({
      scenario: id,
      account: request.account,
      prompt: { name: request.prompt, path, text: readFileSync(path, 'utf8') },
      ...(profile && { profile }),
      ...(history !== undefined && { history }),
    }),
  );
  const replies: AgentReply[] = [];
  for (const { user } of turns) {
    const reply = await session.send(user, ignore, never);
    replies.push(reply);
    if (reply.ended) break;
  }
  await session.close();
  return replies;
}

/** One scenario, which must be there. */
export function scenarioOf(folder: string, id: string): ExampleScenario {
  const scenario = readScenarios(folder).get(id);
  if (scenario === undefined) throw new Error(`${folder} has no scenario ${id}`);
  return scenario;
}

export const signal = (replies: AgentReply[], name: string) => replies.map(({ signals }) => signals?.[name]);

export const toolsOf = (replies: AgentReply[]) =>
  replies.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'tool' ? [part.call.name] : [])));
