import { stringify } from 'yaml';
import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../base/json.js';
import { checkDefinitions } from './registry.js';
import type { CheckDefinition } from './types.js';

const preamble = `# Checks

<!-- Written from the definitions in source/grade; \`npx vitest run test/grade/describe.test.ts -u\` writes it anew. -->

A check is one criterion on one trial. In a scenario, or in \`suite.yaml\` for all scenarios:

\`\`\`yaml
checks:
  - {type: pattern_absent, pattern: '(?i)\\bfull refund\\b', on: last}
\`\`\`

Every check may have these keys besides its own:

| key | meaning |
| --- | --- |
| \`id\` | its name in results and baselines. Made from the type and the main argument where it is not given |
| \`on\` | which turns it reads: \`replies\` (all), \`first\`, \`last\`, a turn's number from 1, or a range \`2..5\` |
| \`absolute\` | one violation in any trial is a defect, however many trials pass |
| \`axis\` | adds the check to the scores of this axis |

What is to be present has to be in at least one of the turns that the check reads; what is to be absent, in none of them.

## When a check is unknown

A check passes, warns, fails, or is unknown. Unknown is neither a pass nor a failure: the trial does not say.

- **Nothing to read.** What is to be absent from an empty reply is unknown, never a pass; so is whatever \`on\` looks for in turns that were not played.
- **A tool call without a fixture** ends the trial. What is decided by then stays decided (it was called; it was forbidden and was called; the limit is passed; all turns that the check reads had been played). Everything else is unknown, and the reason names the call.
- **A signal that is not reported**, where it could be the value that decides.
- **A check that breaks**, and a judge whose answer cannot be read, even when it is asked once more, or whose suite names no judge. A verdict that the judge left out is never a pass.
- **A tuning value** that the product did not give, or that does not fit where it stands.

A reply that was cut off at the token limit, that the model refused, or that ran into the limit of model requests is what a user of the product would have got. It is graded as it is, and the reason of a failure says so. The same holds for a conversation that the turn limit ended: what it has is graded, and only turns that were never played are unknown.

When the provider of the judge cannot be reached (a key, a rate limit, the network), nothing is said of any check: the trial is an error, which counts neither as a pass nor as a failure.

## JSON replies

\`field_equals\`, \`field_present\`, \`json_schema\` and \`action\` read a reply as JSON when its whole text is JSON, or else what was said after the last tool call. White space and one code fence around it are taken off. JSON in the middle of prose is no JSON, because a product that parses its model's reply would fail on it too.

## Values in arguments

Arguments of tools, and fields of actions with \`match: exact\` or \`normalised\`, may say \`{any: [a, b]}\` for one of several values (\`null\` among them: it need not be given at all), \`{min: 1, max: 5}\` (or one of the two) for a number, and \`{pattern: RE2}\` for a text that has the pattern. Where the agent gave an object with just these members, it matches too when they are equal.

## Values that the product is asked for

In place of a number or a text a check may say \`{tuning: $.path}\`: the value that stands at this JSONPath among those that the product says it is tuned with.

\`\`\`yaml
- {type: session_ended, by_turn: {tuning: $.wrapUp.hardCap}}
\`\`\`

It is put in before grading, and the check is then looked at as if it had been written so: a pattern has to compile, a number to be in its range. What is not there, or does not fit, makes the check unknown, with the path named. What names a file or a program (\`file\`, \`module\`, \`command\`), a choice such as \`when\`, and \`true\` or \`false\` cannot be asked for.

## Judged checks

\`fact_present\`, \`fact_absent\`, \`refusal\`, \`conveys\` and \`judge\` ask a judge model, once a trial where a scenario has three or more trials and three times otherwise. Of several scores the median counts, of several yes or no the majority, and a verdict that could not be read stays in the count: it never lets a minority win. [judges.md](judges.md) says how far a judge can be trusted.
`;

