import { isOn, signInVariablesIn } from '../../environment.ts';
import { CliError, listed, quoted, usageError } from '../../errors.ts';
import { parseBaseUrl } from '../../http/address.ts';
import { once, tryRead } from '../../once.ts';
import {
  CREDENTIALS,
  checkProfileName,
  findByAddress,
  findByProfile,
  findCurrent,
  getProfileName,
  isForAddress,
  unknownProfileError,
} from '../../sign-in/record.ts';
import type { EnvironmentToken } from '../../sign-in/token.ts';
import type { CredentialRecord, Credentials } from '../../sign-in/types.ts';
import { type FoundLink, findLink } from '../../store/link-file.ts';
import type { World } from '../../world.ts';
import { parseIdentifier } from '../values/identifier.ts';
import { type ConfigName, parseAssume, readConfig } from './config-file.ts';
import type { Globals } from './globals.ts';
import type { ChosenCredential, Setting, Settings } from './setting.ts';

interface SettingSources extends Pick<World, 'env' | 'cwd' | 'machine' | 'defaultApiUrl'> {
  readonly globals: Globals;
  readonly environmentToken: () => EnvironmentToken | undefined;
  /** Undefined without a home folder. */
  readonly configFolder: () => string | undefined;
  readonly readCredentials: () => Credentials;
  readonly warn: (text: string, code: string) => void;
  /** Command lines for an error without a service. */
  readonly withServices: () => readonly string[];
  /** The slugs that this machine has seen. */
  readonly organizations: () => readonly string[];
}

/** Where a person finds the id of a service. */
export const SERVICE_IDS = 'Find the id in the dashboard: Services › your service › Settings.';

/** Reads files once, and only if no stronger source has the setting. */
export function createSettings(sources: SettingSources): Settings {
  const { globals, env } = sources;
  const { given, profileName, assumptions, normal, addressOf, ...from } = createReaders(sources);
  const credentials = once(() => sources.readCredentials());
  const profile = once((): CredentialRecord | undefined => {
    const [address, named] = [given(), profileName()];
    if (named === undefined)
      return address ? findByAddress(credentials(), address.value) : findCurrent(credentials());
    const known = findByProfile(credentials(), named.value);
    if (known === undefined) throw unknownProfileError(named.value, credentials());
    return checkBelongs(known, named, address);
  });
  const findApiUrl = once((): Setting | undefined => {
    const address = given();
    if (address !== undefined && profileName() === undefined) return address;
    const stored = profile();
    return address ?? addressOf(stored);
  });
  const settings: Omit<Settings, keyof ServiceChoice> = {
    allowHttp: isOn(env['SVC_ALLOW_HTTP']),
    ...{ profileName, profile, findApiUrl, assumptions },
    credential: once(() => sources.environmentToken() ?? credentialOf(profile())),
    apiUrl() {
      const found = findApiUrl();
      if (found === undefined) throw new NoAddress(credentials());
      return found;
    },
    async login(ask) {
      const [address, named] = [given(), profileName()];
      // The login sets a damaged file aside, or reports it.
      const stored =
        address === undefined ? credentials() : tryRead(credentials, CREDENTIALS.empty);
      const known = named && findByProfile(stored, named.value);
      const meant = known ? checkBelongs(known, named, address) : findCurrent(stored);
      const found = address ?? addressOf(meant) ?? normal(await ask?.());
      if (found === undefined) throw new NoAddress(stored);
      return {
        address: found,
        profile: named ? checkProfileName(named.value) : getProfileName(found.value),
      };
    },
    org: () =>
      settingOf(globals.org, 'flag', '--org') ??
      from.variable('SVC_ORG') ??
      from.link('org') ??
      fromProfile('org', signInVariablesIn(env).length === 0 ? profile() : undefined) ??
      from.config('org'),
    service: () => from.variable('SVC_SERVICE') ?? from.link('service') ?? from.config('service'),
    dashboard: () => from.variable('SVC_DASHBOARD') ?? from.config('dashboard'),
    choice: from.config,
  };
  return { ...settings, ...createServiceChoice(settings, sources, () => from.links().ignored) };
}

type ServiceChoice = Pick<Settings, 'serviceId' | 'linkNotice' | 'explain'>;

function createServiceChoice(
  { service, org }: Pick<Settings, 'service' | 'org'>,
  { withServices, organizations }: SettingSources,
  ignoredLinks: () => readonly string[],
): ServiceChoice {
  let chosen: Setting | undefined;
  return {
    serviceId(given) {
      if (given !== undefined) return given;
      chosen = service();
      if (chosen === undefined) throw noService(ignoredLinks(), withServices());
      return parseIdentifier(chosen.value, chosen.where);
    },
    linkNotice() {
      const named = Object.entries({ service: chosen, organization: org() }).filter(
        ([, one]) => one !== undefined,
      );
      if (!named.some(([, one]) => one?.origin === 'link')) return undefined;
      return `For ${named.map(([what, one]) => `the ${what} ${one?.value} (${one?.where})`).join(' and ')}.`;
    },
    explain(error) {
      if (!(error instanceof CliError)) return error;
      const named = error.code === 'forbidden' ? org() : undefined;
      const seen = named === undefined ? [] : organizations();
      if (named !== undefined && seen.length > 0 && !seen.includes(named.value)) {
        return error.withLines(
          `svc knows you in ${listed(seen)}, not in ${quoted(named.value)} (${named.where}).`,
        );
      }
      if (chosen === undefined || error.code !== 'not_found') return error;
      return error.withLines(`Looked in service ${chosen.value} (from ${chosen.where}).`);
    },
  };
}

