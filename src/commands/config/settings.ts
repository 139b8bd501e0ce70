import {
  assumeField,
  CONFIG_FIELDS,
  CONFIG_NAMES,
  type ConfigName,
  configPath,
  parseAssumedValue,
  parseAssumptionName,
  parseConfig,
} from '../../command/config-file.ts';
import type { Context } from '../../command/context.ts';
import { required } from '../../command/parameters.ts';
import type { Settings } from '../../command/settings.ts';
import type { Origin, Setting } from '../../command/target.ts';
import { closest } from '../../command/values/choice.ts';
import { parseIdentifier } from '../../command/values/identifier.ts';
import type { Env } from '../../environment.ts';
import { quoted, usageError } from '../../errors.ts';
import { parseBaseUrl } from '../../http/address.ts';
import { asObject, isObject, type JsonObject } from '../../json/values.ts';
import { ASSUMPTIONS, type AssumptionName } from '../../spec/assumptions.ts';
import { asUsage, cannotSave } from '../../vault/problem.ts';
import { updateFile } from '../../vault/write.ts';
import { type Override, overrideOf } from '../shared/override.ts';

/** Something that `svc config` can change: a setting, or what svc assumes about the service. */
type ConfigKey =
  | { readonly kind: 'setting'; readonly name: ConfigName; readonly path: readonly [string] }
  | { readonly kind: 'assumption'; readonly name: AssumptionName; readonly path: readonly [string, string] };

const ASSUME = 'assume.';

/** Every name that `svc config` knows. */
const KEY_NAMES: readonly string[] = [...CONFIG_NAMES, ...ASSUMPTIONS.map(({ name }) => `${ASSUME}${name}`)];

/** `<name>`: the setting that a command is about. Tab offers the names; the command says which of them it takes. */
export const NAME_ARGUMENT = required('api-url, org, service, or assume.<name>', { choices: KEY_NAMES });

/** Reads the name of a setting. Throws a usage error that names the one probably meant. */
export function parseKey(text: string): ConfigKey {
  if (text.startsWith(ASSUME)) {
    const name = parseAssumptionName(text.slice(ASSUME.length), 'assume.<name>');
    return { kind: 'assumption', name, path: ['assume', name] };
  }
  const name = CONFIG_NAMES.find((candidate) => candidate === text);
  if (name !== undefined) return { kind: 'setting', name, path: [CONFIG_FIELDS[name]] };
  const meant = closest(text, KEY_NAMES);
  throw usageError(
    `There is no setting ${quoted(text)}. There are: ${CONFIG_NAMES.join(', ')}, assume.<name>.`,
    meant === undefined ? 'svc config list' : `svc config set ${meant} <value>`,
  );
}

/** Checks the value of a setting as its use would. Throws a usage error. */
export function parseValue(key: ConfigKey, text: string, { settings }: Context): string {
  if (key.kind === 'assumption') return parseAssumedValue(key.name, text, 'assume.<name>');
  if (key.name === 'api-url') return parseBaseUrl(text, { field: 'api-url', allowHttp: settings.allowHttp });
  return parseIdentifier(text, key.name);
}

/** A setting as it is in effect here. */
interface EffectiveSetting {
  readonly name: string;
  readonly value: string | null;
  readonly origin: Origin | 'none';
  /** The flag, variable or file that gave it. */
  readonly where: string;
}

/** Every setting in effect, with what gave it. The token itself is not among them, only its source. */
export function effectiveSettings({ settings, system: { env } }: Context): readonly EffectiveSetting[] {
  return [
    effective('api-url', settings.findApiUrl()),
    effective('profile', profileInEffect(settings)),
    effective('org', settings.org()),
    effective('service', settings.service()),
    signIn(settings.credential()?.source, env),
    ...ASSUMPTIONS.map(({ name, value }) => assumption(name, value, settings.assumptions(), env)),
  ];
}

/** What wins over a value in the configuration here; nothing where settings contradict each other. */
export function strongerThanConfig(context: Context, name: string): Override | null {
  try {
    const setting = effectiveSettings(context).find((candidate) => candidate.name === name);
    if (setting === undefined || setting.value === null || setting.origin === 'none') return null;
    return overrideOf({ value: setting.value, origin: setting.origin, where: setting.where }, 'config');
  } catch {
    // The value is saved; whoever uses the settings is told what is wrong with the others.
    return null;
  }
}

function effective(name: string, setting: Setting | undefined): EffectiveSetting {
  if (setting === undefined) return { name, value: null, origin: 'none', where: '' };
  return { name, ...setting };
}

/** The stored sign-in that commands use here, and what chose it. */
function profileInEffect(settings: Settings): Setting | undefined {
  const profile = settings.profile()?.profile;
  if (profile === undefined) return undefined;
  const [named, address] = [settings.profileName(), settings.findApiUrl()];
  if (named?.value === profile) return named;
  if (address === undefined || address.origin === 'profile')
    return { value: profile, origin: 'profile', where: 'the last login' };
  return { value: profile, origin: address.origin, where: `the address of ${address.where}` };
}

function signIn(source: string | undefined, env: Env): EffectiveSetting {
  if (source === undefined) return { name: 'token', value: null, origin: 'none', where: '' };
  const fromEnvironment = env[source] !== undefined;
  return { name: 'token', value: '(secret)', origin: fromEnvironment ? 'environment' : 'profile', where: source };
}

function assumption(
  name: string,
  standard: string,
  overrides: ReadonlyMap<string, string>,
  env: Env,
): EffectiveSetting {
  const value = overrides.get(name);
  if (value === undefined) return { name: `assume.${name}`, value: standard, origin: 'default', where: 'default' };
  const fromEnvironment = env['SVC_ASSUME']?.includes(`${name}=`) === true;
  return fromEnvironment
    ? { name: `assume.${name}`, value, origin: 'environment', where: 'SVC_ASSUME' }
    : { name: `assume.${name}`, value, origin: 'config', where: 'svc config' };
}

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
