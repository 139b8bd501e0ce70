import { describe, expect, test } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { createSettings } from '../../src/kit/settings.ts';
import { CREDENTIALS } from '../../src/sign-in/record.ts';
import type { Credentials } from '../../src/sign-in/types.ts';
import { machineOf } from '../../src/store/machine.ts';
import { storedSignIn } from '../support/stored.ts';

const A = 'https://a.example.com';
const B = 'https://b.example.com';
const C = 'https://c.example.com';

/** Two profiles of one address, one of another; `home` is the current one. */
const STORED: Credentials = {
  current: 'home',
  credentials: [storedSignIn('work', A), storedSignIn('home', A), storedSignIn('b.example.com', B)],
};

type Given = readonly ['flag' | 'variable', string] | undefined;

function settingsOf(
  address: Given,
  name: Given,
  { stored = STORED, credentials = () => stored, defaultApiUrl = undefined as string | undefined } = {},
) {
  const reads: string[] = [];
  const textOf = (given: Given, kind: 'flag' | 'variable') => (given?.[0] === kind ? given[1] : undefined);
  const settings = createSettings({
    globals: { apiUrl: textOf(address, 'flag'), profile: textOf(name, 'flag'), org: undefined },
    env: { SVC_API_URL: textOf(address, 'variable'), SVC_PROFILE: textOf(name, 'variable') },
    cwd: undefined,
    environmentToken: () => undefined,
    configFolder: () => undefined,
    readCredentials: () => {
      reads.push('credentials');
      return credentials();
    },
    defaultApiUrl,
    machine: machineOf(process, 'marie-laptop'),
    warn: (text) => expect.fail(text),
  });
  return { settings, reads };
}

/** Returns the address and the profile, or the message of the error. */
async function outcome(find: () => unknown): Promise<unknown> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof CliError && ['usage', 'unauthenticated'].includes(error.code)) return error.message;
    throw error;
  }
}

const UNKNOWN = 'There is no profile "new". There are: work, home, b.example.com.';

describe('the address and the stored sign-in of a command', () => {
  test.each<[title: string, address: Given, name: Given, at: unknown, as: unknown]>([
    ['nothing is said: the current profile', undefined, undefined, A, 'home'],
    ['an address: its profile, the current one where several share it', ['variable', A], undefined, A, 'home'],
    ['an address in another spelling', ['flag', 'HTTPS://B.example.com:443/'], undefined, B, 'b.example.com'],
    ['an address that nobody is signed in to', ['variable', C], undefined, C, undefined],
    ['a profile by a flag', undefined, ['flag', 'work'], A, 'work'],
    ['a profile by a variable', undefined, ['variable', 'work'], A, 'work'],
    ['a profile and its own address', ['variable', A], ['variable', 'work'], A, 'work'],
    ['a profile and its own address, by flags', ['flag', B], ['flag', 'b.example.com'], B, 'b.example.com'],
    ['an unknown profile', undefined, ['variable', 'new'], UNKNOWN, UNKNOWN],
    ['an unknown profile by a flag, whatever the variable says', ['variable', A], ['flag', 'new'], UNKNOWN, UNKNOWN],
    ['an unknown profile beside an address', ['flag', A], ['flag', 'new'], UNKNOWN, UNKNOWN],
    ['an unknown profile by a variable beside an address', ['variable', A], ['variable', 'new'], UNKNOWN, UNKNOWN],
  ])('%s', async (_title, address, name, at, as) => {
    const { settings } = settingsOf(address, name);
    expect(await outcome(() => settings.findApiUrl()?.value)).toBe(at);
    expect(await outcome(() => settings.profile()?.profile)).toBe(as);
  });

  test.each<[address: Given, name: Given]>([
    [
      ['flag', B],
      ['flag', 'work'],
    ],
    [
      ['flag', B],
      ['variable', 'work'],
    ],
    [
      ['variable', B],
      ['flag', 'work'],
    ],
    [
      ['variable', B],
      ['variable', 'work'],
    ],
    // No sign-in is stored for this address.
    [
      ['flag', C],
      ['flag', 'work'],
    ],
  ])(
    'an address (%j) and a profile of another one (%j) contradict each other, for a login as well',
    async (address, name) => {
      const { settings } = settingsOf(address, name);
      const [asked, named] = [
        address?.[0] === 'flag' ? '--api-url' : 'SVC_API_URL',
        name?.[0] === 'flag' ? '--profile' : 'SVC_PROFILE',
      ];
      const refusal = `${named} selects the profile "work", which belongs to ${A}; ${asked} says ${address?.[1]}.`;
      for (const find of [settings.findApiUrl, settings.profile, settings.login]) {
        expect(await outcome(find)).toBe(refusal);
      }
    },
  );

  test('an address that is given needs no file, unless a profile is named', () => {
    const { settings, reads } = settingsOf(['variable', B], undefined);
    settings.findApiUrl();
    expect(reads).toEqual([]);
  });

  test('what svc was built for is asked last', () => {
    expect(settingsOf(undefined, undefined, { defaultApiUrl: C }).settings.findApiUrl()?.value).toBe(A);
    const stored = { current: undefined, credentials: [] };
    const { settings } = settingsOf(undefined, undefined, { stored, defaultApiUrl: C });
    expect([settings.findApiUrl(), settings.profile()]).toEqual([
      { value: C, origin: 'default', where: 'this build of svc' },
      undefined,
    ]);
  });
});

