import { defineConfig } from 'vitest/config';

/** Tests that start the built program. */
const builtTests = ['test/commands/**/*.test.{ts,tsx}', 'test/e2e/**/*.test.{ts,tsx}'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'source',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: builtTests,
        },
      },
      {
        test: {
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
