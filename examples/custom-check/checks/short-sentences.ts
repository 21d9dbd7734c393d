// A check as a TypeScript module: no sentence of a reply is longer than `most` words. The import is of types alone and
// is gone when the module is loaded: an editor needs evalrun among the project's packages, a run does not.
import type { CustomCheck } from 'evalrun/check';

const words = new Intl.Segmenter('en', { granularity: 'word' });
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

function countWords(text: string): number {
  return [...words.segment(text)].filter(({ isWordLike }) => isWordLike).length;
}

const check: CustomCheck = ({ args, turns }) => {
  const most = typeof args.most === 'number' ? args.most : 20;
  let longest = 0;
  for (const turn of turns) {
    for (const [part, piece] of turn.reply.parts.entries()) {
      if (piece.kind !== 'text') continue;
      for (const { segment, index } of sentences.segment(piece.text)) {
        const count = countWords(segment);
        longest = Math.max(longest, count);
        if (count <= most) continue;
        const end = index + segment.trimEnd().length;
        return {
          verdict: 'fail',
          reason: `expected at most ${most} words a sentence, saw ${count} in turn ${turn.index}`,
          evidence: [{ turn: turn.index, part, start: index, end }],
        };
      }
    }
  }
  // Nothing that was said says nothing of how it is said.
  if (longest === 0) return { verdict: 'unknown', reason: 'no reply has a sentence' };
  return { verdict: 'pass', reason: `the longest sentence has ${longest} words` };
};

export default check;
