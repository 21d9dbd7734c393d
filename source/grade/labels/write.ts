import type { Json } from '../../base/json.js';
import type { Turn } from '../../play/types.js';
import type { Label, LabelVerdict } from './types.js';

/** A label that stands in no file yet. */
export type NewLabel = Omit<Label, 'place'>;

/** The label as a YAML document, from `---` on. What was read from the text is the same label again. */
export async function labelText(label: NewLabel): Promise<string> {
  return (await createLabelWriter())(label);
}

/** As `labelText`, with all that it needs loaded. */
export async function createLabelWriter(): Promise<(label: NewLabel) => string> {
  const { Document, isCollection, visit } = await import('../../base/yaml.js');
  return (label) => {
    const document = new Document(wellFormed(writtenLabel(label)), { aliasDuplicateObjects: false });
    visit(document, {
      Pair(_key, { key, value }) {
        // What tools were asked and said is data to look up, not text to read.
        const name = String((key as { value?: unknown } | null)?.value);
        if (isCollection(value) && ['args', 'result', 'from'].includes(name)) value.flow = true;
      },
    });
    const text = document.toString({ lineWidth: 110 });
    return `---\n${text}${label.judged ? `${judgedLine(label.judged)}\n` : ''}`;
  };
}

function writtenLabel(label: NewLabel) {
  const { check, turns, expected } = label;
  return {
    check: { type: check.type, ...check.args },
    transcript: turns.map(writtenTurn),
    expected: saidOf(expected),
    ...(label.by !== undefined && { by: label.by }),
    ...(label.at !== undefined && { at: label.at }),
    ...(label.note !== undefined && { note: label.note }),
    ...(label.isRevised && { revised: true }),
    ...(label.isSighted && { blind: false }),
    rubric: label.rubric,
    ...(label.from && { from: label.from }),
  };
}

/** `judged: {…}` on one line, so that it can be replaced without touching what a person wrote. */
export function judgedLine({ model, prompt, sha256, ...said }: NonNullable<Label['judged']>): string {
  const facts = { model, prompt, sha256, verdict: saidOf(said) };
  return `judged: {${Object.entries(facts)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join(', ')}}`;
}

/** The text of a labels file with one more label at its end; all that stood there stays as it is. */
export function appendLabel(text: string, label: string): string {
  const before = text === '' ? header : text;
  return `${before}${before.endsWith('\n') ? '' : '\n'}${label}`;
}

/** The text without a label that was appended to it; undefined where it is not there any more as it was. */
export function removeLabel(text: string, label: string): string | undefined {
  const at = text.lastIndexOf(label);
  if (at < 0) return undefined;
  const after = text.slice(at + label.length);
  // The beginning of a longer one is not it.
  if (after !== '' && !after.startsWith('---')) return undefined;
  return text.slice(0, at) + after;
}

/**
 * The text with the judge's answer to each label, in the order of the labels; undefined leaves one as it is. Nothing else
 * of the text changes.
 */
export function replaceJudged(
  text: string,
  labels: readonly Label[],
  judged: readonly (Label['judged'] | undefined)[],
): string {
  const lines = text.split('\n');
  // From the last on, so that the places of those before stay right.
  for (let index = labels.length - 1; index >= 0; index--) {
    const [label, said] = [labels[index], judged[index]];
    if (!label || !said) continue;
    const first = label.place.line - 1;
    const after = lines.findIndex((line, at) => at > first && /^(---|\.\.\.)(\s|$)/.test(line));
    const end = after < 0 ? lines.length : after;
    const old = lines.findIndex((line, at) => at >= first && at < end && /^judged\s*:/.test(line));
    if (old >= 0) {
      let next = old + 1;
      while (next < end && /^[\s}]+\S/.test(lines[next] ?? '')) next++;
      lines.splice(old, next - old, judgedLine(said));
    } else {
      let last = end;
      while (last > first && /^\s*(#.*)?$/.test(lines[last - 1] ?? '')) last--;
      lines.splice(last, 0, judgedLine(said));
    }
  }
  return lines.join('\n');
}

const header = `# Verdicts of people on cases that a judge is held against: evalrun judge test. A document each; evalrun review
# adds to the end.
`;

function saidOf({ pass, score }: LabelVerdict): number | 'pass' | 'fail' | 'unknown' {
  if (pass === 'unknown') return 'unknown';
  return score ?? (pass ? 'pass' : 'fail');
}

function writtenTurn({ message, reply }: Turn) {
  const [only] = reply.parts;
  if (reply.parts.length === 1 && only?.kind === 'text') return { user: message, agent: only.text };
  return {
    user: message,
    agent: reply.parts.map((part) => {
      if (part.kind === 'text') return { say: part.text };
      const { name, args, result, error } = part.call;
      return {
        call: name,
        args: writable(args),
        ...(result !== undefined && { result: writable(result) }),
        ...(error !== undefined && { error }),
      };
    }),
  };
}

/** Half of a surrogate pair cannot be written as UTF-8. */
function wellFormed<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value, (_key, inner: Json) =>
      typeof inner === 'string' ? inner.replace(/\p{Surrogate}/gu, '\ufffd') : inner,
    ),
  ) as T;
}

/** Data with a key that no file of evalrun may have is kept as its JSON, so that the file can be read again. */
function writable(value: Json): Json {
  const text = JSON.stringify(value);
  return text.includes('"__proto__":') ? text : value;
}
