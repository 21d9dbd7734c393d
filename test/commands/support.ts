import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
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

/** A copy of the fixture project with a logs folder of its own, gone when the test is over. */
export interface TinyProject {
  folder: string;
  logs: string;
  start(args: string[], env?: NodeJS.ProcessEnv): Started;
  run(args: string[], env?: NodeJS.ProcessEnv): Promise<Finished>;
}

export function tinyProject(): TinyProject {
  const home = mkdtempSync(path.join(tmpdir(), 'evalrun-cli-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const folder = path.join(home, 'project');
  const logs = path.join(home, 'logs');
  cpSync(path.join(root, 'test/fixtures/tiny'), folder, { recursive: true });

  function start(args: string[], env: NodeJS.ProcessEnv = {}): Started {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: home, EVALRUN_LOGS: logs, ...env },
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

  return { folder, logs, start, run: (args, env) => start(args, env).finished };
}
