import type { CredentialRecord } from '../../sign-in/credentials.ts';

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
