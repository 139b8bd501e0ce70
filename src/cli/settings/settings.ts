import { isOn, listSignInVariables } from '../../environment.ts';
import { CliError, listNames, quote, tryOr, usageError } from '../../errors.ts';
import { parseBaseUrl } from '../../http/address.ts';
import { once } from '../../once.ts';
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
} from '../../sign-in/credentials.ts';
import type { EnvironmentToken } from '../../sign-in/token.ts';
import { type FoundLink, findLink } from '../../store/link-file.ts';
import type { World } from '../../world.ts';
import { parseIdentifier } from '../values/names.ts';
import { CONFIG_FIELDS, type ConfigName, parseAssume, readConfig } from './config-file.ts';
import type { Globals } from './globals.ts';

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

/** The settings, which are looked up on demand. */
export type Settings = ReturnType<typeof createSettings>;

/** Reads files once, and only if no stronger source has the setting. */
export function createSettings(sources: SettingSources) {
  const { env, globals } = sources;
  const allowHttp = isOn(env['SVC_ALLOW_HTTP']);
  const credentials = once(sources.readCredentials);
  const profile = once(() => findProfile(credentials(), choices.profileName(), givenAddress()));
  const { links, ...choices } = createChoices(sources, profile);

  const givenAddress = () =>
    normalize(
      toSetting('flag', '--api-url', globals.apiUrl) ?? readVariable(env, 'SVC_API_URL'),
      allowHttp,
    );
  const findAddress = (record: CredentialRecord | undefined) =>
    normalize(
      record
        ? { value: record.baseUrl, origin: 'profile', where: `profile ${record.profile}` }
        : (choices.choice('api-url') ??
            toSetting('default', 'this build of svc', sources.defaultApiUrl)),
      allowHttp,
    );
  const findApiUrl = once(() => {
    const address = givenAddress();
    if (address && !choices.profileName()) return address;
    const record = profile();
    return address ?? findAddress(record);
  });

  return {
    ...choices,
    ...createServiceChoice(choices, sources, links),
    /** Whether a token may travel over plain http to another machine. */
    allowHttp,
    /**
     * The sign-in of the name, of the address, or the current one. Throws a usage error for a name
     * of another address.
     */
    profile,
    /** Reads no file if a flag or a variable gives it and no profile is named. */
    findApiUrl,
    credential: once((): ChosenCredential | undefined => {
      const token = sources.environmentToken();
      if (token) return token;
      const record = profile();
      if (!record) return undefined;
      return { kind: 'bearer', token: record.token, source: `profile ${record.profile}`, record };
    }),
    /** Throws a usage error that names the ways to set it. */
    apiUrl() {
      const address = findApiUrl();
      if (!address) throw new NoAddress(credentials());
      return address;
    },
    /** Asks for an address if nothing names one. Throws a usage error without one. */
    async login(ask?: () => Promise<Setting>): Promise<LoginTarget> {
      const address = givenAddress();
      const name = choices.profileName();
      // The login sets a damaged file aside, or reports it.
      const stored = address ? tryOr(credentials, CREDENTIALS.empty) : credentials();
      const known = name && findByProfile(stored, name.value);
      const record = known ? checkBelongs(known, name, address) : findCurrent(stored);
      const target = address ?? findAddress(record) ?? normalize(await ask?.(), allowHttp);
      if (!target) throw new NoAddress(stored);
      return {
        address: target,
        profile: name ? checkProfileName(name.value) : getProfileName(target.value),
      };
    },
  };
}

/** Creates the readers of what people set, which `profile` gives an organization as well. */
function createChoices(sources: SettingSources, profile: () => CredentialRecord | undefined) {
  const { env, globals, machine, cwd } = sources;
  const config = once(() => readConfig(sources.configFolder(), machine));
  const links = once((): FoundLink => {
    if (cwd === undefined) return { link: undefined, ignored: [] };
    const found = findLink(cwd, { machine, env });
    for (const why of found.ignored) {
      sources.warn(`${why} Use --service and --org instead.`, 'link_ignored');
    }
    return found;
  });
  const readConfigured = (name: ConfigName) =>
    toSetting('config', 'svc config', config().settings.get(CONFIG_FIELDS[name]));
  const readLink = (name: 'org' | 'service') => {
    const { link } = links();
    return link && toSetting('link', link.path, link[name]);
  };
  /** A token of the environment may belong to any account. */
  const readProfileOrg = () => {
    const record = listSignInVariables(env).length === 0 ? profile() : undefined;
    return record && toSetting('profile', `profile ${record.profile}`, record.org);
  };
  return {
    links,
    /** Returns the profile that `--profile` or `SVC_PROFILE` names. */
    profileName: () =>
      toSetting('flag', '--profile', globals.profile) ?? readVariable(env, 'SVC_PROFILE'),
    /** Returns what `svc config` has, whatever stronger sources say. */
    choice: readConfigured,
    assumptions: once(() => new Map([...config().assume, ...parseAssume(env['SVC_ASSUME'] ?? '')])),
    org: () =>
      toSetting('flag', '--org', globals.org) ??
      readVariable(env, 'SVC_ORG') ??
      readLink('org') ??
      readProfileOrg() ??
      readConfigured('org'),
    service: () =>
      readVariable(env, 'SVC_SERVICE') ?? readLink('service') ?? readConfigured('service'),
    dashboard: () => readVariable(env, 'SVC_DASHBOARD') ?? readConfigured('dashboard'),
  };
}

