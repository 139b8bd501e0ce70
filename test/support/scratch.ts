import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for what is made once and used by many test files; it goes with the run. */
    readonly scratch: string;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'svc-scratch-'));

export function setup({ provide }: TestProject): void {
  chmodSync(folder, 0o755);
  provide('scratch', folder);
}

export function teardown(): void {
  rmSync(folder, { recursive: true, force: true });
}
