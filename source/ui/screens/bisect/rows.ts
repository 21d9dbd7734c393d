import { makeVisible } from '../../../base/text.js';
import type { Belief } from '../../../bisect/answer.js';
import { badEnd, badWithout, type Candidate, goodEnd, type Needs } from '../../../bisect/candidate.js';
import { candidateName } from '../../../bisect/candidate-prompt.js';
import { countOutcomes, rateOf } from '../../../bisect/evidence.js';
import type { BisectRecord } from '../../../bisect/record.js';
import type { RecordedCell, RecordedTrial } from '../../../bisect/recorded-trials.js';
import type { Session } from '../../../bisect/session.js';
import type { BisectPurpose } from '../../../run/bisect-events.js';
import type { BisectDesk, ShownStatus } from '../../bisect-desk.js';
import type { Tone } from '../../tone.js';
import { type HunkStanding, hunkStandings, waiting } from './hunk-standing.js';

/** A row of the list: what can be looked at, and opened. */
export interface BisectRow {
  /** `end`: what it will cost, or what was found. `other`: a prompt that was tried and is no end and no single hunk. */
  kind: 'end' | 'good' | 'bad' | 'hunk' | 'other';
  id: string;
  /** From 0; of a hunk only. */
  hunk?: number;
  /** The prompt that it is about; of the first row the narrowed one, where there is one. */
  candidate?: Candidate;
  /** Made visible. */
  title: string;
  standing: HunkStanding;
  /** Probability that the hunk is guilty; not set where the strategy believes nothing. */
  belief?: number;
  /** Its trials that nobody took back, in order. */
  trials: readonly RecordedTrial[];
}

/** Everything that the screen is drawn from. */
export interface BisectStanding {
  desk: BisectDesk;
  record: BisectRecord;
  session: Session;
  status: ShownStatus;
  needs: Needs;
  belief: Belief | undefined;
  rows: readonly BisectRow[];
  /** Position of the row that is selected. */
  at: number;
}

/** Graded trials of a row. */
export function countsOfRow(record: BisectRecord, { trials }: Pick<BisectRow, 'trials'>) {
  const counts = countOutcomes(trials.map((trial) => record.outcomeOf(trial)));
  return { ...counts, ...rateOf(counts) };
}

/** Conversations of a row, in the order in which they were begun. */
export function cellsOfRow({ trials }: Pick<BisectRow, 'trials'>): RecordedCell[] {
  return trials.flatMap(({ cells }) => cells);
}

/** What stands on the screen. `chosen`: id of the row that the person chose. */
export function standingOf(desk: BisectDesk, chosen: string | undefined): BisectStanding {
  const { record } = desk;
  const { needs } = record;
  const session = record.session();
  const status = desk.status();
  const { belief } = desk.proposal();
  const rows = rowsOf(record, session, status, needs, belief);
  const wanted = chosen ?? followed(record, status, needs);
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === wanted),
  );
  return { desk, record, session, status, needs, belief, rows, at };
}