/** Returns undefined for a value that is absent or empty, so that the next source is asked. */
function toSetting(origin: Origin, where: string, value: string | undefined): Setting | undefined {
  return value ? { value, origin, where } : undefined;
}

function readVariable(env: World['env'], name: string): Setting | undefined {
  return toSetting('environment', name, env[name]?.trim());
}

function findProfile(
  credentials: Credentials,
  name: Setting | undefined,
  address: Setting | undefined,
) {
  if (!name) {
    return address ? findByAddress(credentials, address.value) : findCurrent(credentials);
  }
  const record = findByProfile(credentials, name.value);
  if (!record) throw unknownProfileError(name.value, credentials);
  return checkBelongs(record, name, address);
}

/** @throws CliError `usage` for an address that no token may be sent to */
function normalize(address: Setting | undefined, allowHttp: boolean): Setting | undefined {
  if (!address) return undefined;
  const { value, origin, where } = address;
  const isTyped = origin === 'flag' || origin === 'environment';
  const field = isTyped ? where : `The address of ${where}`;
  return { ...address, value: parseBaseUrl(value, { field, allowHttp }) };
}

/** Creates what knows which service a run is for. */
function createServiceChoice(
  { service, org }: Omit<ReturnType<typeof createChoices>, 'links'>,
  { withServices, organizations }: SettingSources,
  links: () => FoundLink,
) {
  let chosen: Setting | undefined;
  return {
    /** Given or set. Throws a usage error that names the ways to set it. */
    serviceId(given: string | undefined): string {
      if (given !== undefined) return given;
      chosen = service();
      if (!chosen) throw noServiceError(links().ignored, withServices());
      return parseIdentifier(chosen.value, chosen.where);
    },
    /** Says what the run is for, if a link file chose it. */
    linkNotice() {
      const organization = org();
      if (chosen?.origin !== 'link' && organization?.origin !== 'link') return undefined;
      const targets = Object.entries({ service: chosen, organization }).flatMap(
        ([what, setting]) => (setting ? `the ${what} ${setting.value} (${setting.where})` : []),
      );
      return `For ${targets.join(' and ')}.`;
    },
    /** Adds to an error which setting named the service or organization. */
    explain(error: unknown) {
      if (!(error instanceof CliError)) return error;
      if (chosen && error.code === 'not_found') {
        return error.withLines(`Looked in service ${chosen.value} (from ${chosen.where}).`);
      }
      const given = error.code === 'forbidden' ? org() : undefined;
      const known = given ? organizations() : [];
      if (!given || known.length === 0 || known.includes(given.value)) return error;
      return error.withLines(
        `svc knows you in ${listNames(known)}, not in ${quote(given.value)} (${given.where}).`,
      );
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
    const names = credentials.map(({ profile }) => profile).join(', ');
    super('usage', 'svc does not know your platform yet. Set its address in one of these ways:', {
      lines: [
        ...(names === '' ? [] : [`svc profiles use <name>                       one of ${names}`]),
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
  if (!address || isForAddress(known, address.value)) return known;
  const whose = `${named.where} selects the profile ${quote(named.value)}, which belongs to ${known.baseUrl}`;
  throw usageError(
    `${whose}; ${address.where} says ${address.value}.`,
    `Use ${named.where} or ${address.where}, not both.`,
  );
}

/** Strongest first. */
export const ORIGINS = ['flag', 'environment', 'link', 'profile', 'config', 'default'] as const;
/** One of {@link ORIGINS}. */
export type Origin = (typeof ORIGINS)[number];

/** A value, and where it comes from. */
export interface Setting {
  readonly value: string;
  readonly origin: Origin;
  /** The flag, variable or file. */
  readonly where: string;
}

/** The sign-in that requests carry. */
export interface ChosenCredential {
  readonly kind: 'bearer' | 'session';
  readonly token: string;
  readonly source: string;
  /** The stored sign-in, if the source is a profile. */
  readonly record?: CredentialRecord | undefined;
}

/** The address of a login, and the profile that it writes. */
export interface LoginTarget {
  readonly address: Setting;
  readonly profile: string;
}
