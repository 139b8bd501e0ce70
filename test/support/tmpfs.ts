import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Tmpfs = ReturnType<typeof mountTmpfs>;

/**
 * Mounts a file system in memory on a folder of its own; only root may, and not in every container.
 */
export function mountTmpfs(options: string) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-tmpfs-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'svc-test', folder], { stdio: 'ignore' });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    folder,
    remove(): void {
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether this process may mount one: found by doing it. */
export const CAN_MOUNT: boolean = mayMount();

function mayMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    mountTmpfs('size=64k').remove();
    return true;
  } catch {
    return false;
  }
}
