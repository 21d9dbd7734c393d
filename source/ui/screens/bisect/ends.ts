import { makeVisible } from '../../../base/text.js';
import { separates } from '../../../bisect/separates.js';
import { type BisectRow, type BisectStanding, countsOfRow } from './rows.js';

/** Whether both ends are told apart by what was measured. */
export interface EndsTexts {
  /** In words, made visible; the longest first, each of the others says less of the same. */
  texts: readonly [string, ...string[]];
  /** What was measured may be chance. */
  isUnclear: boolean;
}

export function endsTexts({ record, rows }: BisectStanding): EndsTexts {
  const { planned } = record;
  const [good, bad] = [makeVisible(planned.good.name), makeVisible(planned.bad.name)];
  const of = (kind: BisectRow['kind']) => {
    const row = rows.find((one) => one.kind === kind);
    return row ? countsOfRow(record, row) : { passed: 0, failed: 0, of: 0 };
  };
  const [a, b] = [of('good'), of('bad')];
  if (a.of + b.of === 0)
    return {
      texts: [`${good} and ${bad} are measured first, two trials each`, 'both ends are measured first'],
      isUnclear: false,
    };
  const rates = `${good} passes ${a.passed}/${a.of}, ${bad} ${b.passed}/${b.of}`;
  const short = `${good} ${a.passed}/${a.of}, ${bad} ${b.passed}/${b.of}`;
  if (a.of < 2 || b.of < 2) return { texts: [rates, short], isUnclear: false };
  if (separates(a, b))
    return { texts: [`${rates}: they separate`, `${short}: they separate`, short], isUnclear: false };
  return {
    texts: [
      `${rates}: they do not separate clearly, it goes on by belief`,
      `${rates}: they do not separate clearly`,
      `${short}: they do not separate clearly`,
      `${short}: not clearly apart`,
      'not clearly apart',
    ],
    isUnclear: true,
  };
}
