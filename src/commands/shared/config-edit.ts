import { isObject, type JsonObject } from '../../json/values.ts';
import { assumeIn, configPath, parseConfig } from '../../kit/config-file.ts';
import type { Context } from '../../kit/context.ts';
import { cannotSave } from '../../store/problem.ts';
import { updateFile } from '../../store/write.ts';

/** A field of the configuration file, or one in a field that has others. */
type Place = readonly [name: string] | readonly [name: 'assume', inside: string];

/**
 * Sets or removes a text in the configuration file, and keeps unknown fields. Returns the path of the file and whether
 * anything changed.
 * @throws CliError `usage` if the file is damaged or cannot be written.
 */
export async function editConfig(
  context: Context,
  place: Place,
  value: string | undefined,
): Promise<{ path: string; changed: boolean }> {
  const { machine, clock } = context.system;
  const folder = context.vault.folder();
  const path = configPath(folder, machine);
  let changed = false;
  try {
    await updateFile(path, machine, clock, (old) => {
      if (old === undefined && value === undefined) return undefined;
      const config = parseConfig(old, path);
      const next =
        place.length === 1
          ? withField(config, place[0], value)
          : withField(config, place[0], withField(assumeIn(config, path), place[1], value));
      const text = `${JSON.stringify(next, null, 2)}\n`;
      changed = text !== old;
      return text;
    });
  } catch (error) {
    throw cannotSave('the setting', folder, error, 'Set SVC_CONFIG_DIR to another folder.');
  }
  return { path, changed };
}

/** Returns the folder of the configuration; undefined if there is no place for one. */
export function folderOf({ vault }: Context): string | undefined {
  try {
    return vault.folder();
  } catch {
    return undefined;
  }
}

/** Sets a field, or removes it if the value is undefined or an empty object. */
function withField(object: JsonObject, name: string, value: string | JsonObject | undefined): JsonObject {
  const { [name]: _, ...others } = object;
  const isEmpty = value === undefined || (isObject(value) && Object.keys(value).length === 0);
  return isEmpty ? others : { ...others, [name]: value };
}
