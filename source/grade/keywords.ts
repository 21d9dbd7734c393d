import { z } from 'zod';
import type { Turn } from '../play/types.js';
import { defineCheck } from './define.js';
import { listed, quote, quoteAround } from './quote.js';
import { messageOf, readSuiteFile } from './suite-file.js';
import { hasNoText, locate, nothingToRead, quoteReplies, selectTurns, stopNote, undecided } from './turns.js';
import type { ArgumentMistake } from './types.js';
import { foldWords, searchWords } from './words.js';

const words = z
  .array(z.string().min(1))
  .min(1)
  .optional()
  .describe('Words or phrases. Whole words only, in any script; case does not count.');
const file = z
  .string()
  .min(1)
  .optional()
  .describe(
    'Instead of words: a text file below the folder of the suite, one word or phrase a line; ' +
      'empty lines and lines that begin with # are left out.',
  );
const absentSchema = z.strictObject({ words, file });
const presentSchema = z.strictObject({
  words,
  file,
  any: z.boolean().default(false).describe('true: one of them is enough. Otherwise each has to be there.'),
});
type AbsentArgs = z.infer<typeof absentSchema>;
type PresentArgs = z.infer<typeof presentSchema>;

/** Occurrences that are pointed at. */
const mostEvidence = 20;

export const keywordsPresent = defineCheck<PresentArgs>({
  type: 'keywords_present',
  kind: 'hard',
  summary: 'Words are in the replies: each in at least one of them.',
  schema: presentSchema,
  example: { words: ['store credit', 'voucher'], any: true },
  defaultOn: 'replies',
  untunable: ['file'],
  mainArgument,
  validate: wordMistakes,
  grade(args, context, spec) {
    const wanted = wordsOf(args, context.suiteFolder);
    const selection = selectTurns(context.transcript, spec.on ?? 'replies');
    const found = findWords(wanted, selection.turns);
    const present = wanted.filter((word) => found.some((one) => one.word === word));
    const missing = wanted.filter((word) => !present.includes(word));
    const evidence = found.slice(0, mostEvidence).flatMap((one) => locate(one.turn, one.start, one.end));
    if (args.any ? present.length > 0 : missing.length === 0)
      return { verdict: 'pass', reason: `saw ${listed(present.map((word) => quote(word, 60)))}`, evidence };
    if (selection.open) return undecided(selection.open);
    const list = listed(missing.map((word) => quote(word, 60)));
    const expected = args.any && wanted.length > 1 ? `one of ${list}` : list;
    return {
      verdict: 'fail',
      reason: `expected ${expected}, saw ${quoteReplies(selection.turns)}${stopNote(selection.turns)}`,
      evidence,
    };
  },
});

export const keywordsAbsent = defineCheck<AbsentArgs>({
  type: 'keywords_absent',
  kind: 'hard',
  summary: 'None of the words is in any reply. Unknown where a reply is empty.',
  schema: absentSchema,
  example: { file: 'forbidden-words.txt' },
  defaultOn: 'replies',
  absoluteByDefault: true,
  untunable: ['file'],
  mainArgument,
  validate: wordMistakes,
  grade(args, context, spec) {
    const forbidden = wordsOf(args, context.suiteFolder);
    const selection = selectTurns(context.transcript, spec.on ?? 'replies');
    const found = findWords(forbidden, selection.turns);
    const [first] = found;
    if (first) {
      const seen = quoteAround(first.turn.reply.text, first.start, first.end, 100);
      return {
        verdict: 'fail',
        reason: `expected no ${quote(first.word, 60)}, saw ${seen} in turn ${first.turn.index}`,
        evidence: found.slice(0, mostEvidence).flatMap((one) => locate(one.turn, one.start, one.end)),
      };
    }
    if (selection.open) return undecided(selection.open);
    const empty = selection.turns.find(hasNoText);
    if (empty) return nothingToRead(empty);
    const none = `none of ${listed(forbidden.map((word) => quote(word, 60)))}`;
    return { verdict: 'pass', reason: `${none}${stopNote(selection.turns)}` };
  },
});

interface FoundWord {
  word: string;
  turn: Turn;
  start: number;
  end: number;
}

function findWords(wanted: readonly string[], turns: readonly Turn[]): FoundWord[] {
  return turns.flatMap((turn) => {
    const search = searchWords(turn.reply.text);
    return wanted
      .flatMap((word) => search.find(word).map((place) => ({ word, turn, ...place })))
      .sort((a, b) => a.start - b.start);
  });
}

function wordsOf(args: AbsentArgs, suiteFolder: string): string[] {
  return args.file === undefined ? (args.words ?? []) : wordsInFile(readSuiteFile(suiteFolder, args.file));
}

function wordsInFile(text: string): string[] {
  return text
    .split(/\r?\n/u)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function mainArgument(args: AbsentArgs): string {
  return args.file ?? (args.words ?? []).slice(0, 3).join(' ');
}

function wordMistakes(args: AbsentArgs, suiteFolder?: string): ArgumentMistake[] {
  if ((args.words === undefined) === (args.file === undefined))
    return [{ path: [], message: 'needs either words or file' }];
  const invisible = (args.words ?? []).flatMap((word, index) =>
    foldWords(word) === '' ? [{ path: ['words', index], message: 'there is no word in this text' }] : [],
  );
  if (args.file === undefined || suiteFolder === undefined) return invisible;
  try {
    return wordsOf(args, suiteFolder).some((word) => foldWords(word) !== '')
      ? []
      : [{ path: ['file'], message: `there is no word in "${args.file}"` }];
  } catch (error) {
    return [{ path: ['file'], message: messageOf(error) }];
  }
}
