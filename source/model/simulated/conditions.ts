import type { Condition, TextCondition } from './behaviours.js';
import { createBoundedMap } from './bounded-map.js';

/** A text that conditions are asked about; what was asked once is remembered. */
export interface TextView {
  readonly text: string;
  holds(condition: TextCondition): boolean;
}

/** White space as a reader sees it: any run of it is one space. */
export function foldWhiteSpace(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function createTextView(text: string): TextView {
  let folded: string | undefined;
  const answers = new Map<TextCondition, boolean>();

  function evaluate(condition: TextCondition): boolean {
    if (condition.has.length > 0 || condition.lacks.length > 0) {
      folded ??= foldWhiteSpace(text);
      const inFolded = folded;
      if (!condition.has.every((part) => inFolded.includes(part))) return false;
      if (condition.lacks.some((part) => inFolded.includes(part))) return false;
    }
    return (
      condition.is.every((whole) => text === whole) &&
      condition.matches.every((pattern) => pattern.test(text))
    );
  }

  return {
    text,
    holds(condition) {
      const known = answers.get(condition);
      if (known !== undefined) return known;
      const answer = evaluate(condition);
      answers.set(condition, answer);
      return answer;
    },
  };
}

/**
 * Texts of a run repeat: one prompt for all trials, one message for all repeats of a scenario. Patterns over a
 * whole prompt cost far more than a look-up, so that views are kept, as long as they are few and short.
 */
const maxViews = 2_000;
const maxViewedCharacters = 4_000_000;

/** A function from text to its view, with a bounded memory of its own. */
export function createTextViews(): (text: string) => TextView {
  const views = createBoundedMap<TextView>(maxViews, maxViewedCharacters);
  return (text) => {
    const known = views.get(text);
    if (known !== undefined) return known;
    const view = createTextView(text);
    views.set(text, view, text.length + 200);
    return view;
  };
}

/** A conversation as conditions see it: up to and including the last user message. */
export interface TurnState {
  prompt: TextView;
  user: TextView;
  /** Number of user messages so far. */
  turn: number;
  /** Names of the tools called before this turn. */
  called: ReadonlySet<string>;
  /** Made only when asked for. */
  conversation(): TextView;
  section(name: string): TextView | undefined;
}

/** Whether every part of a condition holds. */
export function holds(condition: Condition, state: TurnState): boolean {
  const { turn, prompt, user, conversation } = condition;
  if (turn !== undefined && (state.turn < turn.min || state.turn > turn.max)) return false;
  if (!condition.called.every((tool) => state.called.has(tool))) return false;
  if (condition.notCalled.some((tool) => state.called.has(tool))) return false;
  if (user !== undefined && !state.user.holds(user)) return false;
  if (prompt !== undefined && !state.prompt.holds(prompt)) return false;
  if (!condition.sections.every(({ name, condition: of }) => state.section(name)?.holds(of) === true)) {
    return false;
  }
  return conversation === undefined || state.conversation().holds(conversation);
}
