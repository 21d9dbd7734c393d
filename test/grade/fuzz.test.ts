import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { gradeTrial } from '../../source/grade/grade.js';
import { checkDefinitions } from '../../source/grade/registry.js';
import type { AskJudge, CheckDefinition, GradeContext } from '../../source/grade/types.js';
import { noUsage } from '../../source/model/types.js';
import type { CheckSpec, TurnSelector } from '../../source/suite/types.js';
import { anyAnswer, anyOn, anyTranscript, argumentsOf, nothing } from './any-input.js';

vi.setConfig({ testTimeout: 120_000 });

// Programs and modules are no input; what they answer is tested where they are.
const definitions = checkDefinitions.filter(({ type }) => type !== 'custom');

function spec({ type }: CheckDefinition, args: CheckSpec['args'], on: TurnSelector | undefined): CheckSpec {
  return {
    id: 'c',
    type,
    args,
    place: { file: 'a.yaml', line: 1, column: 1 },
    ...(on !== undefined && { on }),
  };
}

/** Whether a suite with these arguments would load. */
function isSound(definition: CheckDefinition, args: CheckSpec['args']): boolean {
  return (definition.validate?.(args, import.meta.dirname) ?? []).length === 0;
}

function judgeSaying(answers: readonly object[]): AskJudge {
  let asked = 0;
  return async () => ({
    verdict: { model: 'm', prompt: 'default@1', reason: 'r', ...answers[asked++ % answers.length] },
    usage: noUsage,
  });
}

async function grade(check: CheckSpec, context: Omit<GradeContext, 'suiteFolder' | 'seed'>) {
  const [result] = await gradeTrial(
    [check],
    { suiteFolder: import.meta.dirname, seed: 's', ...context },
    () => {},
  );
  if (!result) throw new Error('nothing was graded');
  return result;
}

describe.each(definitions)('$type', (definition) => {
  const args = argumentsOf(definition);

  it('gives a verdict with a reason on one line, whatever the conversation and the arguments', async () => {
    await fc.assert(
      fc.asyncProperty(
        args,
        anyTranscript,
        anyOn,
        fc.array(anyAnswer, { minLength: 3, maxLength: 3 }),
        fc.constantFrom(1, 3),
        async (given, transcript, on, answers, judgeVerdicts) => {
          const context = { transcript, askJudge: judgeSaying(answers), judgeVerdicts };
          const { verdict, reason, evidence = [] } = await grade(spec(definition, given, on), context);
          expect(['pass', 'warn', 'fail', 'unknown']).toContain(verdict);
          // Arguments that a suite would be refused for may break a check; nothing else may.
          if (isSound(definition, given)) expect(reason).not.toMatch(/ broke: /);
          expect(reason.trim()).not.toBe('');
          expect(reason).not.toMatch(/[\n\r]/);
          expect(reason.length).toBeLessThan(2500);
          for (const { turn, part, start, end } of evidence) {
            const reply = transcript.turns.find(({ index }) => index === turn)?.reply;
            expect(reply).toBeDefined();
            if (part === undefined) continue;
            const piece = reply?.parts[part];
            expect(piece).toBeDefined();
            if (start !== undefined) expect(piece?.kind === 'text' && start <= (end ?? 0)).toBe(true);
            if (piece?.kind === 'text') expect(end ?? 0).toBeLessThanOrEqual(piece.text.length);
          }
        },
      ),
      { numRuns: 250 },
    );
  });

  it('passes nothing over nothing', async () => {
    // What was used is a fact also where nothing was said.
    if (definition.type === 'budget') return;
    await fc.assert(
      fc.asyncProperty(args, nothing, anyOn, anyAnswer, async (given, transcript, on, answer) => {
        // A pattern for white space finds it.
        const isBlank = transcript.turns.every(({ reply }) => reply.text === '');
        if (!isSound(definition, given) || (definition.type === 'pattern_present' && !isBlank)) return;
        const context = { transcript, askJudge: judgeSaying([answer]) };
        const { verdict, reason } = await grade(spec(definition, given, on), context);
        expect(verdict, reason).not.toBe('pass');
        expect(verdict, reason).not.toBe('warn');
      }),
      { numRuns: 250 },
    );
  });

  it('keeps what is decided when a missing fixture ends the trial, however it would have gone on', async () => {
    // Its limits are over all that is used, and what is used only grows; shares do not.
    if (definition.type === 'budget') return;
    await fc.assert(
      fc.asyncProperty(args, anyTranscript, anyTranscript, anyOn, async (given, before, after, on) => {
        const begun = before.turns.filter(({ reply }) => reply.stop !== 'no-fixture');
        const more = after.turns
          .filter(({ reply }) => reply.stop !== 'no-fixture')
          .map((turn, index) => ({ ...turn, index: begun.length + 1 + index }));
        if (more.length === 0 || !isSound(definition, given)) return;
        const open = {
          turns: begun,
          end: { kind: 'no-fixture' as const, tool: 't', args: '{}' },
          unsent: more.map(({ message }) => message),
        };
        const whole = { turns: [...begun, ...more], end: { kind: 'completed' as const }, unsent: [] };
        // A judge that says what it said before.
        const askJudge = judgeSaying([
          { score: 3, pass: true, answers: { stated: true, refused: true, must_1: true } },
        ]);
        const check = spec(definition, given, on);
        const decided = await grade(check, { transcript: open, askJudge });
        const final = await grade(check, { transcript: whole, askJudge });
        if (decided.verdict !== 'unknown') expect(final.verdict, decided.reason).toBe(decided.verdict);
      }),
      { numRuns: 250 },
    );
  });
});
