import { type Problem, UserError } from '../base/errors.js';
import type { Json } from '../base/json.js';
import { nearest } from '../base/nearest.js';
import { createLineTable, type DataNode, nodeAt, problemAt } from '../base/nodes.js';
import { listed, quote } from '../base/quote.js';
import { sessionNames, templateNames } from './target-templates.js';
import type { Profile } from './types.js';

/** What a template may name. A `Scenario` is one. */
export interface TemplateValues {
  tenant?: string;
  variables: Record<string, string | number | boolean>;
  profile?: Profile;
}

/** `\{{`, which is two braces of text, or `{{name}}`. */
const placeholder = /\\\{\{|\{\{([^{}\n]*)\}\}/g;

/**
 * Fills in `{{tenant}}`, `{{variables.x}}` and `{{profile.x}}`; `\{{` becomes two braces. What is
 * filled in is not looked at again. A list becomes a line an item.
 * Throws UserError for a name that has no value: `findTemplateProblems` tells of all of them before a run.
 */
export function renderTemplate(text: string, values: TemplateValues): string {
  const known = namedValues(values);
  return text.replace(placeholder, (whole, inner: string | undefined) => {
    if (inner === undefined) return '{{';
    const value = known.get(inner.trim());
    if (value === undefined) throw new UserError(`the prompt names ${whole}, which has no value`);
    return value;
  });
}

/**
 * Every name in a prompt template that one of the scenarios gives no value for, at its place in the prompt file.
 * `file` is how the prompt is called in problems; its text ends lines in `\n`.
 */
export function findTemplateProblems(
  text: string,
  file: string,
  scenarios: readonly (TemplateValues & { id: string })[],
): Problem[] {
  const toPosition = createLineTable(text);
  const values = scenarios.map((scenario) => ({ id: scenario.id, known: namedValues(scenario) }));
  const all = new Set(values.flatMap(({ known }) => [...known.keys()]));
  const problems: Problem[] = [];
  for (const match of text.matchAll(placeholder)) {
    const name = match[1]?.trim();
    if (name === undefined) continue;
    const without = values.filter(({ known }) => !known.has(name)).map(({ id }) => quote(id));
    if (without.length === 0) continue;
    problems.push(problemAt(file, toPosition(match.index), explain(name, without, [...all])));
  }
  return problems;
}

/**
 * Every `{{variables.x}}` and `{{profile.x}}` of an http target that one of the scenarios gives no value for. The
 * names that each session has may be empty: a scenario without a tenant sends none.
 */
export function findTargetTemplateProblems(
  suiteNode: DataNode,
  file: string,
  scenarios: readonly (TemplateValues & { id: string })[],
): Problem[] {
  const values = scenarios.map((scenario) => ({ id: scenario.id, known: namedValues(scenario) }));
  const all = [...new Set(values.flatMap(({ known }) => [...known.keys()]))];
  const problems: Problem[] = [];
  const visit = (node: DataNode) => {
    if (node.kind === 'list') for (const item of node.items) visit(item);
    if (node.kind === 'map') for (const { value } of node.entries) visit(value);
    if (node.kind !== 'scalar' || typeof node.value !== 'string') return;
    for (const name of templateNames(node.value)) {
      const isSession = (sessionNames as readonly string[]).includes(name);
      if (isSession || !/^(?:variables|profile)\./.test(name)) continue;
      const without = values.filter(({ known }) => !known.has(name)).map(({ id }) => quote(id));
      if (without.length > 0) problems.push(problemAt(file, node.at, explain(name, without, all)));
    }
  };
  const http = nodeAt(suiteNode, ['target', 'http']);
  if (http) visit(http);
  return problems;
}

function explain(name: string, without: readonly string[], all: readonly string[]): string {
  const shown = `{{${quote(name).slice(1, -1)}}}`;
  if (all.includes(name)) {
    const some = without.length > 3 ? [...without.slice(0, 3), `${without.length - 3} more`] : without;
    return `${shown} has no value in ${without.length === 1 ? 'scenario' : 'scenarios'} ${listed(some)}`;
  }
  const near = nearest(name, all) ?? all.find((known) => known.endsWith(`.${name}`));
  const hint =
    near === undefined
      ? 'a template names {{tenant}}, {{variables.x}} or {{profile.x}} of the scenario; write \\{{ for braces that are text'
      : `did you mean {{${near}}}?`;
  return `${shown} is no name that a scenario gives a value; ${hint}`;
}

function namedValues({ tenant, variables, profile }: TemplateValues): Map<string, string> {
  const named = new Map<string, string>();
  if (tenant !== undefined) named.set('tenant', tenant);
  for (const [name, value] of Object.entries(variables)) named.set(`variables.${name}`, String(value));
  if (profile === undefined) return named;
  for (const [name, value] of Object.entries(profile.details ?? {}))
    named.set(`profile.${name}`, asText(value));
  if (profile.name !== undefined) named.set('profile.name', profile.name);
  named.set('profile.facts', profile.facts.join('\n'));
  return named;
}

function asText(value: Json): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(asText).join('\n');
  return JSON.stringify(value);
}
