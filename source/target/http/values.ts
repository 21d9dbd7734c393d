import type { Json } from '../../base/json.js';
import { profileJson } from '../product/session-facts.js';
import { type SessionRequest, TargetError } from '../types.js';

/**
 * The value that `{{name}}` stands for. Undefined: the name is known and this trial has no value for it. Throws
 * TargetError for a variable or a detail of the profile that the scenario does not set: a typing mistake must not pass as an empty text.
 */
export type TemplateValues = (name: string) => Json | undefined;

/** What a session knows by name. `saved` holds what the answer to open gave, and is read each time. */
export function sessionValues(
  request: SessionRequest,
  account: string,
  saved: ReadonlyMap<string, Json>,
): TemplateValues {
  const { history, profile, prompt, scenario, seed, tenant, variables } = request;
  const values = new Map<string, Json | undefined>([
    ['account', account],
    ['history', history],
    ['profile', profile && profileJson(profile)],
    ['profile.name', profile?.name],
    ['profile.facts', profile?.facts],
    ['prompt', prompt?.text],
    ['promptPath', prompt?.path],
    ['scenario', scenario],
    ['seed', seed],
    ['tenant', tenant],
  ]);
  return (name) => {
    if (values.has(name)) return values.get(name);
    if (saved.has(name)) return saved.get(name);
    const [, group, key = ''] = /^(variables|profile)\.(.+)$/.exec(name) ?? [];
    const named: Record<string, Json> = (group === 'variables' ? variables : profile?.details) ?? {};
    if (group !== undefined && Object.hasOwn(named, key)) return named[key];
    throw new TargetError('other', `{{${name}}} has no value in scenario ${scenario ?? '(unnamed)'}`);
  };
}

/** A value inside a longer text: texts as they are, a list of texts a line each, anything else as JSON. */
export function valueText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join('\n');
  return JSON.stringify(value);
}
