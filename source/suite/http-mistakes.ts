// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what users write is ${NAME}, and it is shown so
import { compileJsonPath } from '../base/json-path/compile.js';
import { JsonPathError } from '../base/json-path/types.js';
import { suggest } from '../base/nearest.js';
import { quote } from '../base/quote.js';
import { looksLikeSecret } from '../project/secrets.js';
import type { HttpCall, HttpTargetSpec } from './target-specs.js';
import { isTemplateName, sessionNames, templateNames } from './target-templates.js';

/** A mistake that a schema cannot see; `path` leads to the key in the file, from below `http`. */
export interface TargetMistake {
  path: (string | number)[];
  message: string;
}

/** What is wrong with a text as a JSONPath of RFC 9535, or undefined. */
export function jsonPathMistake(text: string): string | undefined {
  try {
    compileJsonPath(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    if (!text.startsWith('$'))
      return `${quote(text)} is not a JSONPath: one starts with "$", as in "$.reply"`;
    const at = error.offset === undefined ? '' : ` (character ${error.offset + 1})`;
    return `${quote(text)} is not a JSONPath (RFC 9535): ${error.message}${at}`;
  }
}

/** Why a value may not be written here, or undefined. Keys and tokens are named, never written. */
export function literalKeyMistake(value: string): string | undefined {
  return looksLikeSecret(value)
    ? 'this looks like a key; name an environment variable instead, as in "Bearer ${BACKEND_TOKEN}"'
    : undefined;
}

function* bodyTexts(
  value: unknown,
  path: (string | number)[],
): Generator<{ text: string; path: (string | number)[] }> {
  if (typeof value === 'string') yield { text: value, path };
  else if (Array.isArray(value))
    for (const [i, item] of value.entries()) yield* bodyTexts(item, [...path, i]);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) yield* bodyTexts(item, [...path, key]);
  }
}

/** Mistakes of one call. `names`: undefined where no session exists, else what `{{…}}` may use beside the session's. */
function* callMistakes(
  key: string,
  call: HttpCall,
  names: readonly string[] | undefined,
): Generator<TargetMistake> {
  const method = call.method.toLowerCase();
  if (!/^(\/|https?:\/\/|\$\{)/.test(call.path)) {
    yield {
      path: [key, method],
      message: `${quote(call.path)} is neither a path that starts with "/" nor an http or https URL`,
    };
  }
  if (call.method === 'GET' && call.body !== undefined) {
    yield { path: [key, 'body'], message: 'a get has no body; use post, or put the values into the path' };
  }
  const texts = [
    { text: call.path, path: [key, method] },
    ...Object.entries(call.headers ?? {}).map(([name, text]) => ({ text, path: [key, 'headers', name] })),
    ...bodyTexts(call.body, [key, 'body']),
  ];
  for (const { text, path } of texts) yield* templateMistakes(text, path, key, names);
  yield* headerMistakes(call.headers ?? {}, [key, 'headers']);
}

function* templateMistakes(
  text: string,
  path: (string | number)[],
  call: string,
  names: readonly string[] | undefined,
): Generator<TargetMistake> {
  for (const name of templateNames(text)) {
    if (names === undefined) {
      yield {
        path,
        message: `${quote(`{{${name}}}`)} has no value here: ${call} is asked before any session`,
      };
    } else if (!isTemplateName(name, names)) {
      const known = [...sessionNames, 'variables.NAME', ...names];
      yield { path, message: `${call} has no value named ${quote(name)}; ${suggest(name, known, 'names')}` };
    }
  }
}

/** Why a header cannot have this name, or undefined. */
export function headerNameMistake(name: string): string | undefined {
  if (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return undefined;
  return `${quote(name)} cannot be the name of a header`;
}

function* headerMistakes(
  headers: Readonly<Record<string, string>>,
  path: (string | number)[],
): Generator<TargetMistake> {
  for (const [name, value] of Object.entries(headers)) {
    const message = headerNameMistake(name);
    if (message !== undefined) yield { path: [...path, name], message };
    const literal = literalKeyMistake(value);
    if (literal !== undefined) yield { path: [...path, name], message: literal };
  }
}

function* pathMistakes(spec: HttpTargetSpec): Generator<TargetMistake> {
  const { delta, reply, toolCalls, suggestions, model, version, ended, fallback, usage, signals } = spec.send;
  const paths: [(string | number)[], string | undefined][] = [
    ...Object.entries({ delta, reply, toolCalls, suggestions, model, version, ended, fallback }).map(
      ([key, path]): [string[], string | undefined] => [['send', key], path],
    ),
    ...Object.entries(usage ?? {}).map(([key, path]): [string[], string] => [['send', 'usage', key], path]),
    ...Object.entries(signals ?? {}).map(([key, path]): [string[], string] => [
      ['send', 'signals', key],
      path,
    ]),
    ...Object.entries(spec.open?.save ?? {}).map(([key, path]): [string[], string] => [
      ['open', 'save', key],
      path,
    ]),
  ];
  for (const [path, text] of paths) {
    const message = text === undefined ? undefined : jsonPathMistake(text);
    if (message !== undefined) yield { path, message };
  }
}

/** Every mistake of an http target that its schema cannot see. */
export function* findHttpMistakes(spec: HttpTargetSpec): Generator<TargetMistake> {
  if (templateNames(spec.baseURL).length > 0) {
    yield {
      path: ['baseURL'],
      message: 'baseURL is the same for every session: it takes ${NAME}, not {{name}}',
    };
  } else if (!spec.baseURL.includes('${') && !/^https?:\/\//.test(spec.baseURL)) {
    yield { path: ['baseURL'], message: `${quote(spec.baseURL)} is not an http or https URL` };
  }
  for (const [name, value] of Object.entries(spec.headers)) {
    if (templateNames(value).length > 0) {
      const message =
        'these headers go with every call, so they take ${NAME} only; write {{name}} in the headers of one call';
      yield { path: ['headers', name], message };
    }
  }
  yield* headerMistakes(spec.headers, ['headers']);

  const saved = Object.keys(spec.open?.save ?? {});
  for (const name of saved) {
    if (isTemplateName(name, ['message'])) {
      yield {
        path: ['open', 'save', name],
        message: `${quote(name)} is taken already; save it under another name`,
      };
    } else if (!/^[A-Za-z_][\w-]*$/.test(name)) {
      yield {
        path: ['open', 'save', name],
        message: `${quote(name)} is no name; letters, digits, "_" and "-" are`,
      };
    }
  }
  if (spec.tuning) yield* callMistakes('tuning', spec.tuning, undefined);
  if (spec.reset) yield* callMistakes('reset', spec.reset, []);
  if (spec.open) yield* callMistakes('open', spec.open, []);
  yield* callMistakes('send', spec.send, ['message', ...saved]);
  if (spec.close) yield* callMistakes('close', spec.close, saved);

  const { stream, delta, reply } = spec.send;
  if (stream === undefined && delta !== undefined) {
    yield {
      path: ['send', 'delta'],
      message: 'delta belongs to a stream; add "stream: sse", or leave it out',
    };
  }
  if (reply === undefined && (stream === undefined || delta === undefined)) {
    const what = stream === undefined ? 'reply' : 'reply or delta';
    yield {
      path: ['send'],
      message: `${what} is missing: the JSONPath of the answer's text, as in "$.reply"`,
    };
  }
  yield* pathMistakes(spec);
}
