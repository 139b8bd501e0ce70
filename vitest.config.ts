import { defineConfig } from 'vitest/config';
import { AGENT_VARIABLES } from './src/environment.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: './test/support/scratch.ts',
    // Half a second of loading per file, and tests leave nothing behind in the process.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Real servers, ptys and child processes share two cores.
    maxWorkers: 3,
    // Where everything is installed that tests need, a skipped test is a failure.
    reporters: process.env['SVC_TEST_NOTHING_SKIPPED'] ? ['default', './test/support/nothing-skipped.ts'] : ['default'],
    env: {
      NODE_EXTRA_CA_CERTS: '',
      ...Object.fromEntries([...AGENT_VARIABLES, 'SVC_AGENT'].map((name) => [name, ''])),
    },
  },
});
