import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutCommands } from '../../source/base/ci-commands.js';
import { writeLines } from '../../source/commands/shared/output.js';
import { decide } from '../../source/compare/gate.js';
import { defaultGate } from '../../source/project/gate-settings.js';
import { annotationsOf, createGithubReporter } from '../../source/report/github.js';
import { annotationLine } from '../../source/report/github-commands.js';
import { safeJson } from '../../source/report/json.js';
import { textForLog } from '../../source/report/log-text.js';
import type { FinishedRun } from '../../source/report/reporter.js';
import { feedOf, finished, plannedScenario, runStarted, trialKey } from '../tally/support.js';
import { change, comparison, emptyJournal, evidence, hostile, temporaryFolder, unsafe } from './support.js';

function failingRun(ids: string[], reason = 'was never called'): FinishedRun {
  const feed = feedOf(runStarted(ids.map((id) => plannedScenario(id))));
  for (const id of ids)
    for (const repeat of [1, 2, 3]) feed.trial(trialKey(id, repeat), { c: ['fail', reason] });
  feed.tell(finished());
  return { tally: feed.tally, decision: decide(feed.tally, defaultGate), place: emptyJournal() };
}

/** How the runner of GitHub Actions reads a line: undefined where it is no command. */
function readCommand(
  line: string,
): { command: string; properties: Record<string, string>; data: string } | undefined {
  const [, command = '', written = '', data = ''] =
    /^\s*::([\w-]+)(?: ([^:]*(?::(?!:)[^:]*)*))?::(.*)$/s.exec(line) ?? [];
  if (command === '') return undefined;
  const plain = (text: string) =>
    text
      .replaceAll('%3A', ':')
      .replaceAll('%2C', ',')
      .replaceAll('%0D', '\r')
      .replaceAll('%0A', '\n')
      .replaceAll('%25', '%');
  const properties = Object.fromEntries(
    written
      .split(',')
      .map((pair) => [pair.slice(0, pair.indexOf('=')), plain(pair.slice(pair.indexOf('=') + 1))]),
  );
  return { command, properties, data: plain(data) };
}

describe('an annotation', () => {
  it('is one command with its place, whatever its texts say', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (title, message) => {
        const place = { file: 'suites/a,b: c/x.yaml', line: 3, column: 5 };
        const line = annotationLine({
          level: 'error',
          title: `t${title}`,
          message: `m\n%0A${message}`,
          place,
        });
        expect(line).not.toContain('\n');
        const read = readCommand(line);
        expect(read?.command).toBe('error');
        expect(read?.properties).toMatchObject({ file: place.file, line: '3', col: '5' });
        expect(Object.keys(read?.properties ?? {})).toEqual(['file', 'line', 'col', 'title']);
        expect(read?.data.startsWith('m\n%0A')).toBe(true);
      }),
    );
  });
});

describe('the annotations of a run', () => {
  it('are the verdict, what blocks as errors on their scenarios, and suspects as warnings', () => {
    const places = new Map([['refund', { file: 'suites/s/refund.yaml', line: 12, column: 3 }]]);
    const changes = [
      change('refund', { proof: 'confirmed', to: evidence(0, 3, { why: hostile }) }),
      change('shaky'),
    ];
    const run = { ...failingRun(['refund']), places, comparison: comparison(changes) };
    const read = Array.from(annotationsOf(run), (annotation) => readCommand(annotationLine(annotation)));
    expect(read.map((one) => [one?.command, one?.properties.title, one?.properties.file])).toEqual([
      ['error', 'evalrun tiny', undefined],
      ['error', 'regression: refund c', 'suites/s/refund.yaml'],
      ['warning', 'regression: shaky c', undefined],
    ]);
    expect(read[1]?.data).toContain('3/3 → 0/3, confirmed by the re-run\n::error file');
    expect(read[1]?.data).not.toMatch(unsafe);
  });

  it('hold no command within', () => {
    const line = annotationLine({
      level: 'error',
      title: '##[a',
      message: 'so ##[error]x ##vso[y',
      place: { file: '##[z' },
    });
    expect(line.slice(2)).not.toMatch(/##\[|##vso\[/);
    expect(line).toMatch(/^::error file=# #\[z,title=# #\[a::so # #\[error\]x # #vso\[y$/);
  });

  it('are no more than GitHub shows, with a count of the rest', () => {
    const many = [...annotationsOf(failingRun(Array.from({ length: 30 }, (_, i) => `s${i}`)))];
    expect(many).toHaveLength(10);
    expect(many.at(-1)?.message).toBe('22 more; the summary of the job has them all');
  });

  it('of a run that passes are none', () => {
    const run = failingRun(['a']);
    const decision = { ...run.decision, verdict: 'pass' as const };
    expect([...annotationsOf({ ...run, decision, comparison: comparison([]) })]).toEqual([]);
  });
});

it('the report is added to the summary of the job', async () => {
  const summaryFile = path.join(temporaryFolder(), 'summary.md');
  writeFileSync(summaryFile, 'before\n');
  let printed = '';
  const write = async (text: string) => {
    printed += text;
  };
  const options = { write, clock: {} as never, version: '0', program: 'evalrun' };
  await createGithubReporter({ ...options, summaryFile }).finishRun(failingRun(['refund']));
  expect(readFileSync(summaryFile, 'utf8')).toMatch(/^before\n### evalrun <code>tiny<\/code>/);
  await createGithubReporter({ ...options, summaryFile: '/dev/null/x' }).finishRun(failingRun(['refund']));
  expect(printed).toContain('::warning title=evalrun::the summary of the job cannot be written');
});

describe('the log of a CI engine', () => {
  const obeyed = /^\s*::|##\[|##vso\[|##teamcity\[/i;

  it('has no line that the engine takes for a command', () => {
    const parts = fc.constantFrom(
      ' ',
      ':',
      '::',
      '#',
      '##',
      '##[',
      '[',
      '##vso[',
      'vso[',
      '##TeamCity[',
      'error',
      'x',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (pieces) => {
        const line = pieces.join('');
        expect(withoutCommands(line)).not.toMatch(obeyed);
        if (!obeyed.test(line)) expect(withoutCommands(line)).toBe(line);
        expect(JSON.parse(safeJson(line))).toBe(line);
        expect(safeJson(line)).not.toMatch(obeyed);
      }),
    );
  });

  it('is spared them by everything that is printed for a person', async () => {
    let text = '';
    const write = (piece: string) => {
      text += piece;
      return true;
    };
    const stream = { write } as unknown as NodeJS.WriteStream;
    await writeLines(stream, ['::error::x', '  ##[error]y'], { GITHUB_ACTIONS: 'true', LANG: 'C.UTF-8' });
    expect(text).toBe(': :error::x\n  # #[error]y\n');
    expect(textForLog({ LANG: 'C.UTF-8' })('::error::x')).toBe('::error::x');
  });
});
