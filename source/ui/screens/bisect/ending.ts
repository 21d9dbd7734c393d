import type { BisectRecord } from '../../../bisect/record.js';
import { spentTrials } from '../../../bisect/session.js';
import { spentLine } from '../../../report/bisect.js';
import { unifiedLines } from '../../../report/bisect-diff.js';
import { type BisectDigest, digestBisect } from '../../../report/bisect-digest.js';
import { planning } from '../../../report/bisect-plan.js';
import { takenBackLine } from '../../../report/bisect-said.js';
import type { BisectFound } from '../../../run/bisect-events.js';
import type { RunTally } from '../../../tally/types.js';
import type { Tone } from '../../tone.js';
import type { BisectStanding } from './rows.js';

interface EndLine {
  /** Not made visible. */
  text: string;
  tone: Tone;
}

const line = (text: string, tone: Tone = 'plain'): EndLine => ({ text, tone });

/** What it will cost, or what was found, what that rests on, and the words of the narrowed prompt. */
export function endLines(
  { desk, record, status }: BisectStanding,
  tally: RunTally | undefined,
): readonly EndLine[] {
  if (status.kind === 'planned') return (desk.plan() ?? [`${planning} …`]).map((text) => line(text));
  if (status.kind !== 'found' || !tally) return [];
  const { found } = status;
  let lines = made.get(found);
  if (!lines) {
    lines = foundLines(record, found);
    made.set(found, lines);
  }
  // A finding may be known before all of its run was read: what it took is counted anew.
  const spent = spentTrials(record.session());
  return [...lines, line(''), line(spentLine(tally, { spent }), 'faint')];
}

/** A finding stays as it is, and what stands below it takes a while to work out. */
const made = new WeakMap<BisectFound, readonly EndLine[]>();

function foundLines(record: BisectRecord, found: BisectFound): EndLine[] {
  const digest = digestBisect(record, found);
  return [
    line(found.headline, 'strong'),
    ...found.reasons.map((reason) => line(`  ${reason}`)),
    ...(digest.takenBack ? [line(`  ${takenBackLine(digest.takenBack)}`, 'warn')] : []),
    ...narrowedLines(record, digest),
  ];
}

function narrowedLines({ planned }: BisectRecord, { narrowed }: BisectDigest): EndLine[] {
  if (!narrowed) return [];
  const { name, text, confirmation, cure } = narrowed;
  const rate = ({ passed, of }: { passed: number; of: number }) => `${passed}/${of}`;
  const { bad } = planned;
  return [
    ...(confirmation.narrowed.of > 0
      ? [
          line(
            `  confirmed in turns: ${name} passes ${rate(confirmation.narrowed)}, ${bad.name} ${rate(confirmation.bad)}`,
          ),
        ]
      : [line('  it was not confirmed', 'warn')]),
    ...(cure.of > 0 ? [line(`  does reverting cure? ${name} passes ${rate(cure)} more`)] : []),
    line(''),
    line('the narrowed prompt:', 'accent'),
    ...unifiedLines({ name: bad.name, text: bad.text }, { name, text }).map((text) =>
      line(text, toneOf(text)),
    ),
  ];
}

function toneOf(text: string): Tone {
  if (/^(?:---|\+\+\+|@@)/.test(text)) return 'faint';
  if (text.startsWith('-')) return 'removed';
  return text.startsWith('+') ? 'added' : 'plain';
}
