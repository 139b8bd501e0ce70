import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { AGENT_VARIABLES } from './src/environment.ts';

/**
 * What `npm test` leaves to scripts of their own: svc on other platforms, under a suite of others,
 * with tools that are large to install, or about releases.
 */
const SUITES = ['windows', 'arm64', 'conformance', 'openapi', 'pipelines', 'release', 'site'].map(
  (name) => `test/${name}/**/*.test.ts`,
);

/**
 * With an executable to test, the files that start the built program. Two files look into Node and
 * stay out: `e2e/start.test.ts` counts the modules that Node loads, and `e2e/package.test.ts` is
 * about the npm package.
 */
function testFiles(): string[] {
  if (!process.env['SVC_TEST_PROGRAM']) return ['test/**/*.test.ts'];
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).map(
    (name) => `test/${name}`,
  );
  return files.filter(
    (file) =>
      file.endsWith('.test.ts') &&
      /support\/(program|shell|in-sandbox)\.ts'/.test(readFileSync(file, 'utf8')),
  );
}

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'svc', include: testFiles(), exclude: [...SUITES] } },
      // One file after the other, and after those above: each is slow enough.
      {
        extends: true,
        test: { name: 'suites', include: [...SUITES], maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
    globalSetup: './test/support/scratch.ts',
    setupFiles: './test/support/contract.ts',
    // Half a second of loading per file, and tests leave nothing behind in the process.
    isolate: false,
    // No test may depend on how fast a machine is: these only end what never ends.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // On the shared machine of CI a terminal may miss its moment: a test that fails is run once
    // more, and marked.
    retry: process.env['SVC_TEST_NOTHING_SKIPPED'] ? 1 : 0,
    // Real servers, ptys and child processes share two cores.
    maxWorkers: 3,
    reporters: ['default', './test/support/skipped.ts'],
    env: {
      NODE_EXTRA_CA_CERTS: '',
      // recheck brings executables for some machines; what it says has to be the same on all.
      RECHECK_BACKEND: 'pure',
      ...Object.fromEntries([...AGENT_VARIABLES, 'SVC_AGENT'].map((name) => [name, ''])),
    },
  },
});
