import { addUsage, noUsage } from '../model/types.js';
import { type Ledgers, type RunEvent, type RunMessage, type TrialKey, trialId } from '../run/events.js';
import type { Condition, PlannedScenario } from '../run/planned.js';
import type { RunStarted } from '../run/reader.js';
import { hearTurn, keepAgent, newAgent } from './agent.js';
import { cutReason, failCell, finishCell, resetCell, startCell } from './cell.js';
import {
  addCells,
  addMissingResults,
  countError,
  countResults,
  countsOf,
  findRepeat,
  groupVerdict,
  isFresh,
  newGroup,
  plannedCells,
  worstReason,
} from './group.js';
import { quarantinedChecks } from './quarantine.js';
import type { Cell, CellGroup, RunTally, ScenarioTally, Verdict } from './types.js';
import { worstVerdict } from './verdict.js';

type PlanExtended = Extract<RunEvent, { type: 'plan-extended' }>;

/** The tally of a run that has only just started: every cell waits. A condition that stands by has none. */
export function createTally(started: RunStarted): RunTally {
  const { scenarios, conditions, repeat } = started.plan;
  const planned = conditions.filter(({ standby }) => standby !== true);
  const { quarantine = [] } = started;
  const rows = scenarios.map((scenario, order) =>
    newRow(scenario, order, conditions, repeat, quarantinedChecks(scenario, quarantine)),
  );
  return {
    started,
    conditions: [...conditions],
    agents: new Map(conditions.map(({ id }) => [id, newAgent()])),
    rows,
    rowById: new Map(rows.map((row) => [row.scenario.id, row])),
    state: 'running',
    stopReason: undefined,
    retries: { count: 0, last: undefined },
    finishedAt: undefined,
    activeMs: 0,
    activeSince: started.at,
    trials: { total: scenarios.length * planned.length * repeat, done: 0, running: 0, errors: 0 },
    verdicts: { pass: 0, warn: 0, fail: 0, unknown: 0, error: 0 },
    quarantined: rows.filter(({ isQuarantined }) => isQuarantined).length,
    tokens: { agent: noUsage, judge: noUsage },
    taints: [],
    found: undefined,
    inFlight: new Map(),
    lastAt: started.at,
  };
}

const nothing: ReadonlySet<string> = new Set();

function newRow(
  scenario: PlannedScenario,
  order: number,
  conditions: readonly Condition[],
  repeat: number,
  quarantined: ReadonlySet<string>,
): ScenarioTally {
  const isQuarantined = quarantined.size > 0 && quarantined.size === scenario.checks.length;
  // Of a scenario that is quarantined whole the verdict is still told: it counts for nothing as it is.
  const leftOut = isQuarantined ? nothing : quarantined;
  return {
    scenario,
    order,
    groups: conditions.map(({ id, standby }) => newGroup(id, scenario, standby ? 0 : repeat, leftOut)),
    isQuarantined,
    verdict: undefined,
    isPartial: true,
    why: undefined,
    tokens: 0,
    ms: 0,
  };
}

/**
 * Takes one message in, live or replayed, by changing the tally in place. Costs no more than what the message
 * changes. Gives the row that changed; undefined when none did, and for `run-resumed` and `run-finished`, which put
 * every running cell back to waiting.
 */
