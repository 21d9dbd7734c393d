import { z } from 'zod';
import type { PlannedTurn, Scenario } from './types.js';

/** As many messages as one simulated turn may have at most. */
const mostMessages = 100;

/**
 * A turn as it is written: `{user: text}`, or `{simulate: instruction, …}`. One object with every key, so that a
 * mistyped one is answered with the nearest of all.
 */
export const turnSchema = z
  .strictObject({
    user: z.string().exactOptional().describe('What the user says, sent byte for byte.'),
    simulate: z
      .string()
      .regex(/\S/, { error: 'expected an instruction for the user, found an empty text' })
      .exactOptional()
      .describe('What the user does, with its conditions; a model plays it.'),
    goal: z
      .string()
      .regex(/\S/, { error: 'expected what the user is after, found an empty text' })
      .exactOptional()
      .describe(
        'With simulate: what the user is after. Once it is reached, nothing more is said in this turn.',
      ),
    maxTurns: z
      .int()
      .min(1)
      .max(mostMessages)
      .exactOptional()
      .describe('With simulate: messages that the user sends at most; 1 if not given.'),
  })
  .transform(({ user, simulate, goal, maxTurns }, context): PlannedTurn => {
    const report = (message: string, path: string[] = []) => {
      context.addIssue({ code: 'custom', message, path });
      return z.NEVER;
    };
    // Of a mistyped key everything is said already.
    if (context.issues.length > 0) return z.NEVER;
    if (simulate === undefined) {
      if (user === undefined) return report('expected a turn {user: …} or {simulate: …}');
      if (goal !== undefined) return report('"goal" belongs to a turn with "simulate"', ['goal']);
      if (maxTurns !== undefined) return report('"maxTurns" belongs to a turn with "simulate"', ['maxTurns']);
      return { kind: 'fixed', message: user };
    }
    if (user !== undefined) return report('a turn has "user" or "simulate", not both', ['simulate']);
    return {
      kind: 'simulated',
      instruction: simulate,
      ...(goal !== undefined && { goal }),
      maxTurns: maxTurns ?? 1,
    };
  });

/**
 * Whether a model plays the user in a part of the scenario. Such a scenario is for coverage: what the agent gets to
 * read differs from trial to trial, so that a difference between two conditions may be the user's.
 */
export function isSimulatedUser({ turns }: Pick<Scenario, 'turns'>): boolean {
  return turns.some(({ kind }) => kind === 'simulated');
}

/** User messages that a scenario has at most. */
export function mostTurns(turns: readonly PlannedTurn[]): number {
  return turns.reduce((sum, turn) => sum + (turn.kind === 'fixed' ? 1 : turn.maxTurns), 0);
}

/** What a turn is called where it was not played: its message, or its instruction. */
export function textOfTurn(turn: PlannedTurn): string {
  return turn.kind === 'fixed' ? turn.message : turn.instruction;
}
