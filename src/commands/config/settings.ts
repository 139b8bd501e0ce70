import type { Needs } from '../../cli/define/context.ts';
import type { Warning } from '../../cli/define/result.ts';
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
import type { Setting, Settings } from '../../cli/settings/setting.ts';
import { closest, parseChoice } from '../../cli/values/choice.ts';
import { parseIdentifier } from '../../cli/values/identifier.ts';
import { required } from '../../cli/values/parameters.ts';
import { ASSUMPTIONS, type AssumptionName } from '../../contract/assumptions.ts';
import type { DocumentOf } from '../../contract/fields/documents.ts';
import { ORDER_BODY } from '../../contract/fields/operations.ts';
import type { Env } from '../../environment.ts';
import { CliError, quoted, usageError } from '../../errors.ts';
import { parseBaseUrl } from '../../http/address.ts';
import type { JsonObject } from '../../json/values.ts';
import { tryRead } from '../../once.ts';
import { parseSafeUrl } from '../../sign-in/browser.ts';
import { changeDocument, type DocumentKind } from '../../store/document.ts';
import { cannotSaveError } from '../../store/problem.ts';
import { findOverride, type Override } from '../shared/override.ts';

type ConfigKey =
  | { readonly kind: 'setting'; readonly name: ConfigName }
  | { readonly kind: 'assumption'; readonly name: AssumptionName };

const ASSUME = 'assume.';

const KEY_NAMES: readonly string[] = [
  ...CONFIG_NAMES,
  ...ASSUMPTIONS.map(({ name }) => `${ASSUME}${name}`),
];

/** The setting of a `config` command. */
export const NAME_ARGUMENT = required(`${CONFIG_NAMES.join(', ')}, or assume.<name>`, {
  choices: KEY_NAMES,
});

/** Throws a usage error for an unknown name, with the one probably meant. */
export function parseKey(text: string): ConfigKey {
  if (text.startsWith(ASSUME)) {
    return {
      kind: 'assumption',
      name: parseAssumptionName(text.slice(ASSUME.length), 'The assumption'),
    };
  }
  const name = CONFIG_NAMES.find((candidate) => candidate === text);
  if (name !== undefined) return { kind: 'setting', name };
  const meant = closest(text, KEY_NAMES);
  throw usageError(
    `There is no setting ${quoted(text)}. There are: ${CONFIG_NAMES.join(', ')}, assume.<name>.`,
    'svc config list',
  ).withMeantText(text, meant);
}

/** Checks the value as its later use would. Throws a usage error. */
export function parseValue(
  key: ConfigKey,
  text: string,
  { io, settings }: Needs<'io' | 'settings'>,
): string {
  if (key.kind === 'assumption') return parseAssumedValue(key.name, text, 'The assumption');
  const { name } = key;
  if (name === 'api-url') {
    return parseBaseUrl(text, { field: 'api-url', allowHttp: settings.allowHttp });
  }
  if (name === 'lang') return parseChoice(text.trim(), name, ORDER_BODY.language.enum);
  if (name === 'bell' || name === 'changes') return parseChoice(text.trim(), name, ['on', 'off']);
  if (name === AGENTS_SPEND) return parseAgentsSpend(text.trim(), io.isAttended);
  return name === 'dashboard' ? parseDashboard(text) : parseIdentifier(text, name);
}

/** Throws a usage error unless a person at a terminal allows it; anything may refuse it. */
function parseAgentsSpend(value: string, isPerson: boolean): string {
  if (value === 'refuse' || (value === 'allow' && isPerson)) return value;
  const why = 'Only a person can allow agents to spend money. Run this yourself, on a terminal.';
  throw usageError(
    value === 'allow' ? why : `${AGENTS_SPEND} ${quoted(value)} is neither allow nor refuse.`,
  );
}

/** Returns a web address without a slash at its end, so that a page can follow. */
function parseDashboard(text: string): string {
  const url = parseSafeUrl(text.trim());
  if (url !== undefined && url.search === '' && url.hash === '') {
    return url.href.replace(/(?<!\/)\/+$/, '');
  }
  const why = `dashboard ${quoted(text)} is not an address that starts with https://.`;
  throw usageError(why, 'For example: https://dashboard.example.com');
}

/** A value of the file, edited by hand, that its setting does not take. */
interface WrongValue {
  readonly name: ConfigName;
  readonly value: string;
  /** What a command says that meets it. */
  readonly why: string;
}

/** Lists every setting and its source. The token is shown as `(secret)`. */
export function effectiveSettings(
  context: Needs<'settings' | 'env' | 'io'>,
): ReadonlyArray<DocumentOf<'config get'>> {
  const wrong = findWrongValues(context).map(({ name }) => name as string);
  return [...settingsInEffect(context)].map(([name, setting]) => {
    if (setting === undefined) return { name, value: null, origin: 'none', where: '' };
    return wrong.includes(name) ? { name, ...withoutFile(name) } : { name, ...setting };
  });
}

/** What holds for a setting without its value in the file. */
function withoutFile(name: string): Omit<DocumentOf<'config get'>, 'name'> {
  const usual = CHOICES.find(([choice]) => choice === name)?.[1] ?? null;
  if (usual === null) return { value: null, origin: 'none', where: '' };
  return { value: usual, origin: 'default', where: 'default' };
}

