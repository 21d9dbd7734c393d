/**
 * `{{name}}` in an http target's paths, headers and bodies. The names are those of templates in prompts
 * (tenant, variables, profile) and what a trial gives its session.
 */
const templatePattern = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** Names that every call of a session can use; `variables.x` and `profile.x` beside them. */
export const sessionNames = [
  'account',
  'history',
  'profile',
  'profile.name',
  'profile.facts',
  'prompt',
  'promptPath',
  'scenario',
  'seed',
  'tenant',
] as const;

/** The name inside `{{…}}` when the text is nothing but that, else undefined: then the value itself is meant. */
export function wholeTemplateName(text: string): string | undefined {
  const match = /^\{\{\s*([^{}]*?)\s*\}\}$/.exec(text);
  return match?.[1];
}

/** Every name that the text uses, in order. */
export function templateNames(text: string): string[] {
  return [...text.matchAll(templatePattern)].map((match) => match[1] ?? '');
}

/**
 * A template, read once: gives the text with every `{{name}}` replaced. What is inserted is never read as a
 * template again. `fillLiteral` is applied once to what stands between the names.
 */
export function compileTemplate(
  text: string,
  fillLiteral: (literal: string) => string = (literal) => literal,
): (textOf: (name: string) => string) => string {
  // Split with one group: texts stand at even places, names at odd ones.
  const parts = text.split(templatePattern).map((part, i) => (i % 2 === 0 ? fillLiteral(part) : part));
  return (textOf) => parts.map((part, i) => (i % 2 === 0 ? part : textOf(part))).join('');
}

/**
 * Whether a name stands for something: a session's name, a variable, a detail of the profile, or one of `more`
 * (message, saved values).
 */
export function isTemplateName(name: string, more: readonly string[]): boolean {
  return (
    (sessionNames as readonly string[]).includes(name) ||
    more.includes(name) ||
    /^(?:variables|profile)\.[^.\s][^\s]*$/.test(name)
  );
}
