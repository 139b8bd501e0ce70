import type { CredentialRecord } from '../../sign-in/record.ts';

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

/** The settings, which are looked up on demand. */
export interface Settings {
  /** Throws a usage error that names the ways to set it. */
  apiUrl(): Setting;
  /** Reads no file if a flag or a variable gives it and no profile is named. */
  findApiUrl(): Setting | undefined;
  /**
   * The sign-in of the name, of the address, or the current one. Throws a usage error for a name of
   * another address.
   */
  profile(): CredentialRecord | undefined;
  /** Asks for an address if nothing names one. Throws a usage error without one. */
  login(ask?: () => Promise<Setting>): Promise<LoginTarget>;
  /** Returns the profile that `--profile` or `SVC_PROFILE` names. */
  profileName(): Setting | undefined;
  credential(): ChosenCredential | undefined;
  org(): Setting | undefined;
  service(): Setting | undefined;
  /** Given or set. Throws a usage error that names the ways to set it. */
  serviceId(given: string | undefined): string;
  /** Says what the run is for, if a link file chose it. */
  linkNotice(): string | undefined;
  /** Adds to an error which setting named the service or organization. */
  explain(error: unknown): unknown;
  dashboard(): Setting | undefined;
  /** Returns a setting that only `svc config` has. */
  choice(name: 'lang' | 'bell' | 'agents.spend' | 'changes'): Setting | undefined;
  assumptions(): ReadonlyMap<string, string>;
  /** Whether a token may travel over plain http to another machine. */
  readonly allowHttp: boolean;
}
