import { isOn, listSignInVariables } from '../../environment.ts';
import { CliError, listNames, quote, usageError } from '../../errors.ts';
import { parseBaseUrl } from '../../http/address.ts';
import { once, tryOr } from '../../once.ts';
import {
  CREDENTIALS,
  type CredentialRecord,
  type Credentials,
  checkProfileName,
  findByAddress,
  findByProfile,
  findCurrent,
  getProfileName,
  isForAddress,
  unknownProfileError,
} from '../../sign-in/record.ts';
import type { EnvironmentToken } from '../../sign-in/token.ts';
import { type FoundLink, findLink } from '../../store/link-file.ts';
import type { World } from '../../world.ts';
import { parseIdentifier } from '../values/identifier.ts';
import { type ConfigName, parseAssume, readConfig } from './config-file.ts';
import type { Globals } from './globals.ts';
import {
  type ChosenCredential,
  ORIGINS,
  type Origin,
  type Setting,
  type Settings,
} from './setting.ts';

interface SettingSources extends Pick<World, 'env' | 'cwd' | 'machine' | 'defaultApiUrl'> {
  readonly globals: Globals;
  readonly environmentToken: () => EnvironmentToken | undefined;
  /** Returns undefined without a home folder. */
  readonly configFolder: () => string | undefined;
  readonly readCredentials: () => Credentials;
  readonly warn: (text: string, code: string) => void;
  /** Makes command lines for an error without a service. */
  readonly withServices: () => readonly string[];
  /** Lists the slugs that this machine has seen. */
  readonly organizations: () => readonly string[];
}

/** The place where a person finds the id of a service. */
export const SERVICE_IDS = 'Find the id in the dashboard: Services › your service › Settings.';

/** The name of each setting in the sources that may have it. */
const SOURCES = {
  address: { flag: '--api-url', environment: 'SVC_API_URL' },
  profileName: { flag: '--profile', environment: 'SVC_PROFILE' },
  org: { flag: '--org', environment: 'SVC_ORG', link: 'org', profile: 'org', config: 'org' },
  service: { environment: 'SVC_SERVICE', link: 'service', config: 'service' },
  dashboard: { environment: 'SVC_DASHBOARD', config: 'dashboard' },
  addressWithoutSignIn: { config: 'api-url', default: 'this build of svc' },
} as const;

/** Reads files once, and only if no stronger source has the setting. */
export function createSettings(sources: SettingSources): Settings {
  const { env, machine } = sources;
  const allowHttp = isOn(env['SVC_ALLOW_HTTP']);
  const credentials = once(() => sources.readCredentials());
  const config = once(() => readConfig(sources.configFolder(), machine));
  const links = once(() => findLinks(sources));
  const profile = once(() => findProfile(credentials(), find('profileName'), givenAddress()));
  const readers = createReaders(sources, config, links, profile);

  const read = (origin: Origin, name: string): Setting | undefined => {
    const { value, where } = readers[origin](name);
    return value ? { value, origin, where } : undefined;
  };
  const find = (setting: keyof typeof SOURCES): Setting | undefined => {
    const names: Partial<Record<Origin, string>> = SOURCES[setting];
    for (const origin of ORIGINS) {
      const name = names[origin];
      const found = name && read(origin, name);
      if (found) return found;
    }
    return undefined;
  };

  const givenAddress = () => normalize(find('address'), allowHttp);
  const findAddress = (record: CredentialRecord | undefined) =>
    normalize(record ? getAddress(record) : find('addressWithoutSignIn'), allowHttp);
  const findApiUrl = once(() => {
    const address = givenAddress();
    if (address !== undefined && find('profileName') === undefined) return address;
    const record = profile();
    return address ?? findAddress(record);
  });

  const settings = {
    allowHttp,
    profile,
    findApiUrl,
    profileName: () => find('profileName'),
    assumptions: once(() => new Map([...config().assume, ...parseAssume(env['SVC_ASSUME'] ?? '')])),
    credential: once(() => sources.environmentToken() ?? toCredential(profile())),
    apiUrl: () => findApiUrl() ?? throwNoAddress(credentials()),
    async login(ask?: () => Promise<Setting>) {
      const address = givenAddress();
      const name = find('profileName');
      // The login sets a damaged file aside, or reports it.
      const stored = address === undefined ? credentials() : tryOr(credentials, CREDENTIALS.empty);
      const known = name && findByProfile(stored, name.value);
      const record = known ? checkBelongs(known, name, address) : findCurrent(stored);
      const target = address ?? findAddress(record) ?? normalize(await ask?.(), allowHttp);
      if (target === undefined) return throwNoAddress(stored);
      const profileName = name ? checkProfileName(name.value) : getProfileName(target.value);
      return { address: target, profile: profileName };
    },
    org: () => find('org'),
    service: () => find('service'),
    dashboard: () => find('dashboard'),
    choice: (name: ConfigName) => read('config', name),
  };
  return { ...settings, ...createServiceChoice(settings, sources, () => links().ignored) };
}

