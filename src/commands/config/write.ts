import { assumeField, configPath, parseConfig } from '../../command/config-file.ts';
import type { Context } from '../../command/context.ts';
import { asObject, isObject, type JsonObject } from '../../spec/read.ts';
import { asUsage, cannotSave } from '../../store/problem.ts';
import { updateFile } from '../../store/write.ts';
import type { ConfigKey } from './names.ts';

/** Sets a value in the configuration file, or removes it; fields that svc does not know are kept. Returns the file's path. */
export async function writeConfig(context: Context, key: ConfigKey, value: string | undefined): Promise<string> {
  const folder = context.vault.folder();
  const path = configPath(folder, context.system.machine);
  try {
    await updateFile(path, context.system.machine, context.system.clock, (text) => {
      if (text === undefined && value === undefined) return undefined;
      const config = parseConfig(text, path);
      if (key.kind === 'assumption') assumeField(config, path);
      const changed = changedConfig(config, key.path, value);
      return `${JSON.stringify(changed, null, 2)}\n`;
    });
  } catch (error) {
    throw asUsage(cannotSave('the setting', folder, error, 'SVC_CONFIG_DIR=<another folder>'));
  }
  return path;
}

function changedConfig(config: JsonObject, [name, ...inner]: readonly string[], value: string | undefined): JsonObject {
  const { [name ?? '']: old, ...others } = config;
  const [innerName] = inner;
  const next = innerName === undefined ? value : changedConfig(asObject(old), [innerName], value);
  const isEmpty = next === undefined || (isObject(next) && Object.keys(next).length === 0);
  return isEmpty ? others : { ...others, [name ?? '']: next };
}
