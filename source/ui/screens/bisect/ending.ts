import { candidateName } from '../../../bisect/candidate-prompt.js';
import type { Tone } from '../../tone.js';
import type { BisectStanding } from './rows.js';

interface EndLine {
  text: string;
  tone: Tone;
}

/** What it will cost, or what was found and what to do with it. Not made visible. */
export function endLines({ desk, record, status, rows }: BisectStanding): EndLine[] {
  const line = (text: string, tone: Tone = 'plain'): EndLine => ({ text, tone });
  if (status.kind === 'planned') return desk.plan().map((text) => line(text));
  if (status.kind !== 'found') return [];
  const { headline, reasons } = status.found;
  const narrowed = rows[0]?.candidate;
  return [
    line(headline, 'strong'),
    ...reasons.map((reason) => line(`  ${reason}`)),
    ...(narrowed === undefined ? [] : [line(candidateName(record.planned, narrowed), 'accent')]),
  ];
}
