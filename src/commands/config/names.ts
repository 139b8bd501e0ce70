import { CONFIG_FIELDS, CONFIG_NAMES, type ConfigName } from '../../command/config-file.ts';
import type { Context } from '../../command/context.ts';
import { required } from '../../command/parameters.ts';
import { parseAssumedValue, parseAssumptionName } from '../../command/parse/assume.ts';
import { closest } from '../../command/parse/did-you-mean.ts';
import { parseIdentifier } from '../../command/parse/identifier.ts';
import { quoted, usageError } from '../../errors.ts';
import { parseBaseUrl } from '../../http/address.ts';
import { ASSUMPTIONS, type AssumptionName } from '../../spec/assumptions.ts';

/** Something that `svc config` can change: a setting, or what svc assumes about the service. */
export type ConfigKey =
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
