import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { main } from '../../source/cli.js';
import type { RunEvent } from '../../source/run/events.js';

export const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const program = path.join(root, 'dist/evalrun.js');

export interface Finished {
  stdout: string;
  stderr: string;
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Started {
  child: ChildProcess;
  /** Resolves once stdout or stderr holds the text; rejects when the process ends without it. */
  seen(text: string): Promise<void>;
  finished: Promise<Finished>;
}

/** A project with a logs folder of its own, gone when the test is over. */
export interface TinyProject {
  folder: string;
  logs: string;
  /** The built program, in a process of its own: for signals, pipes and crashes. */
  start(args: string[], env?: NodeJS.ProcessEnv): Started;
  /** The same command line in this process, which saves the half second that a start takes. */
  run(args: string[], env?: NodeJS.ProcessEnv): Promise<Finished>;
}

/** A copy of the fixture project. */
export function tinyProject(): TinyProject {
  return copyOf(path.join(root, 'test/fixtures/tiny'));
}

/** A copy of a folder as a project. */
export function copyOf(source: string): TinyProject {
  const home = mkdtempSync(path.join(tmpdir(), 'evalrun-cli-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const folder = path.join(home, 'project');
  const logs = path.join(home, 'logs');
  cpSync(source, folder, { recursive: true });

  const environment = (env: NodeJS.ProcessEnv) => ({
    PATH: process.env.PATH,
    HOME: home,
    EVALRUN_LOGS: logs,
    ...env,
  });

  async function run(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
    const [stdout, stderr] = [keepText(), keepText()];
    const code = await main(args, {
      program: 'evalrun',
      cwd: folder,
      env: environment(env),
      stdin: Readable.from([]) as NodeJS.ReadStream,
      stdout: stdout.stream,
      stderr: stderr.stream,
    });
    return { stdout: stdout.text(), stderr: stderr.text(), code, signal: null };
  }

  function start(args: string[], env: NodeJS.ProcessEnv = {}): Started {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env: environment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    const watchers = new Set<() => void>();
    const take = () => {
      for (const watch of watchers) watch();
    };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      take();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      take();
    });
    const finished = new Promise<Finished>((resolve) => {
      child.on('close', (code, signal) => resolve({ stdout, stderr, code, signal }));
    });
    const seen = (text: string) =>
      new Promise<void>((resolve, reject) => {
        const watch = () => {
          if (!stdout.includes(text) && !stderr.includes(text)) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
        finished.then(() => reject(new Error(`never saw ${JSON.stringify(text)} in\n${stdout}\n${stderr}`)));
      });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    return { child, seen, finished };
  }

  return { folder, logs, start, run };
}

/** A stream that is no terminal, and what was written to it. */
function keepText(): { stream: NodeJS.WriteStream; text: () => string } {
  let text = '';
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => text };
}

/** The folders of all runs of a suite, oldest first; `tainted` for those that are no evidence. */
export function runsOf(project: TinyProject, suite: string, kind: 'clean' | 'tainted' = 'clean'): string[] {
  const folder = path.join(project.logs, suite, kind === 'tainted' ? kind : '');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^\d/.test(name))
    .sort()
    .map((run) => path.join(folder, run));
}

/** The events of a run's journal, of one type if one is named. */
export function eventsIn<T extends RunEvent['type']>(
  folder: string | undefined,
  type: T,
): Extract<RunEvent, { type: T }>[] {
  if (folder === undefined) throw new Error('there is no such run');
  const lines = readFileSync(path.join(folder, 'journal.jsonl'), 'utf8').trimEnd().split('\n');
  const events = lines.map((line) => JSON.parse(line) as RunEvent);
  return events.filter((event): event is Extract<RunEvent, { type: T }> => event.type === type);
}
