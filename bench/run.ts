/**
 * What a run costs over its requests: 3,000 trials of one turn with three hard checks, against a local
 * OpenAI-compatible server with 20 ms latency, 50 at once, as a whole process with its journal, beside a bare loop of
 * the same SDK as it comes (it sends with the platform's fetch, evalrun with undici); the two take turns. Then 30,000
 * trials: time and memory may grow with their number and no faster.
 * `npm run bench -- run`
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const rounds = 5;
const concurrency = 50;
const scenarios = 100;
const trials = { few: 3_000, many: 30_000 };
const limits = { ratio: 1.3, bytes: 200e6, growth: { time: 11, memory: 1.25 } };

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(path.join(tmpdir(), 'evalrun-bench-'));
const usageFile = path.join(folder, 'usage');

interface Measured {
  ms: number;
  /** The most memory that the process had. */
  bytes: number;
  /** Time of the processor, all threads together. */
  cpuMs: number;
}

function measure(args: string[], cwd: string): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const started = process.hrtime.bigint();
    const child = spawn(
      process.execPath,
      ['--import', pathToFileURL(path.join(root, 'bench/run-usage.mjs')).href, ...args],
      {
        cwd,
        env: {
          PATH: process.env.PATH,
          HOME: folder,
          EVALRUN_LOGS: path.join(folder, 'logs'),
          BENCH_USAGE: usageFile,
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    child.on('error', reject);
    child.on('close', (code) => {
      const ms = Number(process.hrtime.bigint() - started) / 1e6;
      if (code !== 0) reject(new Error(`${args.join(' ')} exited with ${code}`));
      else resolve({ ms, ...(JSON.parse(readFileSync(usageFile, 'utf8')) as Omit<Measured, 'ms'>) });
    });
  });
}

function startServer(): Promise<{ child: ChildProcess; baseURL: string }> {
  const child = spawn(process.execPath, [path.join(root, 'bench/run-server.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.stdout.once('data', (port) => resolve({ child, baseURL: `http://127.0.0.1:${Number(port)}/v1` }));
  });
}

function writeProject(baseURL: string): string {
  const project = path.join(folder, 'project');
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
    writeFileSync(path.join(project, file), text);
  };
  write(
    '.evalrc.json',
    JSON.stringify({ project: 'bench', providers: { local: { api: 'openai-chat', baseURL } } }),
  );
  write('prompts/v1.md', 'You answer questions about orders.\n');
  write(
    'suites/bench/suite.yaml',
    'name: bench\ntarget: {prompt: prompts/v1.md, model: "local:bench"}\nscenarios: scenarios.yaml\n',
  );
  const checks =
    "[{type: pattern_present, pattern: '(?i)delivered'}, {type: keywords_absent, words: [refund]}, {type: tool_not_called, tool: cancel_order}]";
  write(
    'suites/bench/scenarios.yaml',
    Array.from(
      { length: scenarios },
      (_, index) => `- {id: order-${index}, input: 'Where is order ${index}?', checks: ${checks}}\n`,
    ).join(''),
  );
  return project;
}

const median = (values: number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

const { child: server, baseURL } = await startServer();
try {
  const project = writeProject(baseURL);
  const evalrun = (count: number) =>
    measure(
      [
        path.join(root, 'dist/evalrun.js'),
        ...['run', 'bench', '--plain', '--seed', '7'],
        ...['--repeat', String(count / scenarios), '--concurrency', String(concurrency)],
      ],
      project,
    );
  const bare = (count: number) =>
    measure([path.join(root, 'bench/run-bare.mjs'), baseURL, String(count), String(concurrency)], project);

  const few: Measured[] = [];
  const ratios: number[] = [];
  const cpuRatios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const ours = await evalrun(trials.few);
    const theirs = await bare(trials.few);
    few.push(ours);
    ratios.push(ours.ms / theirs.ms);
    cpuRatios.push(ours.cpuMs / theirs.cpuMs);
    console.log(
      `${trials.few} trials  ${seconds(ours.ms)}, ${megabytes(ours.bytes)}   bare loop ${seconds(theirs.ms)}, ${megabytes(theirs.bytes)}`,
    );
  }
  const many = await evalrun(trials.many);
  const fewMs = median(few.map(({ ms }) => ms));
  const fewBytes = median(few.map(({ bytes }) => bytes));
  const growth = { time: many.ms / fewMs, memory: many.bytes / fewBytes };
  const ratio = median(ratios);
  console.log(
    `wall time    ${ratio.toFixed(2)} times the bare loop (median of ${rounds}), at most ${limits.ratio}`,
  );
  // Hardly minds what else the machine does, which wall time does.
  console.log(`processor    ${median(cpuRatios).toFixed(2)} times its time of the processor, no limit`);
  console.log(`memory       ${megabytes(fewBytes)}, at most ${megabytes(limits.bytes)}`);
  console.log(
    `${trials.many} trials  ${seconds(many.ms)}, ${growth.time.toFixed(1)} times as long, at most ${limits.growth.time}; ${megabytes(many.bytes)}, ${growth.memory.toFixed(2)} times as much, at most ${limits.growth.memory}`,
  );
  const isWithin =
    ratio <= limits.ratio &&
    fewBytes <= limits.bytes &&
    growth.time <= limits.growth.time &&
    growth.memory <= limits.growth.memory;
  process.exitCode = isWithin ? 0 : 1;
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