describe('what a login signs in to, and the profile that it writes', () => {
  test.each<[title: string, address: Given, name: Given, at: unknown, as: unknown]>([
    ['nothing is said: the address in use, under its own name', undefined, undefined, A, 'a.example.com'],
    ['an address', ['variable', `${C}:8443/eu/`], undefined, `${C}:8443/eu`, 'c.example.com:8443/eu'],
    ['a new profile without an address: the address in use', undefined, ['flag', 'new'], A, 'new'],
    ['a new profile with an address', ['flag', C], ['flag', 'new'], C, 'new'],
    ['a profile that is there: its own address', undefined, ['flag', 'b.example.com'], B, 'b.example.com'],
    ['a profile that is there, and its own address', ['variable', B], ['flag', 'b.example.com'], B, 'b.example.com'],
  ])('%s', async (_title, address, name, at, as) => {
    const { address: found, profile } = await settingsOf(address, name).settings.login();
    expect([found.value, profile]).toEqual([at, as]);
  });

  test.each<[address: Given, name: Given, at: unknown]>([
    [['variable', A], undefined, A],
    [['variable', A], ['flag', 'work'], A],
    [undefined, ['flag', 'work'], 'The credentials file is damaged: /c/credentials.json'],
    [undefined, undefined, 'The credentials file is damaged: /c/credentials.json'],
  ])('a damaged file is an obstacle only if no address is given: %j, %j', async (address, name, at) => {
    const damaged = () => {
      throw CREDENTIALS.damaged('/c/credentials.json');
    };
    const { settings } = settingsOf(address, name, { credentials: damaged, defaultApiUrl: C });
    expect(await outcome(async () => (await settings.login()).address.value)).toBe(at);
  });

  test('a name with spaces is refused', async () => {
    const { settings } = settingsOf(['flag', C], ['flag', 'my laptop']);
    expect(await outcome(settings.login)).toBe('The name of a profile is 1 to 128 characters, without spaces.');
  });

  test('without an address, the error lists the ways to give one', async () => {
    const stored = { current: undefined, credentials: STORED.credentials };
    const { settings } = settingsOf(undefined, undefined, { stored });
    await expect(settings.login()).rejects.toThrow(
      expect.objectContaining({
        message: 'svc does not know your platform yet. Set its address in one of these ways:',
        details: expect.objectContaining({
          lines: expect.arrayContaining([expect.stringMatching(/^svc profiles use <name> +one of work, home/)]),
        }),
      }),
    );
  });
});
