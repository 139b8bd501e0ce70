import { CliError, usageError } from '../errors.ts';
import { parseBaseUrl } from '../http/address.ts';
import { isOn } from '../io/terminal.ts';
import { type CredentialRecord, type Credentials, findByAddress, findByProfile } from '../login/credentials/records.ts';
import { checkToken } from '../login/token.ts';
import { type Config, readConfig } from './config-file.ts';
import type { Globals } from './globals.ts';
import { findLink, type Link } from './link-file.ts';
import { parseAssume } from './parse/assume.ts';

/** Where a setting came from, strongest first. */
export type Origin = 'flag' | 'environment' | 'link' | 'profile' | 'config' | 'default';

/** A setting with where it came from. */
export interface Setting {
  readonly value: string;
  readonly origin: Origin;
  /** The flag, variable or file that gave it, as a person would name it. */
  readonly where: string;
}

/** The sign-in that requests carry. */
export interface Credential {
  readonly kind: 'bearer' | 'session';
  readonly token: string;
  /** `SVC_TOKEN`, `SVC_SESSION_TOKEN`, or the file and profile it was stored in. */
  readonly source: string;
  /** The stored record, where that is the source. */
  readonly record?: CredentialRecord | undefined;
}

/** What settings are made of. */
export interface SettingSources {
  readonly globals: Globals;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The configuration folder; `undefined` where there is no home. */
  readonly configFolder: () => string | undefined;
  readonly readCredentials: () => Credentials;
}

/** Every setting, found when it is asked for: flag, environment, link file, profile, configuration, default. */
export interface Settings {
  /** The base address; a usage error that names the ways to give it where there is none. */
  apiUrl(): Setting;
  /** As `apiUrl`, but absent where there is none. */
  findApiUrl(): Setting | undefined;
  /** The profile that is chosen: by name, by address, or the current one. */
  profile(): CredentialRecord | undefined;
  /** The name that `--profile` or `SVC_PROFILE` gives. */
  profileName(): Setting | undefined;
  /** The sign-in for the base address. */
  credential(): Credential | undefined;
  org(): Setting | undefined;
  service(): Setting | undefined;
  assumptions(): ReadonlyMap<string, string>;
  config(): Config;
  /** Whether a token may travel over plain http to another machine. */
  readonly allowHttp: boolean;
}

/** Finds the settings of one run. Files are read at most once, and only when a stronger source is silent. */
export function createSettings(sources: SettingSources): Settings {
  const { globals, env, cwd, configFolder } = sources;
  const config = once(() => readConfig(configFolder()));
  const link = once(() => findLink(cwd));
  const credentials = once(() => sources.readCredentials());
  const allowHttp = isOn(env['SVC_ALLOW_HTTP']);
  const variable = (name: string): Setting | undefined => fromEnvironment(env, name);
  const flag = (value: string | undefined, where: string): Setting | undefined =>
    value === undefined ? undefined : { value, origin: 'flag', where };

  const profileName = (): Setting | undefined => flag(globals.profile, '--profile') ?? variable('SVC_PROFILE');
  const givenApiUrl = (): Setting | undefined => {
    const given = flag(globals.apiUrl, '--api-url') ?? (globals.profile ? undefined : variable('SVC_API_URL'));
    return given && { ...given, value: parseBaseUrl(given.value, { field: given.where, allowHttp }) };
  };

  const profile = once((): CredentialRecord | undefined => {
    const address = givenApiUrl();
    const name = profileName();
    if (name !== undefined) {
      const record = findByProfile(credentials(), name.value);
      return record === undefined || (address && record.baseUrl !== address.value) ? undefined : record;
    }
    if (address !== undefined) return findByAddress(credentials(), address.value);
    const { current, credentials: records } = credentials();
    return records.find((record) => record.profile === current);
  });

  const findApiUrl = once((): Setting | undefined => {
    const given = givenApiUrl();
    if (given !== undefined) return given;
    const record = profile();
    if (record !== undefined) return { value: record.baseUrl, origin: 'profile', where: `profile ${record.profile}` };
    const named = profileName();
    if (named !== undefined) {
      const elsewhere = variable('SVC_API_URL');
      if (elsewhere)
        return { ...elsewhere, value: parseBaseUrl(elsewhere.value, { field: elsewhere.where, allowHttp }) };
      throw usageError(`There is no profile "${named.value}" (${named.where}).`, 'svc profiles');
    }
    return fromConfig(config().apiUrl, allowHttp);
  });

  const credential = once((): Credential | undefined => {
    const token = environmentToken(env, 'SVC_TOKEN', 'bearer') ?? environmentToken(env, 'SVC_SESSION_TOKEN', 'session');
    if (token !== undefined) return token;
    const record = profile();
    return record && { kind: 'bearer', token: record.token, source: `profile ${record.profile}`, record };
  });

  return {
    allowHttp,
    profileName,
    profile,
    findApiUrl,
    credential,
    config,
    apiUrl() {
      const found = findApiUrl();
      if (found !== undefined) return found;
      throw new CliError('usage', 'No service address is set. Give it in one of these ways:', {
        lines: [
          'svc login --api-url https://api.example.com   remembers it',
          'SVC_API_URL=https://api.example.com           for this shell or pipeline',
          '--api-url https://api.example.com             for one command',
        ],
        hint: 'svc sandbox, to try everything on this machine first',
      });
    },
    org() {
      return (
        flag(globals.org, '--org') ??
        variable('SVC_ORG') ??
        fromLink(link(), link()?.org) ??
        fromProfile(environmentIsSilent(env) ? profile() : undefined) ??
        fromConfig(config().org)
      );
    },
    service() {
      return variable('SVC_SERVICE') ?? fromLink(link(), link()?.service) ?? fromConfig(config().service);
    },
    assumptions() {
      const given = env['SVC_ASSUME'];
      return new Map([...config().assume, ...(given === undefined ? [] : parseAssume(given))]);
    },
  };
}

function fromEnvironment(env: SettingSources['env'], name: string): Setting | undefined {
  const value = env[name]?.trim();
  return value ? { value, origin: 'environment', where: name } : undefined;
}

function fromLink(link: Link | undefined, value: string | undefined): Setting | undefined {
  return link && value ? { value, origin: 'link', where: link.path } : undefined;
}

function fromProfile(record: CredentialRecord | undefined): Setting | undefined {
  return record?.org ? { value: record.org, origin: 'profile', where: `profile ${record.profile}` } : undefined;
}

function fromConfig(value: string | undefined, allowHttp?: boolean): Setting | undefined {
  if (value === undefined) return undefined;
  const checked =
    allowHttp === undefined ? value : parseBaseUrl(value, { field: 'apiUrl in the configuration', allowHttp });
  return { value: checked, origin: 'config', where: 'svc config' };
}

function environmentIsSilent(env: SettingSources['env']): boolean {
  return env['SVC_TOKEN'] === undefined && env['SVC_SESSION_TOKEN'] === undefined;
}

function environmentToken(
  env: SettingSources['env'],
  name: 'SVC_TOKEN' | 'SVC_SESSION_TOKEN',
  kind: Credential['kind'],
): Credential | undefined {
  const text = env[name];
  if (text === undefined) return undefined;
  return { kind, token: checkToken(text, name), source: name };
}

/** The value of a function that is asked for at most once. */
function once<T>(find: () => T): () => T {
  let found: { readonly value: T } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}
