import type { CredentialRecord } from '../sign-in/types.ts';

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
  /** Throws a usage error that names the ways to set the base address if it is not set. */
  apiUrl(): Setting;
  /** Reads no file if a flag or a variable gives the address and no profile is named. */
  findApiUrl(): Setting | undefined;
  /**
   * The stored sign-in chosen by name or by address, or the current one.
   * @throws CliError `usage` for an unknown profile, and for one of another address than the one given.
   */
  profile(): CredentialRecord | undefined;
  /**
   * Asks for an address if nothing names one.
   * @throws CliError `usage` without an address.
   */
  login(ask?: () => Promise<Setting>): Promise<LoginTarget>;
  /** As `--profile` or `SVC_PROFILE` names it. */
  profileName(): Setting | undefined;
  credential(): ChosenCredential | undefined;
  org(): Setting | undefined;
  service(): Setting | undefined;
  dashboard(): Setting | undefined;
  /** A setting that only `svc config` has: no flag and no variable. */
  choice(name: 'lang' | 'bell' | 'agents.spend' | 'changes'): Setting | undefined;
  /** Why nearer link files than the one in use are ignored. */
  ignoredLinks(): readonly string[];
  assumptions(): ReadonlyMap<string, string>;
  /** Whether a token may travel over plain http to another machine. */
  readonly allowHttp: boolean;
}