function rowsOf(
  record: BisectRecord,
  session: Session,
  status: ShownStatus,
  needs: Needs,
  belief: Belief | undefined,
): BisectRow[] {
  const { planned, diff } = record;
  const undone = record.undone();
  const live = record.trials.filter((trial) => !undone.has(trial));
  const tried = live.filter(({ purpose }) => purpose.kind !== 'suite');
  const of = (candidate: Candidate) => tried.filter((trial) => trial.candidate === candidate);
  const standings = hunkStandings(session, status, needs, belief);
  const hunks = diff.hunks.map(({ title }, hunk): BisectRow => {
    const candidate = badWithout([hunk], needs);
    const guilt = belief?.hunks[hunk];
    return {
      kind: 'hunk',
      id: hunkId(hunk),
      hunk,
      candidate,
      title: makeVisible(title),
      standing: standings[hunk] ?? waiting,
      ...(guilt !== undefined && { belief: guilt }),
      trials: of(candidate),
    };
  });
  const known = new Set([
    goodEnd(session.hunks),
    badEnd(session.hunks),
    ...hunks.map((row) => row.candidate),
  ]);
  const others = [...new Set(tried.map(({ candidate }) => candidate))].filter((one) => !known.has(one));
  const end = (kind: 'good' | 'bad', candidate: Candidate): BisectRow => ({
    kind,
    id: kind,
    candidate,
    title: `${makeVisible(planned[kind].name)}, ${kind === 'good' ? 'the good one' : 'the bad one'}`,
    standing: isTrying(status, 'ends') ? { words: 'testing', tone: 'running' } : { words: '', tone: 'faint' },
    trials: of(candidate),
  });
  return [
    ...firstRow(live, status, needs),
    end('good', goodEnd(session.hunks)),
    end('bad', badEnd(session.hunks)),
    ...hunks,
    ...others.map((candidate): BisectRow => {
      const trials = of(candidate);
      const isTried = trials.some((trial) => record.outcomeOf(trial) === undefined);
      return {
        kind: 'other',
        id: candidate,
        candidate,
        title: makeVisible(candidateName(planned, candidate)),
        standing: isTried ? { words: 'testing', tone: 'running' } : { words: 'tried', tone: 'faint' },
        trials,
      };
    }),
  ];
}

function hunkId(hunk: number): string {
  return `hunk ${hunk}`;
}

/** What is there before anything was tried, and what was found: the row on top. */
function firstRow(live: readonly RecordedTrial[], status: ShownStatus, needs: Needs): BisectRow[] {
  const row = (title: string, tone: Tone): BisectRow => ({
    kind: 'end',
    id: 'end',
    title,
    standing: { words: '', tone },
    trials: [],
  });
  if (status.kind === 'planned') return [row('what it will cost', 'accent')];
  if (status.kind !== 'found') return [];
  const { finding } = status.found;
  const first = row('what was found', finding.kind === 'inconclusive' ? 'warn' : 'strong');
  if (finding.kind !== 'hunks') return [first];
  const candidate = badWithout(finding.hunks, needs);
  const isOfEnd = ({ purpose, candidate: one }: RecordedTrial) =>
    one === candidate && (purpose.kind === 'confirm' || purpose.kind === 'cure' || purpose.kind === 'suite');
  return [{ ...first, candidate, trials: live.filter(isOfEnd) }];
}

/** The row that is looked at when the person has chosen none: where something happens. */
function followed(record: BisectRecord, status: ShownStatus, needs: Needs): string {
  switch (status.kind) {
    case 'planned':
    case 'found':
      return 'end';
    case 'deciding':
      return hunkId(status.next.hunk);
    case 'waiting':
      return rowOf(status.next.purpose, status.next.candidate, needs);
    case 'trying': {
      const last = record.trials.findLast((trial) => record.outcomeOf(trial) === undefined);
      return rowOf(status.purpose, last?.candidate, needs);
    }
    case 'asking':
    case 'stopped': {
      const last = record.trials.findLast(({ purpose }) => purpose.kind !== 'suite');
      return last ? rowOf(last.purpose, last.candidate, needs) : 'good';
    }
  }
}

function rowOf(purpose: BisectPurpose, candidate: Candidate | undefined, needs: Needs): string {
  if (purpose.kind === 'step') return hunkId(purpose.hunk);
  // Both are run in turns: the marker does not jump between them.
  if (purpose.kind === 'ends') return 'good';
  if (candidate === goodEnd(needs.hunks)) return 'good';
  if (candidate === badEnd(needs.hunks)) return 'bad';
  const alone = Array.from({ length: needs.hunks }, (_, hunk) => hunk).find(
    (hunk) => badWithout([hunk], needs) === candidate,
  );
  return alone === undefined ? (candidate ?? 'good') : hunkId(alone);
}

function isTrying(status: ShownStatus, kind: BisectPurpose['kind']): boolean {
  return status.kind === 'trying' && status.purpose.kind === kind;
}
