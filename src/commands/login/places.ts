import { tmpdir } from 'node:os';
import type { Context } from '../../kit/context.ts';
import type { KeepingPlaces } from '../../vault/keep.ts';
import { stateDir } from '../../vault/location.ts';

/** Where a login keeps a secret that it can neither store nor print. */
export function keepingPlaces({ vault, system: { env, platform, home, machine } }: Context): KeepingPlaces {
  return { folders: [vault.folder, () => stateDir(env, platform, home)], tempDir: tmpdir(), machine };
}