/** Finds the values of the file in effect that `svc config set` would refuse. */
export function findWrongValues(context: Needs<'settings' | 'env' | 'io'>): readonly WrongValue[] {
  return [...settingsInEffect(context)].flatMap(([key, setting]) => {
    const name = CONFIG_NAMES.find((one) => one === key);
    if (name === undefined || setting?.origin !== 'config') return [];
    const why = findFault(name, setting.value, context);
    return why === undefined ? [] : [{ name, value: setting.value, why }];
  });
}

function findFault(
  name: ConfigName,
  value: string,
  context: Needs<'settings' | 'io'>,
): string | undefined {
  // A person has allowed it, whoever looks at it now.
  if (name === AGENTS_SPEND && value === 'allow') return undefined;
  try {
    parseValue({ kind: 'setting', name }, value, context);
    return undefined;
  } catch (error) {
    if (error instanceof CliError) return error.message;
    throw error;
  }
}

/** Warns of wrong values, with the command that puts each right. */
export function warnOfWrongValues(wrong: readonly WrongValue[]): readonly Warning[] {
  return wrong.map(({ name, why }) => ({
    text: `In the configuration file: ${why} It is not in effect: svc config set ${name} <value>, or svc config unset ${name}`,
    code: 'wrong_setting',
  }));
}

/**
 * Returns what takes precedence over a value in the configuration; null if the settings contradict
 * each other.
 */
export function strongerThanConfig(
  context: Needs<'settings' | 'env'>,
  name: string,
): Override | null {
  // The value is saved; the next command that uses the settings reports the contradiction.
  return tryRead(() => findOverride(settingsInEffect(context).get(name), 'config'), null);
}

/** What only `svc config` sets, and what holds without it. */
const CHOICES = [
  ['lang', 'en'],
  ['bell', 'on'],
  [AGENTS_SPEND, 'refuse'],
  ['changes', 'on'],
] as const;

function settingsInEffect({
  settings,
  env,
}: Needs<'settings' | 'env'>): ReadonlyMap<string, Setting | undefined> {
  const usual = (value: string): Setting => ({ value, origin: 'default', where: 'default' });
  const assumed = (name: AssumptionName): Setting | undefined => {
    const value = settings.assumptions().get(name);
    if (value === undefined) return undefined;
    if (env['SVC_ASSUME']?.includes(`${name}=`)) {
      return { value, origin: 'environment', where: 'SVC_ASSUME' };
    }
    return { value, origin: 'config', where: 'svc config' };
  };
  return new Map([
    ['api-url', settings.findApiUrl()],
    ['profile', profileInEffect(settings)],
    ['org', settings.org()],
    ['service', settings.service()],
    ['dashboard', settings.dashboard()],
    ...CHOICES.map(([name, value]): [string, Setting] => [
      name,
      settings.choice(name) ?? usual(value),
    ]),
    ['token', tokenFrom(settings.credential()?.source, env)],
    ...ASSUMPTIONS.map(({ name, value }): [string, Setting] => [
      ASSUME + name,
      assumed(name) ?? usual(value),
    ]),
  ]);
}

function profileInEffect(settings: Settings): Setting | undefined {
  const profile = settings.profile()?.profile;
  if (profile === undefined) return undefined;
  const [named, address] = [settings.profileName(), settings.findApiUrl()];
  if (named?.value === profile) return named;
  if (address === undefined || address.origin === 'profile') {
    return { value: profile, origin: 'profile', where: 'the last login' };
  }
  return { value: profile, origin: address.origin, where: `the address of ${address.where}` };
}

function tokenFrom(source: string | undefined, env: Env): Setting | undefined {
  if (source === undefined) return undefined;
  return {
    value: '(secret)',
    origin: env[source] === undefined ? 'profile' : 'environment',
    where: source,
  };
}

/** The configuration as it is: one with a value of the wrong type can be repaired. */
const FIELDS: DocumentKind<JsonObject> = { ...CONFIG, empty: {}, parse: (fields) => fields };

/**
 * Sets or removes a value, and keeps unknown fields. Returns the path of the file. Throws CliError
 * `usage`.
 */
export async function writeConfig(
  { store, time }: Needs<'store' | 'time'>,
  key: ConfigKey,
  value?: string,
) {
  const folder = store.configFolder();
  const path = configPath(folder);
  try {
    await changeDocument(
      { path, machine: store.machine, clock: time.clock },
      FIELDS,
      ({ content, write }) => {
        const assume = readAssume(content, path);
        const old = key.kind === 'setting' ? content[CONFIG_FIELDS[key.name]] : assume[key.name];
        if (old === undefined && value === undefined) return;
        if (key.kind === 'setting') write({ [CONFIG_FIELDS[key.name]]: value });
        else write({ assume: { ...assume, [key.name]: value } });
      },
    );
  } catch (error) {
    throw cannotSaveError('the setting', folder, error, 'Set SVC_CONFIG_DIR to another folder.');
  }
  return path;
}
