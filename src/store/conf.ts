import { basename, dirname } from 'node:path';
import type { Options } from 'conf';
import { CliError } from '../errors.ts';
import type { JsonObject } from '../json/values.ts';
import { lazy } from '../lazy.ts';

type ConfClass = new (
  options: Readonly<Partial<Options<Record<string, unknown>>>>,
) => { store: Record<string, unknown> };

/**
 * Returns what gives the conf store of a file its content. The writing is ours: conf reports
 * success on a full disk, loses a good file to a short write, and leaves copies behind when killed.
 */
export async function loadConf() {
  const Base: ConfClass = await lazy.conf();
  return (path: string, content: JsonObject, write: (text: string) => void): void => {
    let isWritten = false;
    // Called by conf's constructor as well, before the class has fields: hence the closure.
    class DurableConf extends Base {
      _write(value: unknown): void {
        write(`${JSON.stringify(value, undefined, 2)}\n`);
        isWritten = true;
      }

      _ensureDirectory(): void {}
    }
    // What the file has was read before, and all of it is replaced.
    const deserialize = () => ({});
    const names = { cwd: dirname(path), configName: basename(path, '.json'), projectSuffix: '' };
    new DurableConf({ ...names, deserialize, accessPropertiesByDotNotation: false }).store = {
      ...content,
    };
    if (!isWritten)
      throw new CliError('unexpected', `${path} was not written: conf went past svc.`);
  };
}
