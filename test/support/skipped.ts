import type { Reporter, TestModule } from 'vitest/node';

/**
 * Names the tests that were skipped; their titles say what is missing. Fails where everything is
 * said to be installed.
 */
// biome-ignore lint/style/noDefaultExport: vitest loads reporters by their default export
export default class Skipped implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    for (const test of skipped)
      console.error(`skipped: ${test.module.relativeModuleId} > ${test.fullName}`);
    if (skipped.length > 0 && process.env['SVC_TEST_NOTHING_SKIPPED']) process.exitCode = 1;
  }
}