export function applyMessage(tally: RunTally, message: RunMessage): ScenarioTally | undefined {
  const { event, position } = message;
  // What killed a run left no message: it was going up to the last one before it was taken up again.
  if (event.type === 'run-resumed') endActivity(tally, tally.lastAt);
  if ('at' in event) tally.lastAt = event.at;
  switch (event.type) {
    case 'run-started':
      return undefined;
    case 'run-resumed':
      forgetRunning(tally);
      goOn(tally);
      return undefined;
    case 'run-finished':
      forgetRunning(tally);
      endActivity(tally, event.at);
      tally.state = event.outcome;
      tally.stopReason = event.reason;
      tally.finishedAt = event.at;
      return undefined;
    case 'taint':
      tally.taints.push({ kind: event.kind, message: event.message });
      return undefined;
    case 'request-retried': {
      const { model, kind, message: why } = event;
      tally.retries = { count: tally.retries.count + 1, last: { model, kind, message: cutReason(why) } };
      return undefined;
    }
    case 'plan-extended':
      return extendRow(tally, event);
    case 'condition-added':
      addCondition(tally, event.condition);
      return undefined;
    case 'bisect-decided':
      // What was said after the end may change it.
      tally.found = undefined;
      return undefined;
    case 'bisect-found':
      tally.found = event.found;
      return undefined;
    case 'trial-started': {
      const place = findCell(tally, event.trial);
      if (!place || hasEnded(place.cell)) return undefined;
      const id = trialId(event.trial);
      if (place.cell.state !== 'running') tally.trials.running++;
      startCell(place.cell, event.attempt, event.at, position);
      tally.inFlight.set(id, {
        checks: new Map(),
        models: new Set(),
        versions: new Set(),
        isWarm: undefined,
      });
      return place.row;
    }
    case 'reply-progress': {
      const place = findRunning(tally, event.trial);
      if (!place) return undefined;
      place.cell.live = {
        turn: event.turn,
        text: event.text,
        ...(event.tool !== undefined && { tool: event.tool }),
      };
      return place.row;
    }
    case 'product-log':
    case 'turn-finished': {
      const place = findRunning(tally, event.trial, event.attempt);
      if (!place) return undefined;
      keepPosition(place.cell, position);
      const running = tally.inFlight.get(trialId(event.trial));
      if (running && event.type === 'turn-finished') hearTurn(running, event.turn);
      return place.row;
    }
    case 'check-finished': {
      const place = findRunning(tally, event.trial, event.attempt);
      const running = tally.inFlight.get(trialId(event.trial));
      if (!place || !running) return undefined;
      keepPosition(place.cell, position);
      const { checkId, verdict, reason, score, axes } = event.result;
      running.checks.set(checkId, {
        verdict,
        reason: verdict === 'pass' ? '' : cutReason(reason),
        ...(score !== undefined && { score }),
        ...(axes && { axes }),
      });
      return place.row;
    }
    case 'trial-finished': {
      const place = findRunning(tally, event.trial, event.attempt);
      const running = tally.inFlight.get(trialId(event.trial));
      if (!place || !running) return undefined;
      keepPosition(place.cell, position);
      tally.inFlight.delete(trialId(event.trial));
      tally.trials.running--;
      tally.trials.done++;
      addMissingResults(place.group, running);
      const { checks } = running;
      finishCell(place.cell, { checks, leftOut: place.group.leftOut }, event.tokens, event.ms);
      countResults(countsOf(place.group, event.trial.repeat), running);
      keepAgent(tally, event.trial.condition, running, isFresh(place.group, event.trial.repeat));
      addTokens(tally, place.row, event.tokens);
      place.row.ms += event.ms;
      judgeRow(tally, place);
      return place.row;
    }
    case 'trial-errored': {
      const place = findRunning(tally, event.trial, event.attempt);
      if (!place) return undefined;
      tally.inFlight.delete(trialId(event.trial));
      tally.trials.running--;
      if (!event.final) {
        resetCell(place.cell);
        return place.row;
      }
      keepPosition(place.cell, position);
      failCell(place.cell, event.message);
      tally.trials.done++;
      tally.trials.errors++;
      countError(countsOf(place.group, event.trial.repeat));
      judgeRow(tally, place);
      return place.row;
    }
    default: {
      const unheard: never = event;
      return unheard;
    }
  }
}

/**
 * To be called after the last message of a journal that nobody writes any more: a run without an end was killed, and
 * what was running then is waiting again.
 */
export function endReplay(tally: RunTally): void {
  if (tally.state !== 'running') return;
  forgetRunning(tally);
  endActivity(tally, tally.lastAt);
  tally.state = 'unfinished';
}

/** Milliseconds in which the run was going: until `now` while it goes. Times between an end and going on do not count. */
export function activeTime({ activeMs, activeSince }: RunTally, now: number): number {
  return activeMs + (activeSince === undefined ? 0 : Math.max(0, now - activeSince));
}

/** The run goes on at the time of the last message, if it stood still until then. */
function goOn(tally: RunTally): void {
  tally.state = 'running';
  tally.stopReason = undefined;
  tally.finishedAt = undefined;
  tally.activeSince ??= tally.lastAt;
}

function endActivity(tally: RunTally, at: number): void {
  tally.activeMs = activeTime(tally, at);
  tally.activeSince = undefined;
}

