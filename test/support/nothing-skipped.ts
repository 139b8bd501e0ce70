import type { Reporter, TestModule } from 'vitest/node';

/** Fails a run in which a test was skipped, and names it. */
// biome-ignore lint/style/noDefaultExport: vitest loads reporters by their default export
export default class NothingSkipped implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    if (skipped.length === 0) return;
    for (const test of skipped) console.error(`skipped: ${test.module.relativeModuleId} > ${test.fullName}`);
    process.exitCode = 1;
  }
}
