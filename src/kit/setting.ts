import type { CredentialRecord } from '../sign-in/types.ts';
import type { Globals } from './globals.ts';

/** Where a setting may come from, strongest first. */
export const ORIGINS = ['flag', 'environment', 'link', 'profile', 'config', 'default'] as const;
/** One of {@link ORIGINS}. */
export type Origin = (typeof ORIGINS)[number];

/** The value of a setting, and where it comes from. */
export interface Setting {
  readonly value: string;
  readonly origin: Origin;
  /** The flag, variable or file that gave it, as a person would name it. */
  readonly where: string;
}

/** The sign-in that requests carry. */
export interface ChosenCredential {
  readonly kind: 'bearer' | 'session';
  readonly token: string;
  readonly source: string;
  /** Set if the source is a profile. */
  readonly record?: CredentialRecord | undefined;
}

/** The address that a login signs in to, and the profile that it writes. */
export interface LoginTarget {
  readonly address: Setting;
  readonly profile: string;
}

/** Looks settings up on demand: flag, environment, link file, profile, configuration, default. */
export interface Settings {
  readonly globals: Globals;
  /** Throws a usage error that names the ways to set the base address if it is not set. */
  apiUrl(): Setting;
  /** Reads no file if a flag or a variable gives the address and no profile is named. */
  findApiUrl(): Setting | undefined;
  /** The sign-in of the name, of the address, or the current one. Throws a usage error for a name of another address. */
  profile(): CredentialRecord | undefined;
  /** Asks for an address if nothing names one. Throws a usage error without one. */
  login(ask?: () => Promise<Setting>): Promise<LoginTarget>;
  /** As `--profile` or `SVC_PROFILE` names it. */
  profileName(): Setting | undefined;
  credential(): ChosenCredential | undefined;
  org(): Setting | undefined;
  service(): Setting | undefined;
  /** The service that is given or set. Throws a usage error that names the ways to set it. */
  serviceId(given: string | undefined): string;
  /** Says which service and organization the run is for, if a link file chose one of them. */
  linkNotice(): string | undefined;
  /** Adds to an error which setting named the service or organization, if it was not typed. */
  explain(error: unknown): unknown;
  dashboard(): Setting | undefined;
  /** A setting that only `svc config` has: no flag and no variable. */
  choice(name: 'lang' | 'bell' | 'agents.spend' | 'changes'): Setting | undefined;
  assumptions(): ReadonlyMap<string, string>;
  /** Whether a token may travel over plain http to another machine. */
  readonly allowHttp: boolean;
}