interface PlaceOfTrial {
  row: ScenarioTally;
  group: CellGroup;
  cell: Cell;
}

function findCell(tally: RunTally, key: TrialKey): PlaceOfTrial | undefined {
  const row = tally.rowById.get(key.scenario);
  const group = row?.groups.find((candidate) => candidate.condition === key.condition);
  const cell = group && findRepeat(group, key.repeat);
  return row && group && cell ? { row, group, cell } : undefined;
}

/** The cell of a trial that runs; undefined for what comes late from an attempt that is over. */
function findRunning(tally: RunTally, key: TrialKey, attempt?: number): PlaceOfTrial | undefined {
  const place = findCell(tally, key);
  if (place?.cell.state !== 'running') return undefined;
  return attempt === undefined || attempt === place.cell.attempt ? place : undefined;
}

function hasEnded(cell: Cell): boolean {
  return cell.state !== 'waiting' && cell.state !== 'running';
}

function keepPosition(cell: Cell, position: RunMessage['position']): void {
  if (!position) return;
  const last = cell.positions.at(-1);
  if (last && last.offset + last.length === position.offset) {
    cell.positions[cell.positions.length - 1] = {
      offset: last.offset,
      length: last.length + position.length,
    };
  } else cell.positions.push(position);
}

function addTokens(tally: RunTally, row: ScenarioTally, tokens: Ledgers): void {
  tally.tokens.agent = addUsage(tally.tokens.agent, tokens.agent);
  tally.tokens.judge = addUsage(tally.tokens.judge, tokens.judge);
  if (tokens.user) tally.tokens.user = addUsage(tally.tokens.user ?? noUsage, tokens.user);
  if (tokens.isAgentPartial) tally.tokens.isAgentPartial = true;
  row.tokens += tokens.agent.input + tokens.agent.output;
}

function judgeRow(tally: RunTally, { row, group }: { row: ScenarioTally; group: CellGroup }): void {
  group.isPartial = !plannedCells(group).every(hasEnded);
  group.verdict = groupVerdict(group);
  const tested = testedGroups(tally, row);
  row.isPartial = tested.some((each) => each.isPartial);
  row.why = worstReason(tested);
  countVerdict(tally, row, worstVerdict(tested.map((each) => each.verdict)));
}

/**
 * The groups of what is tested: the base of a comparison is only there to be compared with, and the prompts of a bisect
 * are there to find words by.
 */
function testedGroups({ started }: RunTally, { groups }: ScenarioTally): CellGroup[] {
  if (started.purpose === 'bisect') return [];
  const base = started.base?.condition;
  return base === undefined ? groups : groups.filter(({ condition }) => condition !== base);
}

function countVerdict(tally: RunTally, row: ScenarioTally, verdict: Verdict | undefined): void {
  if (row.verdict && !row.isQuarantined) tally.verdicts[row.verdict]--;
  if (verdict && !row.isQuarantined) tally.verdicts[verdict]++;
  row.verdict = verdict;
}

/** A condition that joined stands by: its rows have no cells until trials are added. */
function addCondition(tally: RunTally, condition: Condition): void {
  tally.conditions.push(condition);
  tally.agents.set(condition.id, newAgent());
  for (const row of tally.rows) row.groups.push(newGroup(condition.id, row.scenario, 0));
}

/** Without a condition of its own the extension is of every condition that does not stand by. */
function extendRow(tally: RunTally, extension: PlanExtended): ScenarioTally | undefined {
  const row = tally.rowById.get(extension.scenario);
  if (!row) return undefined;
  const meant = tally.conditions.filter(({ id, standby }) =>
    extension.condition === undefined ? standby !== true : id === extension.condition,
  );
  let added = 0;
  for (const group of row.groups) {
    if (meant.some(({ id }) => id === group.condition)) added += addCells(group, row.scenario, extension);
  }
  tally.trials.total += added;
  row.isPartial = testedGroups(tally, row).some((group) => group.isPartial);
  if (added > 0) goOn(tally);
  return row;
}

function forgetRunning(tally: RunTally): void {
  if (tally.trials.running === 0) return;
  for (const row of tally.rows) {
    for (const group of row.groups) {
      for (const cell of group.cells) if (cell.state === 'running') resetCell(cell);
    }
  }
  tally.inFlight.clear();
  tally.trials.running = 0;
}
