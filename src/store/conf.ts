import { basename, dirname } from 'node:path';
import type { Options } from 'conf';
import type { JsonObject } from '../json/values.ts';
import { lazy } from '../lazy.ts';

type ConfClass = new (
  options: Readonly<Partial<Options<Record<string, unknown>>>>,
) => { store: Record<string, unknown> };

/**
 * Returns a function that writes the content of a file with conf. The writing is ours: conf reports
 * success on a full disk, loses a good file to a short write, and leaves copies behind when killed.
 */
export async function loadConf() {
  const Base: ConfClass = await lazy.conf();
  return (path: string, content: JsonObject, write: (text: string) => void): void => {
    class DurableConf extends Base {
      _write(value: unknown): void {
        write(`${JSON.stringify(value, undefined, 2)}\n`);
      }

      _ensureDirectory(): void {}
    }
    const conf = new DurableConf({
      cwd: dirname(path),
      configName: basename(path, '.json'),
      projectSuffix: '',
      accessPropertiesByDotNotation: false,
      // The file was read before, and all of it is replaced.
      deserialize: () => ({}),
    });
    conf.store = { ...content };
  };
}
