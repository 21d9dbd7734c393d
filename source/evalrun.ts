#!/usr/bin/env node
import { relative } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { findMissingPackage } from './base/missing-package.js';
import { readVersion } from './base/version.js';

// Before anything loads React: its development build is twice as slow and leaks.
process.env.NODE_ENV ??= 'production';

// Whoever reads our output may leave before it ends (a pipe that is closed, a terminal that is gone); what is written
// then is dropped, and nobody is to be told.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
  });
}

// A file that may not grow further is a write that fails, and told of as one. Packages that clean up behind themselves
// would end the process by the signal, unless somebody else listens.
process.on('SIGXFSZ', () => {});

let isEnding = false;

// Until we end it ourselves nothing has been said, whoever ends the process (a package, a loop that ran empty): no pass.
process.on('exit', (code) => {
  if (!isEnding && code !== 3) process.exitCode = 3;
});

/**
 * The one place where the process ends: what was written is on its way first. Called again while it waits for that, it
 * ends at once: an output that cannot be written must not hold the process up.
 */
async function exit(code: number): Promise<never> {
  if (isEnding) process.exit(code);
  isEnding = true;
  for (const stream of [process.stdout, process.stderr]) await settled(stream);
  process.exit(code);
}

/** Resolves once what was written to a stream has been handed over, or cannot be: a file that is full throws. */
function settled(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    try {
      stream.write('', () => resolve());
    } catch {
      resolve();
    }
  });
}

let hasTold = false;

/** Says why the process ends, once, if that can be said at all: what comes after it is the same fault again. */
function tell(text: string): void {
  if (hasTold) return;
  hasTold = true;
  try {
    process.stderr.write(`evalrun: ${text}\n`);
  } catch {
    // There is nowhere left to say it; the exit code does.
  }
}

function isFailedWrite(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && error.syscall === 'write';
}

/**
 * A mistake of ours. Not exit code 1, which says that the gate fails. What is thrown may come from a product that runs
 * in this process, with a token of its own in the message.
 */
async function exitForBug(error: unknown): Promise<never> {
  const missing = findMissingPackage(error, import.meta.url);
  if (missing !== undefined) {
    tell(missing);
    return exit(3);
  }
  if (isFailedWrite(error)) {
    tell(`what it says could not be written: ${error.message}`);
    return exit(3);
  }
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const { createSecrets } = await import('./project/known-secrets.js');
  const safe = createSecrets(process.env).redact(what);
  tell(`a mistake in evalrun itself, please report it\n${safe}`);
  return exit(3);
}

process.on('uncaughtException', (error) => void exitForBug(error));

/** `evalrun` where it is installed or linked, the path of this file where it is started by that. */
function programName(): string {
  // npm runs what npx names, and a shell would not find it by itself.
  if (process.env.npm_command === 'exec') return 'npx evalrun';
  const started = process.argv[1] ?? '';
  if (!started.endsWith('.js')) return 'evalrun';
  const path = relative(process.cwd(), started);
  return `node ${path.startsWith('..') ? started : path}`;
}

const line = process.argv.slice(2);
if (line.length === 1 && (line[0] === '--version' || line[0] === '-V')) {
  isEnding = true;
  process.stdout.write(`${readVersion()}\n`);
} else {
  // What conversations leave behind outlives the young generation; left alone, V8 lets several times of what is really
  // in use pile up before it looks.
  setFlagsFromString('--heap-growing-percent=100');
  const { main } = await import('./cli.js');
  const { cwd, env, stdin, stdout, stderr } = process;
  await main(line, { program: programName(), cwd: cwd(), env, stdin, stdout, stderr }).then(exit, exitForBug);
}
