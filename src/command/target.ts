import { CliError, quoted, usageError } from '../errors.ts';
import { isDamage } from '../login/credentials/format.ts';
import {
  type CredentialRecord,
  type Credentials,
  checkProfileName,
  findByAddress,
  findByProfile,
  findCurrent,
  isAt,
  profileNameOf,
  unknownProfile,
} from '../login/credentials/records.ts';
import type { Setting } from './settings.ts';

/** What chooses the address of a run and its stored sign-in. */
export interface TargetSources {
  /** The address that a flag or a variable gives. */
  readonly address: () => Setting | undefined;
  /** The profile that a flag or a variable names. */
  readonly name: () => Setting | undefined;
  readonly credentials: () => Credentials;
  /** The address of the configuration. */
  readonly configured: () => Setting | undefined;
  /** The address in its normal form. Throws a usage error for one that is none, or that no token may travel to. */
  readonly check: (address: Setting) => Setting;
}

/** What a login signs in to, and the name of the profile that it writes. */
export interface LoginTarget {
  readonly address: Setting;
  readonly profile: string;
}

/** Which address a command works with, and which of the stored sign-ins. */
export interface Target {
  /** Reads no file where a flag or a variable gives the address. */
  address(): Setting | undefined;
  /** @throws CliError `usage` for an unknown profile, and for a profile of another address than the one asked for. */
  record(): CredentialRecord | undefined;
  /** @throws CliError `usage` without any address. */
  login(): LoginTarget;
}

const NONE: Credentials = { current: undefined, credentials: [] };

/**
 * A flag beats a variable: of an address and a profile that do not belong together, the weaker one is not looked at.
 * Two that are equally strong contradict each other, and svc does not guess.
 */
export function createTarget({ address: given, name, credentials, configured, check }: TargetSources): Target {
  const asked = (): Setting | undefined => checked(given());
  const checked = (address: Setting | undefined): Setting | undefined => address && check(address);

  const record = (): CredentialRecord | undefined => {
    const [address, named] = [asked(), name()];
    if (named === undefined) return address ? findByAddress(credentials(), address.value) : findCurrent(credentials());
    const known = findByProfile(credentials(), named.value);
    if (known === undefined) throw unknownProfile(named.value, credentials());
    if (address === undefined || isAt(known, address.value) || outranks(named, address)) return known;
    if (outranks(address, named)) return findByAddress(credentials(), address.value);
    throw contradiction(named, known, address);
  };

  const address = (): Setting | undefined => {
    const [address, named] = [asked(), name()];
    if (address !== undefined && !(named && outranks(named, address))) return address;
    const stored = record();
    return stored ? check(addressOf(stored)) : (address ?? checked(configured()));
  };

  const login = (): LoginTarget => {
    const [address, named] = [asked(), name()];
    const stored = address !== undefined && named === undefined ? NONE : unlessDamaged(credentials);
    const { from, profile } = chooseLogin(address, named, stored);
    const found = from ?? checked(configured());
    if (found === undefined) throw noAddress(stored);
    return {
      address: check(found),
      profile: profile === undefined ? profileNameOf(check(found).value) : checkProfileName(profile),
    };
  };

  return { address, record, login };
}

/** What a login signs in to, as far as the command line, the environment and the stored sign-ins say. */
function chooseLogin(
  asked: Setting | undefined,
  named: Setting | undefined,
  stored: Credentials,
): { from: Setting | undefined; profile: string | undefined } {
  const known = named && findByProfile(stored, named.value);
  if (named === undefined || known === undefined || (asked && isAt(known, asked.value))) {
    const current = findCurrent(stored);
    return { from: asked ?? (current && addressOf(current)), profile: named?.value };
  }
  if (asked === undefined || outranks(named, asked)) return { from: addressOf(known), profile: known.profile };
  // The profile of another address is not replaced because a variable happens to name it.
  if (outranks(asked, named)) return { from: asked, profile: undefined };
  if (asked.origin === 'environment') throw contradiction(named, known, asked);
  return { from: asked, profile: known.profile };
}

/** There is no address to work with. */
export function noAddress({ credentials }: Credentials): CliError {
  const names = credentials.map(({ profile }) => profile);
  return new CliError('usage', 'No service address is set. Give it in one of these ways:', {
    lines: [
      ...(names.length === 0 ? [] : [`svc profiles use <name>                       one of ${names.join(', ')}`]),
      'svc login --api-url https://api.example.com   sign in, and remember the address',
      'SVC_API_URL=https://api.example.com           for this shell or pipeline',
      '--api-url https://api.example.com             for one command',
    ],
    hint: 'svc sandbox, to try everything on this machine first',
  });
}

function addressOf({ baseUrl, profile }: CredentialRecord): Setting {
  return { value: baseUrl, origin: 'profile', where: `profile ${profile}` };
}

function outranks(one: Setting, other: Setting): boolean {
  return one.origin === 'flag' && other.origin === 'environment';
}

/** A damaged file is no obstacle to a login, which sets it aside. */
function unlessDamaged(credentials: () => Credentials): Credentials {
  try {
    return credentials();
  } catch (error) {
    if (isDamage(error)) return NONE;
    throw error;
  }
}

function contradiction(named: Setting, known: CredentialRecord, address: Setting): CliError {
  const whose = `${named.where} names the profile ${quoted(named.value)}, which belongs to ${known.baseUrl}`;
  return usageError(
    `${whose}; ${address.where} says ${address.value}.`,
    `${named.where} or ${address.where}, not both`,
  );
}
