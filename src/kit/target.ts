import { CliError, quoted, usageError } from '../errors.ts';
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
} from '../sign-in/records.ts';

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

interface TargetSources {
  /** From a flag or a variable. */
  readonly address: () => Setting | undefined;
  /** The name of the profile, from a flag or a variable. */
  readonly name: () => Setting | undefined;
  readonly credentials: () => Credentials;
  /** The address of the configuration, or of the build. */
  readonly configured: () => Setting | undefined;
  /** Throws a usage error for an invalid address, and for one that no token may be sent to. */
  readonly normalize: (address: Setting) => Setting;
}

/** The address that a login signs in to, and the profile that it writes. */
export interface LoginTarget {
  readonly address: Setting;
  readonly profile: string;
}

/** The address of a run, and its stored sign-in. */
interface Target {
  /** Reads no file if a flag or a variable gives the address and no profile is named. */
  address(): Setting | undefined;
  /** @throws CliError `usage` for an unknown profile, and for one of another address than the one given. */
  record(): CredentialRecord | undefined;
  /**
   * Asks for an address if nothing names one.
   * @throws CliError `usage` without an address.
   */
  login(ask?: () => Promise<Setting>): Promise<LoginTarget>;
}

const NONE: Credentials = { current: undefined, credentials: [] };

/** Refuses a profile that does not belong to the given address: its token would be sent to the wrong platform. */
export function createTarget({ address: given, name, credentials, configured, normalize }: TargetSources): Target {
  const checked = (address: Setting | undefined): Setting | undefined => address && normalize(address);

  const record = (): CredentialRecord | undefined => {
    const [address, named] = [checked(given()), name()];
    if (named === undefined) return address ? findByAddress(credentials(), address.value) : findCurrent(credentials());
    const known = findByProfile(credentials(), named.value);
    if (known === undefined) throw unknownProfile(named.value, credentials());
    return checkBelongs(known, named, address);
  };

  const address = (): Setting | undefined => {
    const address = checked(given());
    if (address !== undefined && name() === undefined) return address;
    const stored = record();
    return address ?? checked(stored ? addressOf(stored) : configured());
  };

  const login: Target['login'] = async (ask) => {
    const [address, named] = [checked(given()), name()];
    const stored = storedFor(address, named, credentials);
    const known = named && findByProfile(stored, named.value);
    const meant = known ? checkBelongs(known, named, address) : findCurrent(stored);
    const found = address ?? checked(meant ? addressOf(meant) : configured()) ?? checked(await ask?.());
    if (found === undefined) throw new NoAddress(stored);
    return { address: found, profile: named ? checkProfileName(named.value) : profileNameOf(found.value) };
  };

  return { address, record, login };
}

/** svc does not know your platform yet. On a terminal svc then asks for one, and runs the command again. */
export class NoAddress extends CliError {
  constructor({ credentials }: Credentials) {
    const names = credentials.map(({ profile }) => profile);
    super('usage', 'svc does not know your platform yet. Set its address in one of these ways:', {
      lines: [
        ...(names.length === 0 ? [] : [`svc profiles use <name>                       one of ${names.join(', ')}`]),
        'svc login                                     sign in; asks on a terminal',
        'svc login --api-url https://api.example.com   sign in, and remember it',
        'SVC_API_URL=https://api.example.com           for this shell or pipeline',
        '--api-url https://api.example.com             for one command',
      ],
      hint: { say: 'Without an account, try everything on this machine:', run: ['svc sandbox'] },
    });
  }
}

function addressOf({ baseUrl, profile }: CredentialRecord): Setting {
  return { value: baseUrl, origin: 'profile', where: `profile ${profile}` };
}

/** Ignores a file that cannot be read if the address is given: the login sets it aside, or reports it. */
function storedFor(
  address: Setting | undefined,
  named: Setting | undefined,
  credentials: () => Credentials,
): Credentials {
  if (address !== undefined && named === undefined) return NONE;
  try {
    return credentials();
  } catch (error) {
    if (address === undefined) throw error;
    return NONE;
  }
}

/** Returns the profile. Throws a usage error if it belongs to another address than the given one. */
function checkBelongs(known: CredentialRecord, named: Setting, address: Setting | undefined): CredentialRecord {
  if (address === undefined || isAt(known, address.value)) return known;
  const whose = `${named.where} selects the profile ${quoted(named.value)}, which belongs to ${known.baseUrl}`;
  throw usageError(
    `${whose}; ${address.where} says ${address.value}.`,
    `Use ${named.where} or ${address.where}, not both.`,
  );
}
