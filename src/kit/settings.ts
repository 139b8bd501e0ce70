import { isOn, signInVariablesIn } from '../environment.ts';
import { parseBaseUrl } from '../http/address.ts';
import { once } from '../once.ts';
import type { CredentialRecord, Credentials } from '../sign-in/records.ts';
import type { EnvironmentToken } from '../sign-in/token.ts';
import type { Machine } from '../store/machine.ts';
import { type ConfigName, type ConfigOnly, parseAssume, readConfig } from './config-file.ts';
import type { Globals } from './globals.ts';
import { type FoundLink, findLink } from './link-file.ts';
import { createTarget, type LoginTarget, NoAddress, type Setting } from './target.ts';

/** The sign-in that requests carry. */
export interface ChosenCredential {
  readonly kind: 'bearer' | 'session';
  readonly token: string;
  /** The variable that gave it, or the profile it was stored in. */
  readonly source: string;
  /** Set if the source is a profile. */
  readonly record?: CredentialRecord | undefined;
}

interface SettingSources {
  readonly globals: Globals;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string | undefined;
  /** See `readEnvironmentToken`. */
  readonly environmentToken: () => EnvironmentToken | undefined;
  /** Returns undefined without a home folder. */
  readonly configFolder: () => string | undefined;
  readonly readCredentials: () => Credentials;
  /** The address that this build of svc was made for. */
  readonly defaultApiUrl: string | undefined;
  readonly machine: Machine;
  /** Called with the reason why a link file is ignored. */
  readonly warn: (text: string, code: string) => void;
}

/** Looks settings up on demand: flag, environment, link file, profile, configuration, default. */
export interface Settings {
  /** Throws a usage error that names the ways to set the base address if it is not set. */
  apiUrl(): Setting;
  findApiUrl(): Setting | undefined;
  /** The stored sign-in chosen by name or by address, or the current one. Throws for an unknown name. */
  profile(): CredentialRecord | undefined;
  /** See `createTarget`. */
  login(ask?: () => Promise<Setting>): Promise<LoginTarget>;
  /** As `--profile` or `SVC_PROFILE` names it. */
  profileName(): Setting | undefined;
  /** The sign-in for the base address. */
  credential(): ChosenCredential | undefined;
  org(): Setting | undefined;
  service(): Setting | undefined;
  dashboard(): Setting | undefined;
  /** A setting that only `svc config` has. */
  choice(name: ConfigOnly): Setting | undefined;
  /** Why nearer link files than the one in use are ignored. */
  ignoredLinks(): readonly string[];
  assumptions(): ReadonlyMap<string, string>;
  /** Whether a token may travel over plain http to another machine. */
  readonly allowHttp: boolean;
}

/** Reads files at most once, and only if no stronger source has the setting. */
export function createSettings(sources: SettingSources): Settings {
  const { globals, env } = sources;
  const { flag, variable, fromLink, fromConfig, links, assumed } = createReaders(sources);
  const credentials = once(() => sources.readCredentials());
  const allowHttp = isOn(env['SVC_ALLOW_HTTP']);
  const address = () => flag(globals.apiUrl, '--api-url') ?? variable('SVC_API_URL');
  const profileName = () => flag(globals.profile, '--profile') ?? variable('SVC_PROFILE');
  const target = createTarget({
    address,
    name: profileName,
    credentials,
    configured: () => fromConfig('api-url') ?? fromBuild(sources.defaultApiUrl),
    normalize: (address) => ({ ...address, value: parseBaseUrl(address.value, { field: nameOf(address), allowHttp }) }),
  });
  const profile = once(target.record);
  const findApiUrl = once(target.address);
  return {
    allowHttp,
    profileName,
    profile,
    login: target.login,
    findApiUrl,
    credential: once(() => sources.environmentToken() ?? credentialOf(profile())),
    apiUrl() {
      const found = findApiUrl();
      if (found === undefined) throw new NoAddress(credentials());
      return found;
    },
    org: () =>
      flag(globals.org, '--org') ??
      variable('SVC_ORG') ??
      fromLink('org') ??
      fromProfile(signInVariablesIn(env).length === 0 ? profile() : undefined) ??
      fromConfig('org'),
    service: () => variable('SVC_SERVICE') ?? fromLink('service') ?? fromConfig('service'),
    dashboard: () => variable('SVC_DASHBOARD') ?? fromConfig('dashboard'),
    choice: fromConfig,
    ignoredLinks: () => links().ignored,
    assumptions: assumed,
  };
}

/** Makes a reader for each place that a setting may come from; `links` and the configuration are read once. */
function createReaders(sources: SettingSources) {
  const { env, cwd, configFolder, machine, warn } = sources;
  const config = once(() => readConfig(configFolder(), machine));
  const links = once((): FoundLink => {
    const found = cwd === undefined ? { link: undefined, ignored: [] } : findLink(cwd, sources);
    for (const why of found.ignored) warn(`${why} Use --service and --org instead.`, 'link_ignored');
    return found;
  });
  return {
    links,
    flag: (value: string | undefined, where: string): Setting | undefined =>
      value === undefined ? undefined : { value, origin: 'flag', where },
    variable(name: string): Setting | undefined {
      const value = env[name]?.trim();
      return value ? { value, origin: 'environment', where: name } : undefined;
    },
    fromLink(name: 'org' | 'service'): Setting | undefined {
      const { link } = links();
      const value = link?.[name];
      return link && value ? { value, origin: 'link', where: link.path } : undefined;
    },
    fromConfig(name: ConfigName): Setting | undefined {
      const value = config().settings.get(name);
      return value === undefined ? undefined : { value, origin: 'config', where: 'svc config' };
    },
    assumed: once(() => new Map([...config().assume, ...parseAssume(env['SVC_ASSUME'] ?? '')])),
  };
}

function credentialOf(record: CredentialRecord | undefined): ChosenCredential | undefined {
  return record && { kind: 'bearer', token: record.token, source: `profile ${record.profile}`, record };
}

function fromProfile(record: CredentialRecord | undefined): Setting | undefined {
  return record?.org ? { value: record.org, origin: 'profile', where: `profile ${record.profile}` } : undefined;
}

function fromBuild(value: string | undefined): Setting | undefined {
  return value ? { value, origin: 'default', where: 'this build of svc' } : undefined;
}

/** Names an address in an error. */
function nameOf({ origin, where }: Setting): string {
  return origin === 'flag' || origin === 'environment' ? where : `The address of ${where}`;
}
