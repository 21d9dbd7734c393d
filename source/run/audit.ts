import { quote } from '../base/quote.js';
import { type RunEvent, type TrialKey, trialId } from './events.js';
import { taintOfTrial } from './trial-taint.js';

type TrialEvent = Extract<RunEvent, { trial: TrialKey; attempt: number }>;

/** What is known of a trial that has begun and not ended. */
interface OpenTrial {
  attempt: number;
  turns: number;
  /** Agent tokens of its turns, input and output. */
  tokens: number;
  results: Set<string>;
}

/**
 * Hears the events of a journal in order, and says of the first one that cannot stand there why not: a line before it
 * was lost, or written twice, or is of another run. Undefined for one that can. Nothing after such a line counts.
 */
export function createAudit({
  plan,
  purpose,
}: Pick<Extract<RunEvent, { type: 'run-started' }>, 'plan' | 'purpose'>): (
  event: RunEvent,
) => string | undefined {
  const checks = new Map(
    plan.scenarios.map(({ id, checks: planned }) => [id, new Map(planned.map((one) => [one.id, one]))]),
  );
  const conditions = new Set(plan.conditions.map(({ id }) => id));
  const repeats = new Map<string, number>();
  const open = new Map<string, OpenTrial>();
  const ended = new Set<string>();
  /** Kinds of taint that have to be told of before the run ends, and those that were. */
  const owed = new Set<string>();
  const told = new Set<string>();

  const planned =
    plan.scenarios.length * plan.conditions.filter(({ standby }) => standby !== true).length * plan.repeat;
  const repeatsOf = (scenario: string) => Math.max(plan.repeat, repeats.get(scenario) ?? 0);

  function auditTrial(event: TrialEvent): string | undefined {
    const { trial, attempt } = event;
    const name = () => `trial ${trial.repeat} of ${quote(trial.scenario)}`;
    const known = checks.get(trial.scenario);
    if (!known) return `the plan has no scenario ${quote(trial.scenario)}`;
    if (!conditions.has(trial.condition)) return `the plan has no condition ${quote(trial.condition)}`;
    if (trial.repeat > repeatsOf(trial.scenario)) return `the plan has no ${name()}`;
    const id = trialId(trial);
    if (ended.has(id)) return `${name()} has ended before`;
    if (event.type === 'trial-started') {
      open.set(id, { attempt, turns: 0, tokens: 0, results: new Set() });
      return undefined;
    }
    const going = open.get(id);
    if (going?.attempt !== attempt)
      return `attempt ${attempt} of ${name()} has not begun: a line before this one is lost`;
    const taint = taintOfTrial(event, purpose);
    if (taint) owed.add(taint.kind);
    switch (event.type) {
      case 'turn-finished': {
        going.turns++;
        if (event.turn.index !== going.turns) return `turn ${going.turns} of ${name()} is lost`;
        const { usage } = event.turn.reply;
        going.tokens += usage.input + usage.output;
        return undefined;
      }
      case 'check-finished': {
        const { checkId, type, kind } = event.result;
        const check = known.get(checkId);
        if (!check || check.type !== type || check.kind !== kind)
          return `the plan has no ${kind} ${type} check ${quote(checkId)} in ${quote(trial.scenario)}`;
        if (going.results.has(checkId)) return `check ${quote(checkId)} of ${name()} was written twice`;
        going.results.add(checkId);
        return undefined;
      }
      case 'trial-finished': {
        const lost = [...known.keys()].find((check) => !going.results.has(check));
        if (lost !== undefined) return `the result of check ${quote(lost)} of ${name()} is lost`;
        const { input, output } = event.tokens.agent;
        if (input + output !== going.tokens || (event.end.kind === 'ended' && event.end.turn !== going.turns))
          return `a turn of ${name()} is lost`;
        return end(id);
      }
      case 'trial-errored': {
        if (event.final) return end(id);
        open.delete(id);
        return undefined;
      }
      case 'product-log':
        return undefined;
    }
  }

  function end(id: string): undefined {
    open.delete(id);
    ended.add(id);
  }

  function auditEnd({ outcome }: Extract<RunEvent, { type: 'run-finished' }>): string | undefined {
    const taint = [...owed].find((kind) => !told.has(kind));
    if (taint !== undefined) return `the line that taints the run (${taint}) is lost`;
    if (outcome !== 'completed') return undefined;
    const [going] = open.keys();
    if (going !== undefined)
      return `the run is called completed, and the end of trial ${quote(going)} is lost`;
    if (ended.size < planned)
      return `the run is called completed, and ${planned - ended.size} of its trials are lost`;
    return undefined;
  }

  return (event) => {
    switch (event.type) {
      case 'run-started':
      case 'reply-progress':
      case 'request-retried':
      case 'bisect-decided':
      case 'bisect-found':
        return undefined;
      case 'condition-added': {
        const { id } = event.condition;
        if (conditions.has(id)) return `condition ${quote(id)} is there already`;
        conditions.add(id);
        return undefined;
      }
      case 'run-resumed':
        // What was going on then begins anew.
        open.clear();
        return undefined;
      case 'taint':
        told.add(event.kind);
        return undefined;
      case 'plan-extended': {
        const { scenario, from, to } = event;
        if (!checks.has(scenario)) return `the plan has no scenario ${quote(scenario)}`;
        if (to < from || from > repeatsOf(scenario) + 1)
          return `trials of ${quote(scenario)} were added before: that line is lost`;
        repeats.set(scenario, Math.max(to, repeatsOf(scenario)));
        return undefined;
      }
      case 'run-finished': {
        const complaint = auditEnd(event);
        open.clear();
        return complaint;
      }
      default:
        return auditTrial(event);
    }
  };
}