type Reader = (name: string) => { readonly value: string | undefined; readonly where: string };

/** Creates the reader of each source. */
function createReaders(
  { globals, env, defaultApiUrl }: SettingSources,
  config: () => ReturnType<typeof readConfig>,
  links: () => FoundLink,
  profile: () => CredentialRecord | undefined,
): Readonly<Record<Origin, Reader>> {
  const { apiUrl, profile: profileName, org } = globals;
  const options = new Map(
    Object.entries({ '--api-url': apiUrl, '--profile': profileName, '--org': org }),
  );
  return {
    flag: (name) => ({ value: options.get(name), where: name }),
    environment: (name) => ({ value: env[name]?.trim(), where: name }),
    link(name) {
      const { path = '', ...link } = links().link ?? {};
      return { value: new Map(Object.entries(link)).get(name), where: path };
    },
    profile() {
      // A token of the environment may belong to any account.
      const record = listSignInVariables(env).length === 0 ? profile() : undefined;
      return { value: record?.org, where: `profile ${record?.profile}` };
    },
    config(name) {
      const values: ReadonlyMap<string, string> = config().settings;
      return { value: values.get(name), where: 'svc config' };
    },
    default: (name) => ({ value: defaultApiUrl, where: name }),
  };
}

function findLinks({ cwd, machine, env, warn }: SettingSources): FoundLink {
  if (cwd === undefined) return { link: undefined, ignored: [] };
  const found = findLink(cwd, { machine, env });
  for (const why of found.ignored) {
    warn(`${why} Use --service and --org instead.`, 'link_ignored');
  }
  return found;
}

function findProfile(
  credentials: Credentials,
  name: Setting | undefined,
  address: Setting | undefined,
): CredentialRecord | undefined {
  if (name === undefined) {
    return address ? findByAddress(credentials, address.value) : findCurrent(credentials);
  }
  const record = findByProfile(credentials, name.value);
  if (record === undefined) throw unknownProfileError(name.value, credentials);
  return checkBelongs(record, name, address);
}

function getAddress({ baseUrl, profile }: CredentialRecord): Setting {
  return { value: baseUrl, origin: 'profile', where: `profile ${profile}` };
}

/** @throws CliError `usage` for an address that no token may be sent to */
function normalize(address: Setting | undefined, allowHttp: boolean): Setting | undefined {
  if (address === undefined) return undefined;
  const value = parseBaseUrl(address.value, { field: describeSource(address), allowHttp });
  return { ...address, value };
}

function throwNoAddress(credentials: Credentials): never {
  throw new NoAddress(credentials);
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
      if (chosen === undefined) throw noServiceError(ignoredLinks(), withServices());
      return parseIdentifier(chosen.value, chosen.where);
    },
    linkNotice() {
      const targets = Object.entries({ service: chosen, organization: org() }).flatMap(
        ([what, setting]) => (setting === undefined ? [] : [{ what, ...setting }]),
      );
      if (!targets.some(({ origin }) => origin === 'link')) return undefined;
      const texts = targets.map(({ what, value, where }) => `the ${what} ${value} (${where})`);
      return `For ${texts.join(' and ')}.`;
    },
    explain(error) {
      if (!(error instanceof CliError)) return error;
      const given = error.code === 'forbidden' ? org() : undefined;
      const known = given === undefined ? [] : organizations();
      if (given !== undefined && known.length > 0 && !known.includes(given.value)) {
        return error.withLines(
          `svc knows you in ${listNames(known)}, not in ${quote(given.value)} (${given.where}).`,
        );
      }
      if (chosen === undefined || error.code !== 'not_found') return error;
      return error.withLines(`Looked in service ${chosen.value} (from ${chosen.where}).`);
    },
  };
}

function noServiceError(ignored: readonly string[], proposals: readonly string[]): CliError {
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

/** The error without an address: on a terminal svc asks for one, and runs the command again. */
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
  const whose = `${named.where} selects the profile ${quote(named.value)}, which belongs to ${known.baseUrl}`;
  throw usageError(
    `${whose}; ${address.where} says ${address.value}.`,
    `Use ${named.where} or ${address.where}, not both.`,
  );
}

function toCredential(record: CredentialRecord | undefined): ChosenCredential | undefined {
  return (
    record && { kind: 'bearer', token: record.token, source: `profile ${record.profile}`, record }
  );
}

function describeSource({ origin, where }: Setting): string {
  return origin === 'flag' || origin === 'environment' ? where : `The address of ${where}`;
}
