import { expect, test } from 'vitest';
import type { Globals } from '../../../src/cli/settings/globals.ts';
import { createSettings } from '../../../src/cli/settings/settings.ts';
import { checkSwitches, isOn } from '../../../src/environment.ts';
import { CliError } from '../../../src/errors.ts';
import { CREDENTIALS, type Credentials } from '../../../src/sign-in/credentials.ts';
import { createMachine } from '../../../src/store/machine.ts';
import { storedSignIn } from '../../support/stored.ts';
import { svc } from '../../support/svc.ts';

const A = 'https://a.example.com';
const B = 'https://b.example.com';
const C = 'https://c.example.com';

/** Two profiles of one address, one of another; `home` is the current one. */
const STORED: Credentials = {
  current: 'home',
  credentials: [storedSignIn('work', A), storedSignIn('home', A), storedSignIn('b.example.com', B)],
};

/** The settings of a line such as `--api-url=https://… SVC_PROFILE=work`. */
function settingsOf(line: string, credentials = () => STORED, defaultApiUrl?: string) {
  const given = Object.fromEntries(line.split(' ').map((word) => word.split('=')));
  return createSettings({
    globals: { apiUrl: given['--api-url'], profile: given['--profile'] } as Globals,
    env: given,
    cwd: undefined,
    environmentToken: () => undefined,
    configFolder: () => undefined,
    readCredentials: credentials,
    defaultApiUrl,
    machine: createMachine(process, 'marie-laptop'),
    warn: (text) => expect.fail(text),
    withServices: () => [],
    organizations: () => [],
  });
}

/** What is found, or the message of the error. */
async function outcome(find: () => unknown): Promise<unknown> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof CliError && ['usage', 'unauthenticated'].includes(error.code))
      return error.message;
    throw error;
  }
}

const UNKNOWN = 'There is no profile "new". There are: work, home, b.example.com.';
const DAMAGED = 'The credentials file is damaged: /c/credentials.json';

test.each([
  ['', A, 'home'],
  ['--api-url=HTTPS://B.example.com:443/', B, 'b.example.com'],
  [`SVC_API_URL=${C}`, C, undefined],
  [`SVC_API_URL=${A} SVC_PROFILE=work`, A, 'work'],
  ['SVC_PROFILE=new', UNKNOWN, UNKNOWN],
])('a command with %j goes to this address as this profile', async (line, at, as) => {
  const settings = settingsOf(line);
  expect(await outcome(() => settings.findApiUrl()?.value)).toBe(at);
  expect(await outcome(() => settings.profile()?.profile)).toBe(as);
});

test.each([
  ['--api-url', B, '--profile'],
  // No sign-in is stored for this address.
  ['SVC_API_URL', C, 'SVC_PROFILE'],
])(
  '%s=%s contradicts the profile of another address in %s, for a login as well',
  async (asked, address, named) => {
    const settings = settingsOf(`${asked}=${address} ${named}=work`);
    const refusal = `${named} selects the profile "work", which belongs to ${A}; ${asked} says ${address}.`;
    for (const find of [settings.findApiUrl, settings.profile, settings.login])
      expect(await outcome(find)).toBe(refusal);
  },
);

test('what svc was built for is asked last', () => {
  expect(settingsOf('', undefined, C).findApiUrl()?.value).toBe(A);
  const settings = settingsOf('', () => ({ current: undefined, credentials: [] }), C);
  expect(settings.findApiUrl()).toEqual({
    value: C,
    origin: 'default',
    where: 'this build of svc',
  });
  expect(settings.profile()).toBeUndefined();
});

test('a sign-in without an address is never used at that of svc config or of the build', async () => {
  const stored = { current: 'work', credentials: [storedSignIn('work', '')] };

  const found = await outcome(() => settingsOf('', () => stored, C).findApiUrl());

  expect(found).toMatch(/^The address of profile work /);
});

test.each([
  ['', A, 'a.example.com'],
  [`SVC_API_URL=${C}:8443/eu/`, `${C}:8443/eu`, 'c.example.com:8443/eu'],
  [`--api-url=${C} --profile=new`, C, 'new'],
  ['--profile=b.example.com', B, 'b.example.com'],
])('a login with %j signs in to %s and writes the profile %s', async (line, at, as) => {
  const { address, profile } = await settingsOf(line).login();
  expect([address.value, profile]).toEqual([at, as]);
});

test.each([
  [`SVC_API_URL=${A} --profile=work`, A],
  ['--profile=work', DAMAGED],
  ['', DAMAGED],
])('a login with %j meets a damaged file only if no address is given', async (line, at) => {
  const credentials = () => {
    throw CREDENTIALS.damaged('/c/credentials.json');
  };
  expect(
    await outcome(async () => (await settingsOf(line, credentials, C).login()).address.value),
  ).toBe(at);
});

test('a word that turns a switch neither on nor off is an error before anything is sent', async () => {
  const words = ['1', 'true', 'YES', ' on ', '0', 'False', 'no', 'OFF', ''];
  expect(words.map(isOn)).toEqual([true, true, true, true, false, false, false, false, false]);
  for (const name of [
    'SVC_ALLOW_HTTP',
    'SVC_NO_BROWSER',
    'SVC_NO_INPUT',
    'SVC_NO_RETRY',
    'SVC_DEBUG',
    'SVC_AGENT',
  ]) {
    for (const word of words) expect(() => checkSwitches({ [name]: word })).not.toThrow();
    expect(() => checkSwitches({ [name]: 'maybe' })).toThrow(`${name} is "maybe"`);
  }
  const run = await svc(['restart', 's1'], {
    url: 'http://127.0.0.1:1',
    env: { SVC_NO_RETRY: 'maybe' },
  });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });

  const debugged = await svc(['whoami'], {
    url: 'http://127.0.0.1:1',
    env: { SVC_DEBUG: 'ture' },
  });
  expect(debugged.exitCode).toBe(2);
  expect(debugged.stderr).not.toMatch(/^ +at /m);
});