function noService(ignored: readonly string[], proposals: readonly string[]): CliError {
  return new CliError('usage', 'This command needs a service. Set its id in one of these ways:', {
    lines: [
      ...ignored,
      '--service <id>     for one command',
      'SVC_SERVICE=<id>   for this shell or pipeline',
      'svc link <id>      for this folder and those below it',
    ],
    hint: { say: SERVICE_IDS, run: proposals },
  });
}

/** A reader for each place that a setting may come from. */
function createReaders({
  globals,
  env,
  cwd,
  machine,
  warn,
  defaultApiUrl,
  configFolder,
}: SettingSources) {
  const config = once(() => readConfig(configFolder(), machine));
  const links = once((): FoundLink => {
    const found =
      cwd === undefined ? { link: undefined, ignored: [] } : findLink(cwd, { machine, env });
    for (const why of found.ignored)
      warn(`${why} Use --service and --org instead.`, 'link_ignored');
    return found;
  });
  const fromConfig = (name: ConfigName) =>
    settingOf(config().settings.get(name), 'config', 'svc config');
  /** Throws a usage error for an address that no token may be sent to. */
  const normal = (address: Setting | undefined): Setting | undefined => {
    const allowHttp = isOn(env['SVC_ALLOW_HTTP']);
    return (
      address && {
        ...address,
        value: parseBaseUrl(address.value, { field: nameOf(address), allowHttp }),
      }
    );
  };
  const variable = (name: string) => settingOf(env[name]?.trim(), 'environment', name);
  return {
    ...{ links, config: fromConfig, normal, variable },
    given: () => normal(settingOf(globals.apiUrl, 'flag', '--api-url') ?? variable('SVC_API_URL')),
    profileName: () => settingOf(globals.profile, 'flag', '--profile') ?? variable('SVC_PROFILE'),
    /** Without a stored sign-in, that of the configuration or of the build. */
    addressOf: (record: CredentialRecord | undefined) =>
      normal(
        record === undefined
          ? (fromConfig('api-url') ?? settingOf(defaultApiUrl, 'default', 'this build of svc'))
          : fromProfile('baseUrl', record),
      ),
    link: (name: 'org' | 'service') =>
      settingOf(links().link?.[name], 'link', links().link?.path ?? ''),
    assumptions: once(() => new Map([...config().assume, ...parseAssume(env['SVC_ASSUME'] ?? '')])),
  };
}

function settingOf(
  value: string | undefined,
  origin: Setting['origin'],
  where: string,
): Setting | undefined {
  return value ? { value, origin, where } : undefined;
}

function fromProfile(
  field: 'org' | 'baseUrl',
  record: CredentialRecord | undefined,
): Setting | undefined {
  return record && settingOf(record[field], 'profile', `profile ${record.profile}`);
}

/** On a terminal svc then asks for one, and runs the command again. */
export class NoAddress extends CliError {
  constructor({ credentials }: Credentials) {
    const names = credentials.map(({ profile }) => profile);
    super('usage', 'svc does not know your platform yet. Set its address in one of these ways:', {
      lines: [
        ...(names.length === 0
          ? []
          : [`svc profiles use <name>                       one of ${names.join(', ')}`]),
        'svc login                                     sign in; asks on a terminal',
        'svc login --api-url https://api.example.com   sign in, and remember it',
        'SVC_API_URL=https://api.example.com           for this shell or pipeline',
        '--api-url https://api.example.com             for one command',
      ],
      hint: { say: 'Without an account, try everything on this machine:', run: ['svc sandbox'] },
    });
  }
}

function checkBelongs(
  known: CredentialRecord,
  named: Setting,
  address: Setting | undefined,
): CredentialRecord {
  if (address === undefined || isForAddress(known, address.value)) return known;
  const whose = `${named.where} selects the profile ${quoted(named.value)}, which belongs to ${known.baseUrl}`;
  throw usageError(
    `${whose}; ${address.where} says ${address.value}.`,
    `Use ${named.where} or ${address.where}, not both.`,
  );
}

function credentialOf(record: CredentialRecord | undefined): ChosenCredential | undefined {
  return (
    record && { kind: 'bearer', token: record.token, source: `profile ${record.profile}`, record }
  );
}

function nameOf({ origin, where }: Setting): string {
  return origin === 'flag' || origin === 'environment' ? where : `The address of ${where}`;
}
