import { isOn, signInVariablesIn } from '../environment.ts';
import { parseBaseUrl } from '../http/address.ts';
import type { EnvironmentToken } from '../login/token.ts';
import { once } from '../once.ts';
import type { CredentialRecord, Credentials } from '../vault/credentials/records.ts';
import type { Machine } from '../vault/machine.ts';
import { type Config, parseAssume, readConfig } from './config-file.ts';
import type { Globals } from './globals.ts';
import { type FoundLink, findLink } from './link-file.ts';
import type { Setting } from './target.ts';
import { createTarget, type LoginTarget, noAddress } from './target.ts';

/** The sign-in that requests carry. */
export interface Credential {
  readonly kind: 'bearer' | 'session';
  readonly token: string;
  /** The variable that gave it, or the profile it was stored in. */
  readonly source: string;
  /** The stored record, where that is the source. */
  readonly record?: CredentialRecord | undefined;
}

/** What settings are made of. */
export interface SettingSources {
  readonly globals: Globals;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string | undefined;
  /** The sign-in of the environment; see `readEnvironmentToken`. */
  readonly environmentToken: () => EnvironmentToken | undefined;
  /** The configuration folder; `undefined` where there is no home. */
  readonly configFolder: () => string | undefined;
  readonly readCredentials: () => Credentials;
  readonly machine: Machine;
  /** Told why a link file is ignored. */
  readonly warn: (text: string) => void;
}

/** Every setting, found when it is asked for: flag, environment, link file, profile, configuration, default. */
export interface Settings {
  /** The base address; a usage error that names the ways to give it where there is none. */
  apiUrl(): Setting;
  /** As `apiUrl`, but absent where there is none. */
  findApiUrl(): Setting | undefined;
  /** The stored sign-in that is chosen: by name, by address, or the current one. Throws for an unknown name. */
  profile(): CredentialRecord | undefined;
  /** What a login signs in to, and the name of the profile that it writes. */
  login(): LoginTarget;
  /** The name that `--profile` or `SVC_PROFILE` gives. */
  profileName(): Setting | undefined;
  /** The sign-in for the base address. */
  credential(): Credential | undefined;
  org(): Setting | undefined;
  service(): Setting | undefined;
  /** Why nearer link files than the one that counts are ignored. */
  ignoredLinks(): readonly string[];
  assumptions(): ReadonlyMap<string, string>;
  config(): Config;
  /** Whether a token may travel over plain http to another machine. */
  readonly allowHttp: boolean;
}

/** Finds the settings of one run. Files are read at most once, and only when a stronger source is silent. */
export function createSettings(sources: SettingSources): Settings {
  const { globals, env, cwd, configFolder } = sources;
  const config = once(() => readConfig(configFolder(), sources.machine));
  const found = once((): FoundLink => {
    const found = cwd === undefined ? { link: undefined, ignored: [] } : findLink(cwd, sources);
    for (const why of found.ignored) sources.warn(`${why} Use --service and --org instead.`);
    return found;
  });
  const credentials = once(() => sources.readCredentials());
  const allowHttp = isOn(env['SVC_ALLOW_HTTP']);
  const variable = (name: string): Setting | undefined => fromEnvironment(env, name);
  const flag = (value: string | undefined, where: string): Setting | undefined =>
    value === undefined ? undefined : { value, origin: 'flag', where };

  const fromLink = (name: 'org' | 'service'): Setting | undefined => {
    const { link } = found();
    const value = link?.[name];
    return link && value ? { value, origin: 'link', where: link.path } : undefined;
  };

  const profileName = (): Setting | undefined => flag(globals.profile, '--profile') ?? variable('SVC_PROFILE');
  const target = createTarget({
    address: () => flag(globals.apiUrl, '--api-url') ?? variable('SVC_API_URL'),
    name: profileName,
    credentials,
    configured: () => fromConfig(config().apiUrl),
    check: (address) => ({ ...address, value: parseBaseUrl(address.value, { field: nameOf(address), allowHttp }) }),
  });
  const profile = once(target.record);
  const findApiUrl = once(target.address);

  const credential = once((): Credential | undefined => {
    const given = sources.environmentToken();
    if (given !== undefined) return given;
    const record = profile();
    return record && { kind: 'bearer', token: record.token, source: `profile ${record.profile}`, record };
  });

  return {
    allowHttp,
    profileName,
    profile,
    login: target.login,
    findApiUrl,
    credential,
    config,
    apiUrl() {
      const found = findApiUrl();
      if (found === undefined) throw noAddress(credentials());
      return found;
    },
    org() {
      return (
        flag(globals.org, '--org') ??
        variable('SVC_ORG') ??
        fromLink('org') ??
        fromProfile(signInVariablesIn(env).length === 0 ? profile() : undefined) ??
        fromConfig(config().org)
      );
    },
    service() {
      return variable('SVC_SERVICE') ?? fromLink('service') ?? fromConfig(config().service);
    },
    ignoredLinks: () => found().ignored,
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

function fromProfile(record: CredentialRecord | undefined): Setting | undefined {
  return record?.org ? { value: record.org, origin: 'profile', where: `profile ${record.profile}` } : undefined;
}

function fromConfig(value: string | undefined): Setting | undefined {
  return value === undefined ? undefined : { value, origin: 'config', where: 'svc config' };
}

/** What an address is called where it is refused. */
function nameOf({ origin, where }: Setting): string {
  return origin === 'flag' || origin === 'environment' ? where : `The address of ${where}`;
}