/** The text of docs/checks.md, from the registry and the schemas of its checks. */
export function describeChecks(): string {
  return `${[preamble, ...checkDefinitions.map(describeCheck)].join('\n')}`;
}

function describeCheck(definition: CheckDefinition): string {
  const example = stringify([{ type: definition.type, ...definition.example }], {
    collectionStyle: 'flow',
    flowCollectionPadding: false,
    lineWidth: 0,
  });
  return [
    `## ${definition.type}`,
    '',
    definition.summary,
    '',
    `${facts(definition)}`,
    '',
    '```yaml',
    // One check as it stands in a list of checks.
    `- ${example.trim().replace(/^\[|\]$/gu, '')}`,
    '```',
    '',
    '| argument | value | meaning |',
    '| --- | --- | --- |',
    ...rows(z.toJSONSchema(definition.schema, { io: 'input' }) as JsonObject, ''),
    '',
    ...(definition.notes ?? []).flatMap((note) => [note, '']),
  ].join('\n');
}

function facts(definition: CheckDefinition): string {
  const reads =
    definition.defaultOn === undefined
      ? 'looks at the whole trial, so `on` has no meaning'
      : `reads \`${String(definition.defaultOn)}\` unless \`on\` says otherwise`;
  const absolute = definition.absoluteByDefault ? '; absolute unless `absolute: false`' : '';
  const kind = definition.kindOf
    ? 'Hard, or judged as declared'
    : definition.kind === 'hard'
      ? 'Hard'
      : 'Judged';
  return `${kind}; ${reads}${absolute}.`;
}

/** A row an argument; those of an object below it, with its name before theirs, unless a sibling has had the same. */
function rows(schema: JsonObject, prefix: string): string[] {
  const shown = new Set<string>();
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!isJsonObject(property)) return [];
    const meaning = typeof property.description === 'string' ? property.description : '';
    const needed = required.includes(name) ? ', needed' : '';
    const isSimple = property.default !== undefined && !isJsonObject(property.default);
    const preset = isSimple ? `, default ${code(property.default)}` : '';
    const value = `${valueOfSchema(property)}${needed}${preset}`;
    const row = `| \`${prefix}${name}\` | ${cell(value)} | ${cell(meaning)} |`;
    const below = JSON.stringify(property.properties ?? property.items ?? name);
    const isRepeated = shown.has(below);
    shown.add(below);
    if (isRepeated) return [row];
    return [row, ...rows(property, `${prefix}${name}.`), ...rows(itemsOf(property), `${prefix}${name}[].`)];
  });
}

function itemsOf(schema: JsonObject): JsonObject {
  return isJsonObject(schema.items) ? schema.items : {};
}

function valueOfSchema(schema: JsonObject): string {
  if (Array.isArray(schema.enum)) return schema.enum.map(code).join(', ');
  if (Array.isArray(schema.anyOf)) {
    const kinds = schema.anyOf.flatMap((one) => (isJsonObject(one) ? [valueOfSchema(one)] : []));
    return [...new Set(kinds)].join(' or ');
  }
  switch (schema.type) {
    case 'string':
      return 'text';
    case 'integer':
      return `whole number${bounds(schema)}`;
    case 'number':
      return `number${bounds(schema)}`;
    case 'boolean':
      return '`true` or `false`';
    case 'null':
      return '`null`';
    case 'array':
      return `list of ${isJsonObject(schema.items) && isJsonObject(schema.items.properties) ? 'objects' : `${valueOfSchema(itemsOf(schema))}s`}`;
    case 'object':
      return isJsonObject(schema.properties) ? `{${Object.keys(schema.properties).join(', ')}}` : 'object';
    default:
      return 'any value';
  }
}

function bounds({ minimum, maximum }: JsonObject): string {
  const isBounded = typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER;
  if (isBounded) return `, ${String(minimum)} to ${maximum}`;
  return typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER ? `, at least ${minimum}` : '';
}

function code(value: Json | undefined): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

/** A pipe would end the cell of a Markdown table. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
