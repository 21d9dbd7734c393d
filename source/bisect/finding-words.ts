import type { BisectAnswer, BisectFinding, BisectFound } from '../run/bisect-events.js';
import { beliefIn } from './answer.js';
import { badEnd, badWithout, type Candidate, goodEnd } from './candidate.js';
import { candidateName } from './candidate-prompt.js';
import { understand } from './conclude.js';
import { elsewhereLines } from './elsewhere-words.js';
import { countsOf, type Evidence, rateOf, readEvidence } from './evidence.js';
import { findingVerdict, numbered } from './finding-short.js';
import type { BisectRecord } from './record.js';
import { currentBudget, liveEntries, type Session, spentTrials } from './session.js';
import { type SuiteStanding, suiteStandings } from './whole-suite.js';

/** What a finding is called, and what it rests on. */
export function findingWords(record: BisectRecord, finding: BisectFinding): BisectFound {
  const session = record.session();
  return {
    finding,
    headline: headlineOf(record, finding),
    reasons: [
      ...measuredLines(record, session, finding),
      ...cureLines(record, finding),
      ...elsewhereLines(record, finding),
    ],
  };
}

function headlineOf({ planned: { good, bad }, diff }: BisectRecord, finding: BisectFinding): string {
  switch (finding.kind) {
    case 'hunks': {
      const { hunks, belief } = finding;
      const [first] = hunks;
      const title = hunks.length === 1 && first !== undefined ? `, ${diff.hunks[first]?.title}` : '';
      return `${findingVerdict(finding, diff.hunks.length)}${title}${beliefText(belief)}`;
    }
    case 'not-the-prompt':
      return `NOT THE PROMPT: nothing between ${good.name} and ${bad.name} makes the difference${beliefText(finding.belief)}`;
    case 'good-fails-too':
      return `NOT THE PROMPT: ${good.name} fails as well${beliefText(finding.belief)}`;
    case 'inconclusive':
      return `INCONCLUSIVE: ${whyText(finding.why)}`;
  }
}

function whyText(why: Extract<BisectFinding, { kind: 'inconclusive' }>['why']): string {
  switch (why) {
    case 'budget':
      return 'the budget is spent';
    case 'errors':
      return 'trials could not be run, several in a row';
    case 'ungradable':
      return 'no prompt is left that could be graded';
    case 'no-recovery':
      return 'nothing that was reverted made it pass again';
  }
}

function measuredLines(record: BisectRecord, session: Session, finding: BisectFinding): string[] {
  const { good, bad } = record.planned;
  const evidence = readEvidence(session);
  const rate = (candidate: Candidate) => {
    const { passed, of } = rateOf(countsOf(evidence, candidate));
    return `${passed}/${of}`;
  };
  const lines = [
    `${good.name} passes ${rate(goodEnd(session.hunks))}, ${bad.name} ${rate(badEnd(session.hunks))}`,
  ];
  lines.push(...spokenLines(session, evidence, finding));
  const narrowed = finding.kind === 'hunks' ? badWithout(finding.hunks, record.needs) : undefined;
  // Without all of its hunks it is the good one.
  if (narrowed !== undefined && narrowed !== goodEnd(session.hunks)) {
    const passed = rate(narrowed);
    const name = candidateName(record.planned, narrowed);
    // Plain strategies infer it from prefixes of hunks, and may never have tried it.
    lines.push(passed === '0/0' ? `${name} was not tried` : `${name} passes ${passed}`);
  }
  if (finding.kind === 'inconclusive') {
    const { leader, wouldTake } = finding;
    if (leader) {
      const what = leader.hunks.length === 0 ? 'not the prompt' : `hunk ${numbered(leader.hunks)}`;
      lines.push(`most believed: ${what}${beliefText(leader.belief)}`);
    }
    if (wouldTake !== undefined) lines.push(`about ${wouldTake} more trials would settle it`);
  }
  lines.push(`${spentTrials(session)} trials of ${currentBudget(session)} spent`);
  return lines;
}

/** What a person said of hunks weighs in what is believed: how much it is believed by trials alone. */
function spokenLines(session: Session, { words }: Evidence, finding: BisectFinding): string[] {
  const answer = answerOf(finding);
  if (words.size === 0 || !answer) return [];
  const entries = liveEntries(session).filter(({ kind }) => kind !== 'override');
  const belief = beliefIn(understand({ ...session, entries }).posterior, answer);
  const said = [...words].sort(([one], [other]) => one - other);
  const text = said.map(([hunk, word]) => `hunk ${hunk + 1} is ${word}`).join(', ');
  return [`leans on a person's word, ${text}: without it believed ${percentText(belief)}`];
}

/** The answer that a finding believes; undefined where the strategy believes nothing. */
function answerOf(finding: BisectFinding): BisectAnswer | undefined {
  if (finding.kind === 'inconclusive') return finding.leader;
  const { belief } = finding;
  return belief === undefined ? undefined : { hunks: finding.kind === 'hunks' ? finding.hunks : [], belief };
}

function cureLines(record: BisectRecord, finding: BisectFinding): string[] {
  if (finding.kind !== 'hunks' || record.planned.skipsCure) return [];
  const narrowed = badWithout(finding.hunks, record.needs);
  const standings = suiteStandings(record, narrowed);
  if (standings.length === 0) return [];
  if (standings.every(({ run }) => run === 0))
    return ['the rest of the suite was not run on the narrowed prompt'];
  const failing = standings.filter(({ passed, of }) => passed < of);
  const ungraded = standings.filter(({ run, of }) => run > 0 && of === 0);
  const fine = standings.filter(({ passed, of }) => of > 0 && passed === of).length;
  return [
    `the rest of the suite on the narrowed prompt, once: ${fine} of ${standings.length} pass`,
    ...failing.map(
      (one) => `fails there: ${one.scenario}, passed ${rerunText(one, record.planned.good.name)}`,
    ),
    ...(ungraded.length > 0
      ? [`could not be graded there: ${ungraded.map(({ scenario }) => scenario).join(', ')}`]
      : []),
  ];
}

/** `1/3, under v14 3/3`. */
export function rerunText({ passed, of, good }: SuiteStanding, goodName: string): string {
  const before = good && good.of > 0 ? `, under ${goodName} ${good.passed}/${good.of}` : '';
  return `${passed}/${of}${before}`;
}

function beliefText(belief: number | undefined): string {
  return belief === undefined ? '' : `, believed ${percentText(belief)}`;
}

/** `97 %`; never 100 %, which nothing proves. */
function percentText(belief: number): string {
  const percent = Math.min(99.9, Math.floor(belief * 1000) / 10);
  return `${percent >= 99 ? percent.toFixed(1) : Math.floor(percent)} %`;
}
