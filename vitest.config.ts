import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests that start the built program. */
const builtTests = ['test/commands/**/*.test.{ts,tsx}', 'test/e2e/**/*.test.{ts,tsx}'];

/**
 * Files of one worker share their modules: loading zod, React and the SDKs anew for each of them takes longer than most
 * tests. What a test changes of the process it puts back.
 */
const shared = {
  isolate: false,
  unstubEnvs: true,
  unstubGlobals: true,
  // What is waited for comes, on a busy machine later than within the second that is the default.
  expect: { poll: { timeout: 10_000 } },
} as const;

export default defineConfig({
  test: {
    // By default one less than there are cores, which is one on a machine with two. Much of the time goes into waiting
    // for processes.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          ...shared,
          name: 'source',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: builtTests,
          // A property test of a second takes several on a busy machine.
          testTimeout: 20_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'built',
          include: builtTests,
          globalSetup: ['test/build.ts'],
          // Each test starts processes; on a busy machine a start alone can take a second.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
