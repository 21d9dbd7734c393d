import type { Belief } from '../../../bisect/answer.js';
import { badWithout, type Needs } from '../../../bisect/candidate.js';
import { verdictOfStep } from '../../../bisect/guided.js';
import type { StepVerdict } from '../../../bisect/next.js';
import { liveEntries, type Session } from '../../../bisect/session.js';
import type { ShownStatus } from '../../bisect-desk.js';
import type { Tone } from '../../tone.js';

/** How a hunk stands: in words, and what they mean. */
export interface HunkStanding {
  words: string;
  tone: Tone;
}

export const waiting: HunkStanding = { words: 'waiting', tone: 'waiting' };
const skipped: HunkStanding = { words: 'skipped', tone: 'faint' };
const tried: HunkStanding = { words: 'tried', tone: 'faint' };

/** Below this nobody would look at a hunk, although no step has cleared it. */
const unlikely = 0.02;

/** How each hunk stands, in their order. */
export function hunkStandings(
  session: Session,
  status: ShownStatus,
  needs: Needs,
  belief: Belief | undefined,
): HunkStanding[] {
  const standings: HunkStanding[] = Array.from({ length: session.hunks }, () => waiting);
  const entries = liveEntries(session);
  for (const [hunk, guilt] of belief?.hunks.entries() ?? []) {
    if (guilt < unlikely) standings[hunk] = { words: 'unlikely', tone: 'faint' };
  }
  for (const entry of entries) {
    if (entry.kind === 'skip') standings[entry.hunk] = skipped;
    // A search, or a step that was asked for, may try it all the same.
    if (entry.kind === 'trial')
      for (const [hunk, standing] of standings.entries())
        if (standing === skipped && entry.candidate === badWithout([hunk], needs)) standings[hunk] = tried;
    if (entry.kind === 'accept')
      standings[entry.hunk] = verdictStanding(verdictOfStep(session, entry.hunk, needs));
    if (entry.kind === 'override')
      standings[entry.hunk] = {
        words: `yours: ${entry.says}`,
        tone: entry.says === 'guilty' ? 'fail' : 'pass',
      };
  }
  if (status.kind === 'found')
    for (const [hunk, standing] of standings.entries())
      if (standing === waiting || standing === tried)
        standings[hunk] = { words: 'not blamed', tone: 'faint' };
  if (status.kind === 'deciding') standings[status.next.hunk] = { words: 'your turn', tone: 'accent' };
  if (status.kind === 'trying' && status.purpose.kind === 'step')
    standings[status.purpose.hunk] = { words: 'testing', tone: 'running' };
  if (status.kind === 'trying' && 'hunks' in status.purpose) {
    // The rest of the suite is run once it is found: nothing of that takes it back.
    const words = status.purpose.kind === 'suite' ? 'guilty' : 'blamed';
    for (const hunk of status.purpose.hunks) standings[hunk] = { words, tone: 'fail' };
  }
  if (status.kind === 'found' && status.found.finding.kind === 'hunks')
    for (const hunk of status.found.finding.hunks) standings[hunk] = { words: 'guilty', tone: 'fail' };
  return standings;
}

function verdictStanding(verdict: StepVerdict | undefined): HunkStanding {
  if (verdict === 'recovered') return { words: 'guilty', tone: 'fail' };
  if (verdict === 'still-fails') return { words: 'cleared', tone: 'pass' };
  return { words: 'unknown', tone: 'unknown' };
}
