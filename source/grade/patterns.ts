import { z } from 'zod';
import type { Turn } from '../play/types.js';
import { compilePattern, findMistake } from './compiled-pattern.js';
import { defineCheck } from './define.js';
import { oneLine, quoteAround } from './quote.js';
import { hasNoText, locate, nothingToRead, quoteReplies, selectTurns, stopNote, undecided } from './turns.js';
import type { ArgumentMistake, Evidence } from './types.js';
import { withoutInvisible } from './words.js';

const patternSchema = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .describe(
      'RE2 syntax, found anywhere in the reply, letter case counts unless it begins with `(?i)`. ' +
        '`\\b` knows ASCII letters only: for whole words of any script use a keywords check.',
    ),
});
type PatternArgs = z.infer<typeof patternSchema>;

/** Matches that are pointed at; a pattern like `.` has thousands. */
const mostEvidence = 20;

export const patternPresent = defineCheck<PatternArgs>({
  type: 'pattern_present',
  kind: 'hard',
  summary: 'The text of at least one reply has a match of the pattern.',
  schema: patternSchema,
  example: { pattern: 'RF-[0-9]{6}' },
  defaultOn: 'replies',
  mainArgument: (args) => readable(args.pattern),
  validate: patternMistakes,
  grade(args, context, spec) {
    const selection = selectTurns(context.transcript, spec.on ?? 'replies');
    const [first, ...more] = findMatches(args.pattern, selection.turns);
    if (first)
      return {
        verdict: 'pass',
        reason: `saw ${quoteMatch(first)} in turn ${first.turn.index}`,
        evidence: evidenceFor([first, ...more]),
      };
    if (selection.open) return undecided(selection.open);
    return {
      verdict: 'fail',
      reason: `expected a match of ${oneLine(args.pattern, 80)}, saw ${quoteReplies(selection.turns)}${stopNote(selection.turns)}`,
    };
  },
});

export const patternAbsent = defineCheck<PatternArgs>({
  type: 'pattern_absent',
  kind: 'hard',
  summary: 'The text of no reply has a match of the pattern. Unknown where a reply is empty.',
  schema: patternSchema,
  example: { pattern: '(?i)\\bfull refund\\b' },
  defaultOn: 'replies',
  absoluteByDefault: true,
  mainArgument: (args) => readable(args.pattern),
  validate: patternMistakes,
  grade(args, context, spec) {
    const selection = selectTurns(context.transcript, spec.on ?? 'replies');
    const [first, ...more] = [
      ...findMatches(args.pattern, selection.turns),
      ...findHiddenMatches(args.pattern, selection.turns),
    ];
    if (first)
      return {
        verdict: 'fail',
        reason: `expected no match of ${oneLine(args.pattern, 80)}, saw ${quoteMatch(first)} in turn ${first.turn.index}`,
        evidence: evidenceFor([first, ...more]),
      };
    if (selection.open) return undecided(selection.open);
    const empty = selection.turns.find(hasNoText);
    if (empty) return nothingToRead(empty);
    return {
      verdict: 'pass',
      reason: `no match of ${oneLine(args.pattern, 80)}${stopNote(selection.turns)}`,
    };
  },
});

function patternMistakes(args: PatternArgs): ArgumentMistake[] {
  const mistake = findMistake(args.pattern);
  if (mistake) return [{ path: ['pattern'], message: mistake }];
  const compiled = compilePattern(args.pattern);
  return probes.every((probe) => compiled.matcher(probe).find())
    ? [
        {
          path: ['pattern'],
          message: 'this pattern matches every text, so the check could never say anything else',
        },
      ]
    : [];
}

/** Texts that have nothing in common: a pattern such as `x*`, which is content with nothing, matches them all. */
const probes = ['', 'q', '7', '退', '\n', ' – '];

interface Match {
  turn: Turn;
  start: number;
  end: number;
}

function findMatches(pattern: string, turns: readonly Turn[]): Match[] {
  const matches: Match[] = [];
  for (const turn of turns) {
    const matcher = compilePattern(pattern).matcher(turn.reply.text);
    while (matches.length < mostEvidence && matcher.find())
      matches.push({ turn, start: matcher.start(), end: matcher.end() });
  }
  return matches;
}

/** Matches that only invisible characters break up: whoever reads the reply sees them all the same. */
function findHiddenMatches(pattern: string, turns: readonly Turn[]): Match[] {
  const matches: Match[] = [];
  for (const turn of turns) {
    const { text, origin } = withoutInvisible(turn.reply.text);
    if (text === turn.reply.text) continue;
    const matcher = compilePattern(pattern).matcher(text);
    while (matches.length < mostEvidence && matcher.find()) {
      const start = origin(matcher.start());
      const end = matcher.end() > matcher.start() ? origin(matcher.end() - 1) + 1 : start;
      if (compilePattern(pattern).matcher(turn.reply.text.slice(start, end)).matches()) continue;
      matches.push({ turn, start, end });
    }
  }
  return matches;
}

function evidenceFor(matches: readonly Match[]): Evidence[] {
  return matches.flatMap((match) => locate(match.turn, match.start, match.end));
}

function quoteMatch(match: Match): string {
  return quoteAround(match.turn.reply.text, match.start, match.end, 100);
}

/** A pattern without its machinery, for an id: `(?i)\bfull refund\b` becomes `full refund`. */
function readable(pattern: string): string {
  return pattern
    .replace(/\(\?[a-zA-Z-]*:?\)?|\\[bBAzdDwWsS]/gu, ' ')
    .replace(/\\(.)/gu, '$1')
    .replace(/\s+/gu, ' ')
    .trim();
}
