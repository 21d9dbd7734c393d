import { readFile } from 'node:fs/promises';
import { systemClock } from '../base/clock.js';
import { openForEdit } from '../base/edit-file.js';
import { type ExitCode, UserError } from '../base/errors.js';
import { quote } from '../base/quote.js';
import { measureAgreement } from '../grade/labels/agreement.js';
import { askAboutLabels } from '../grade/labels/ask.js';
import { isBlind } from '../grade/labels/calibration.js';
import { labelledCases } from '../grade/labels/cases.js';
import { readLabels } from '../grade/labels/load.js';
import { replaceJudged } from '../grade/labels/write.js';
import { ModelError } from '../model/types.js';
import { loadProject } from '../project/config.js';
import { safeJson } from '../report/json.js';
import { type JudgeTest, judgeTestFacts, judgeTestLines, judgeTestOutcome } from '../report/judge-test.js';
import type { CommandIo } from './io.js';
import { chooseJudge, labelsFile } from './shared/labels.js';
import { prepareGrading } from './shared/open-judge.js';
import { writeLines } from './shared/output.js';

export interface JudgeTestArgs {
  /** A judge prompt, with or without its version; not set: the one that the suites use. */
  name?: string | undefined;
  /** A name from the config or `provider:model`; not set: the one that the suites use. */
  model?: string;
  /** Kappa below which the test fails. */
  floor?: string;
  /** Writes what the judge says into the labels file, for the calibration that reports show. */
  save?: boolean;
  json?: boolean;
  /** With the labels that were given with the judge's verdict in view. */
  all?: boolean;
}

/** Milliseconds between two lines that only say that it goes on. */
const progressEveryMs = 5000;

/**
 * `evalrun judge test`: asks the judge about the labelled cases of its prompt, each once, and says how far it agrees with
 * them. Exit code 1 when kappa is below the floor, 3 when the labels cannot tell (see `judgeTestOutcome`), or the judge
 * cannot be reached.
 */
export async function judgeTestCommand(args: JudgeTestArgs, io: CommandIo): Promise<ExitCode> {
  const floor = readFloor(args.floor);
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  const { spec, uses } = await chooseJudge(project, args.name, args.model);
  const file = labelsFile(project, spec.prompt);
  const asked = await readIfThere(file.path);
  const all = await readLabels(asked, file.shown);
  const counted = args.all === true ? all : all.filter(isBlind);
  if (counted.length === 0) throw new UserError(noLabels(file.shown, all.length));
  const { distinct: labels, contradictions, sameAs } = labelledCases(counted);
  const { judge } = await prepareGrading(project, { judge: spec }, io.env, { asksAnew: true });
  if (!judge) throw new Error('a judge was asked for and not opened');

  let toldAt = systemClock.now();
  const answers = await askAboutLabels(labels, judge.ask, (done) => {
    if (systemClock.now() - toldAt < progressEveryMs) return;
    toldAt = systemClock.now();
    io.stderr.write(`evalrun: asked about ${done} of ${labels.length} labels\n`);
  }).catch((error) => {
    if (error instanceof ModelError) throw new UserError(`the judge cannot be asked: ${error.message}`, 3);
    throw error;
  });
  const cases = labels.flatMap(({ expected }, index) => {
    const judged = answers[index];
    return judged ? [{ expected, judged }] : [];
  });
  if (args.save === true) {
    const { model, prompt, promptSha256 } = judge;
    const sha256 = promptSha256.slice(0, 12);
    const said = answers.map(({ pass, score }) => ({
      model,
      prompt,
      sha256,
      pass,
      ...(score !== undefined && { score }),
    }));
    const saidOf = new Map(
      labels.flatMap((label, index) => sameAs(label).map((one) => [one, said[index]] as const)),
    );
    const edit = await openForEdit(file.path);
    edit((text) => {
      // What others added at the end meanwhile stays; whatever else they did leaves the answers without their labels.
      if (!text.startsWith(asked))
        throw new UserError(`${file.shown} changed while the judge was asked; nothing was saved, try again`);
      return replaceJudged(
        text,
        all,
        all.map((label) => saidOf.get(label)),
      );
    });
  }

  const labelled = new Set(labels.map(({ rubric }) => rubric));
  const rubrics = new Set(uses.map(({ rubric }) => rubric));
  const test: JudgeTest = {
    prompt: judge.prompt,
    model: judge.model,
    labels,
    leftOut: all.length - counted.length,
    copies: counted.length - labels.length - contradictions.flat().length,
    contradictions,
    answers,
    agreement: measureAgreement(cases),
    floor,
    rubrics: { all: rubrics.size, labelled: [...rubrics].filter((rubric) => labelled.has(rubric)).length },
    orphans: [...labelled].filter((rubric) => !rubrics.has(rubric)).length,
  };
  if (args.json === true) await writeLines(io.stdout, [safeJson(judgeTestFacts(test))]);
  else await writeLines(io.stdout, judgeTestLines(test), io.env);
  return judgeTestOutcome(test).exitCode;
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

function noLabels(file: string, seen: number): string {
  if (seen === 0) return `there are no labels in ${file} yet; evalrun review writes some`;
  return `all labels in ${file} were given with the judge's verdict in view; --all tests with them, evalrun review writes blind ones`;
}

function readFloor(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const floor = Number(written);
  if (written.trim() === '' || !(floor >= -1 && floor <= 1))
    throw new UserError(`--floor ${quote(written)}: expected a kappa from -1 to 1, as in 0.8`);
  return floor;
}
