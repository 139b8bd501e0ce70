import { defineConfig } from 'vitest/config';

/** The suites that run svc on other platforms, against a suite of others, or with tools that are large to install, one after the other: each is slow enough. */
export default defineConfig({
  test: {
    include: [
      'test/windows/**/*.test.ts',
      'test/arm64/**/*.test.ts',
      'test/conformance/**/*.test.ts',
      'test/contract/**/*.test.ts',
      'test/pipelines/**/*.test.ts',
      'test/site/**/*.test.ts',
    ],
    globalSetup: './test/support/scratch.ts',
    isolate: false,
    maxWorkers: 1,
    // As in vitest.config.ts: Wine itself fails to start now and then.
    retry: process.env['SVC_TEST_NOTHING_SKIPPED'] ? 1 : 0,
    testTimeout: 600_000,
    hookTimeout: 300_000,
    reporters: process.env['SVC_TEST_NOTHING_SKIPPED'] ? ['default', './test/support/nothing-skipped.ts'] : ['default'],
  },
});
