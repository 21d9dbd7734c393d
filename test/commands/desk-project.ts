import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { copyOf, root, type TinyProject } from './support.js';

/** A project whose suite `desk` tests a prompt on a provider at `url`. */
export function deskProject(api: 'openai-chat' | 'anthropic', url: string, judge = false): TinyProject {
  const project = copyOf(path.join(root, 'test/fixtures/tiny'));
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(project.folder, file)), { recursive: true });
    writeFileSync(path.join(project.folder, file), text);
  };
  const baseURL = api === 'anthropic' ? url : `${url}/v1`;
  write(
    '.evalrc.json',
    JSON.stringify({
      project: 'desk',
      models: { agent: 'local:one' },
      providers: { local: { api, baseURL, keyEnv: 'LOCAL_KEY' } },
      run: { repeat: 3, attempts: 1 },
    }),
  );
  write('prompts/desk/v1.md', 'You answer questions about orders.\n');
  write(
    'suites/desk/suite.yaml',
    [
      'name: desk',
      'target: {prompt: prompts/desk/v1.md, model: agent, tools: tools.yaml}',
      ...(judge ? ['judge: {model: agent, prompt: default@1}'] : []),
      'scenarios: scenarios.yaml',
      '',
    ].join('\n'),
  );
  write(
    'suites/desk/tools.yaml',
    '- {name: get_order, description: looks up an order, parameters: {type: object, properties: {id: {type: integer}}}}\n',
  );
  write(
    'suites/desk/scenarios.yaml',
    [
      '- id: asks-for-the-order',
      '  turns: [{user: "Where is order 7?"}]',
      '  fixtures: {get_order: {status: delivered}}',
      '  checks:',
      '    - {type: tool_called, tool: get_order, args: {id: 7}}',
      '    - {type: pattern_present, pattern: delivered}',
      '    - {type: pattern_absent, pattern: "It isIt is"}',
      '',
    ].join('\n'),
  );
  return project;
}
