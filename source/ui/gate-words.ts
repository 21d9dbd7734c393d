import type { GateVerdict } from '../compare/gate.js';
import type { Tone } from './tone.js';

/** The gate's verdicts in the words that reports have for them, and how each looks. */
export const gateWords: Record<GateVerdict, readonly [words: string, tone: Tone]> = {
  pass: ['PASS', 'pass'],
  fail: ['FAIL', 'fail'],
  measured: ['MEASURED', 'plain'],
  none: ['NO VERDICT', 'unknown'],
  interrupted: ['INTERRUPTED', 'warn'],
};
