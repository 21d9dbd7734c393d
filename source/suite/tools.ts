import { resolve } from 'node:path';
import { describeNode } from '../base/describe.js';
import { readDocuments } from '../base/document.js';
import { formatProblem, type Problem } from '../base/errors.js';
import { isJsonObject } from '../base/json.js';
import {
  type DataNode,
  entryOf,
  type MapNode,
  type Position,
  positionAt,
  problemAt,
  toPlain,
} from '../base/nodes.js';
import { quote } from '../base/quote.js';
import { validateNode } from '../base/validate.js';
import { findSecrets, withoutSecrets } from '../project/secrets.js';
import { toolSchema } from './schema.js';
import type { LiveTool, ToolDefinition } from './types.js';

/** The tools of a file, and how those that can be called for real are. */
export interface ReadTools {
  tools: ToolDefinition[];
  /** By the name of the tool. */
  live: Record<string, LiveTool>;
  problems: Problem[];
}

/**
 * Reads the tools of a target: `tools: [{name, description, parameters, live}]`, or the list of function tools that
 * was recorded from an OpenAI request, with or without `function` around each. A `live` command runs in
 * `suiteFolder`, absolute, or in a folder below it.
 */
export async function readTools(path: string, file: string, suiteFolder: string): Promise<ReadTools> {
  const { documents, problems } = await readDocuments(path, file);
  const tools: ToolDefinition[] = [];
  const live: [string, LiveTool][] = [];
  const first = new Map<string, Position>();
  for (const document of documents) {
    const list = entryOf(document, 'tools')?.value ?? document;
    problems.push(...strayKeys(document, file));
    // JSON lines hold one tool a line.
    const items = list.kind === 'list' ? list.items : isTool(list) ? [list] : undefined;
    if (items === undefined) {
      const message = `expected tools: [{name, description, parameters}], found ${describeNode(list)}`;
      problems.push(problemAt(file, list.at, message));
    }
    for (const item of items ?? []) {
      const tool = unwrap(item);
      const liveNode = entryOf(tool, 'live')?.value;
      const secrets = liveNode ? findSecrets(liveNode, file, false) : [];
      const validated = validateNode(toolSchema, tool, { file });
      problems.push(...secrets, ...withoutSecrets(validated.problems, secrets));
      const { value } = validated;
      if (value === undefined) continue;
      const at = positionAt(tool, ['name']);
      const namesake = first.get(value.name);
      if (namesake !== undefined) {
        const place = formatProblem(problemAt(file, namesake, '')).replace(/: $/, '');
        problems.push(
          problemAt(file, at, `tool ${quote(value.name)} is given twice, first at ${place}; keep one`),
        );
        continue;
      }
      first.set(value.name, at);
      const parameters = entryOf(tool, 'parameters');
      const plain = parameters ? toPlain(parameters.value) : value.parameters;
      tools.push({
        name: value.name,
        description: value.description,
        parameters: isJsonObject(plain) ? plain : {},
      });
      if (value.live !== undefined) live.push([value.name, placeLiveTool(value.live, suiteFolder)]);
    }
  }
  return { tools, live: Object.fromEntries(live), problems };
}

function placeLiveTool(tool: LiveTool, suiteFolder: string): LiveTool {
  return tool.kind === 'command' ? { ...tool, cwd: resolve(suiteFolder, tool.cwd) } : tool;
}

function isTool(node: DataNode): boolean {
  return entryOf(node, 'name') !== undefined || entryOf(node, 'function') !== undefined;
}

function strayKeys(document: DataNode, file: string): Problem[] {
  if (document.kind !== 'map' || entryOf(document, 'tools') === undefined) return [];
  return document.entries
    .filter(({ key }) => key !== 'tools' && key !== '$schema')
    .map(({ key, keyAt }) => problemAt(file, keyAt, `unknown key ${quote(key)}; known keys: "tools"`));
}

/** Keys of a recorded tool that say how it is called rather than what it is. */
const wrapping = ['type', 'strict'];

/** The tool inside of `function`, with `live` from beside it. */
function unwrap(item: DataNode): DataNode {
  const inner = entryOf(item, 'function')?.value;
  const tool = inner ?? item;
  if (tool.kind !== 'map') return tool;
  const type = entryOf(item, 'type')?.value;
  const isRecorded = type?.kind === 'scalar' && type.value === 'function';
  const own = isRecorded ? tool.entries.filter(({ key }) => !wrapping.includes(key)) : tool.entries;
  const live = inner && entryOf(item, 'live');
  return { ...tool, entries: live ? [...own, live] : own } satisfies MapNode;
}
