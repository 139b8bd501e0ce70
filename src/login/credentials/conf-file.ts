import { lazy } from '../../lazy.ts';
import { CREDENTIALS_FILE } from './read.ts';

/** What takes the place of conf's own writing. */
export interface ConfHooks {
  /** Replaces the file. */
  write(bytes: Buffer): void;
  /** Makes the folder of the file. */
  ensureFolder(): void;
}

/** conf as it is at run time: the two hooks are private to TypeScript alone. */
interface OpenConf {
  store: Record<string, unknown>;
  _write(value: unknown): void;
  _ensureDirectory(): void;
}
type OpenConfClass = new (options: Readonly<Record<string, unknown>>) => OpenConf;

/** Opens the credentials file of a folder as a conf store whose writing goes through the hooks. */
export type OpenCredentialsFile = (folder: string, hooks: ConfHooks) => { store: Record<string, unknown> };

/**
 * Loads conf. Its own writing loses the file on a full disk, writes in place where `SNAP` is set, and leaves files with
 * the token behind when killed; so both of its hooks are replaced. A test fails if a newer conf stops calling them.
 */
export async function loadConf(): Promise<OpenCredentialsFile> {
  const Base = (await lazy.conf()) as unknown as OpenConfClass;
  return (folder, hooks) => {
    // The hooks come from around the class and not from its fields: conf's constructor may call them before any exist.
    class CredentialsConf extends Base {
      override _write(value: unknown): void {
        hooks.write(Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`));
      }

      override _ensureDirectory(): void {
        hooks.ensureFolder();
      }
    }
    return new CredentialsConf({
      cwd: folder,
      configName: CREDENTIALS_FILE.replace('.json', ''),
      projectSuffix: '',
      accessPropertiesByDotNotation: false,
      clearInvalidConfig: false,
      deserialize: (text: string) => JSON.parse(text.replace(/^\uFEFF/, '')),
    });
  };
}
