import type { Needs } from '../../cli/define/context.ts';
import {
  AGENTS_SPEND,
  CONFIG,
  CONFIG_FIELDS,
  CONFIG_NAMES,
  type ConfigName,
  configPath,
  parseAssumedValue,
  parseAssumptionName,
  readAssume,
} from '../../cli/settings/config-file.ts';
import type { Setting, Settings } from '../../cli/settings/settings.ts';
import { parseIdentifier } from '../../cli/values/names.ts';
import { required } from '../../cli/values/parameters.ts';
import { closest, parseChoice } from '../../cli/values/text.ts';
import { ASSUMPTIONS, type AssumptionName } from '../../contract/assumptions.ts';
import { ORDER_BODY } from '../../contract/fields/operations.ts';
import { CliError, quote, tryOr, usageError } from '../../errors.ts';
import { parseBaseUrl } from '../../http/address.ts';
import { asText, type JsonObject } from '../../json/values.ts';
import { parseSafeUrl } from '../../sign-in/browser.ts';
import { changeDocument, type DocumentKind } from '../../store/document.ts';
import { cannotSaveError } from '../../store/problem.ts';
import { findOverride, type Override } from '../shared/override.ts';

/** The name of a setting, or of an assumption without `assume.`: none has both. */
type ConfigKey = ConfigName | AssumptionName;

const ASSUME = 'assume.';

const KEY_NAMES = [...CONFIG_NAMES, ...ASSUMPTIONS.map(({ name }) => ASSUME + name)];

/** The setting of a `config` command. */
export const NAME_ARGUMENT = required(`${CONFIG_NAMES.join(', ')}, or assume.<name>`, {
  choices: KEY_NAMES,
});

/** @throws CliError `usage` for an unknown name, with the one probably meant. */
export function parseKey(text: string): ConfigKey {
  if (text.startsWith(ASSUME)) {
    return parseAssumptionName(text.slice(ASSUME.length), 'The assumption');
  }
  const name = findConfigName(text);
  if (name !== undefined) return name;

  throw usageError(
    `There is no setting ${quote(text)}. There are: ${CONFIG_NAMES.join(', ')}, assume.<name>.`,
    'svc config list',
  ).withMeantText(text, closest(text, KEY_NAMES));
}

function findConfigName(text: string) {
  return CONFIG_NAMES.find((name) => name === text);
}

/**
 * Checks the value as its later use would.
 * @throws CliError `usage`.
 */
export function parseValue(
  key: ConfigKey,
  text: string,
  { io, settings }: Needs<'io' | 'settings'>,
): string {
  switch (key) {
    case 'api-url':
      return parseBaseUrl(text, { field: key, allowHttp: settings.allowHttp });
    case 'org':
    case 'service':
      return parseIdentifier(text, key);
    case 'lang':
      return parseChoice(text.trim(), key, ORDER_BODY.language.enum);
    case 'bell':
    case 'changes':
      return parseChoice(text.trim(), key, ['on', 'off']);
    case AGENTS_SPEND:
      return parseAgentsSpend(text.trim(), io.isAttended);
    case 'dashboard':
      return parseDashboard(text);
    default:
      return parseAssumedValue(key, text, 'The assumption');
  }
}

/** @throws CliError `usage` unless a person at a terminal allows it; anything may refuse it. */
function parseAgentsSpend(text: string, isPerson: boolean) {
  const value = parseChoice(text, AGENTS_SPEND, ['allow', 'refuse']);
  if (value === 'refuse' || isPerson) return value;
  throw usageError(
    'Only a person can allow agents to spend money. Run this yourself, on a terminal.',
  );
}

/** Returns a web address without a slash at its end, so that a page can follow. */
function parseDashboard(text: string) {
  const url = parseSafeUrl(text.trim());
  if (url !== undefined && url.search === '' && url.hash === '') {
    return url.href.replace(/(?<!\/)\/+$/, '');
  }
  const why = `dashboard ${quote(text)} is not an address that starts with https://.`;
  throw usageError(why, 'For example: https://dashboard.example.com');
}

const UNSET = { value: null, origin: 'none', where: '' } as const;

/**
 * Lists every setting and its source, with a warning about a value that the file should not have.
 * The token is shown as `(secret)`.
 */
export function listSettings(context: Needs<'settings' | 'env' | 'io'>) {
  return Object.entries(readSettings(context)).map(([name, setting]) => {
    const warnings = setting?.origin === 'config' ? findFaults(name, setting.value, context) : [];
    // A value that is not in effect leaves the default.
    const usual = CHOICES.find(([choice]) => choice === name)?.[1];
    const inEffect = warnings.length === 0 ? setting : usual && toDefault(usual);
    return { setting: { name, ...(inEffect ?? UNSET) }, warnings };
  });
}

