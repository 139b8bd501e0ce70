import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs } from './needs.ts';

const bindfs = needs('bindfs', 'bindfs and fuse3');

/**
 * Mounts a folder once more, with other modes or owners: a real FUSE file system. Throws where
 * `/dev/fuse` cannot be used.
 */
export function mountFuse(...options: readonly string[]) {
  const root = mkdtempSync(join(tmpdir(), 'svc-fuse-'));
  const source = join(root, 'source');
  const folder = join(root, 'mounted');
  for (const path of [source, folder]) mkdirSync(path);
  try {
    execFileSync(bindfs.path, [...options, source, folder], { stdio: 'ignore' });
  } catch (error) {
    rmSync(root, { recursive: true, force: true });
    throw error;
  }
  return {
    folder,
    source,
    remove(): void {
      execFileSync('umount', [folder]);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** What keeps the tests from mounting one; undefined if nothing does: found by doing it. */
export const NO_FUSE: string | undefined = findObstacle();

function findObstacle(): string | undefined {
  if (bindfs.missing) return 'install bindfs and fuse3';
  if (process.getuid?.() !== 0) return 'run as root';
  try {
    mountFuse().remove();
    return undefined;
  } catch {
    return 'allow /dev/fuse';
  }
}