/** Finds a value of the configuration file that `svc config set` would refuse. */
function findFaults(text: string, value: string, context: Needs<'settings' | 'io'>) {
  const name = findConfigName(text);
  // A person has allowed it, whoever lists it now.
  if (name === undefined || (name === AGENTS_SPEND && value === 'allow')) return [];

  try {
    parseValue(name, value, context);
    return [];
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const ways = `svc config set ${name} <value>, or svc config unset ${name}`;
    const sentence = `In the configuration file: ${error.message} It is not in effect: ${ways}`;
    return [{ text: sentence, code: 'wrong_setting' }];
  }
}

/**
 * Returns what takes precedence over a value in the configuration; null if the settings contradict
 * each other.
 */
export function findStrongerSetting(
  context: Needs<'settings' | 'env'>,
  name: string,
): Override | null {
  // The value is saved; the next command that uses the settings reports the contradiction.
  return tryOr(() => findOverride(readSettings(context)[name], 'config'), null);
}

/** The settings that only `svc config` makes, and the values that they have without it. */
const CHOICES = [
  ['lang', 'en'],
  ['bell', 'on'],
  [AGENTS_SPEND, 'refuse'],
  ['changes', 'on'],
] as const;

function readSettings(
  context: Needs<'settings' | 'env'>,
): Readonly<Record<string, Setting | undefined>> {
  const { settings } = context;
  const choices = CHOICES.map(([name, value]) => [name, settings.choice(name) ?? toDefault(value)]);
  const assumptions = ASSUMPTIONS.map(({ name, value }) => [
    ASSUME + name,
    findAssumption(context, name) ?? toDefault(value),
  ]);
  return {
    'api-url': settings.findApiUrl(),
    profile: findProfile(settings),
    org: settings.org(),
    service: settings.service(),
    dashboard: settings.dashboard(),
    ...Object.fromEntries(choices),
    token: findToken(context),
    ...Object.fromEntries(assumptions),
  };
}

function toDefault(value: string): Setting {
  return { value, origin: 'default', where: 'default' };
}

function findAssumption(
  { settings, env }: Needs<'settings' | 'env'>,
  name: AssumptionName,
): Setting | undefined {
  const value = settings.assumptions().get(name);
  if (value === undefined) return undefined;
  return env['SVC_ASSUME']?.includes(`${name}=`)
    ? { value, origin: 'environment', where: 'SVC_ASSUME' }
    : { value, origin: 'config', where: 'svc config' };
}

function findProfile(settings: Settings): Setting | undefined {
  const value = settings.profile()?.profile;
  if (value === undefined) return undefined;

  const named = settings.profileName();
  if (named?.value === value) return named;
  const address = settings.findApiUrl();
  if (address === undefined || address.origin === 'profile') {
    return { value, origin: 'profile', where: 'the last login' };
  }
  return { value, origin: address.origin, where: `the address of ${address.where}` };
}

function findToken({ settings, env }: Needs<'settings' | 'env'>): Setting | undefined {
  const where = settings.credential()?.source;
  if (where === undefined) return undefined;
  const origin = env[where] === undefined ? 'profile' : 'environment';
  return { value: '(secret)', origin, where };
}

/** The configuration as it is: one with a value of the wrong type can be repaired. */
const FIELDS: DocumentKind<JsonObject> = { ...CONFIG, empty: {}, parse: (fields) => fields };

/**
 * Sets or removes a value, and keeps unknown fields. Returns the path of the file.
 * @throws CliError `usage`.
 */
export async function writeConfig(
  { store, time }: Needs<'store' | 'time'>,
  key: ConfigKey,
  value?: string,
) {
  const folder = store.configFolder();
  const path = configPath(folder);
  const file = { path, machine: store.machine, clock: time.clock };
  let before: string | undefined;
  try {
    await changeDocument(file, FIELDS, ({ content, write }) => {
      const assume = readAssume(content, path);
      const name = findConfigName(key);
      const old = name === undefined ? assume[key] : content[CONFIG_FIELDS[name]];
      before = asText(old);
      if (old === undefined && value === undefined) return;
      if (name === undefined) write({ assume: { ...assume, [key]: value } });
      else write({ [CONFIG_FIELDS[name]]: value });
    });
  } catch (error) {
    throw cannotSaveError('the setting', folder, error, 'Set SVC_CONFIG_DIR to another folder.');
  }
  return { path, before };
}
