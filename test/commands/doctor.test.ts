import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { type Answer, against } from '../support/against.ts';
import { fakeClock } from '../support/clock.ts';
import { type RunOptions, temporaryFolder } from '../support/svc.ts';
import { CAN_MOUNT, mountTmpfs } from '../support/tmpfs.ts';

const USER = { user: { email: 'ann@example.com' }, organization: { slug: 'acme' } };
const EXPIRES = { ...USER, token: { expiresAt: '2026-03-05T12:00:00Z' } };
const NOWHERE = 'http://127.0.0.1:1';

/** What `svc doctor --json` found, by name. */
async function examined(options: RunOptions, answer?: Answer) {
  const answers = answer === undefined ? {} : { 'GET /v1/user': [answer] };
  const run = await against('doctor --json', answers, { clock: systemClock, ...options });
  const { checks } = run.json as {
    readonly checks: ReadonlyArray<Readonly<Record<string, string | null>>>;
  };
  return {
    exitCode: run.exitCode,
    checks: Object.fromEntries(checks.map((check) => [check['name'], check])),
  };
}

const at = (time: string): RunOptions => ({ clock: fakeClock(`2026-03-01T${time}Z`) });

test.each<
  [
    title: string,
    answer: Answer,
    options: RunOptions,
    exit: number,
    checks: Readonly<Record<string, object>>,
  ]
>([
  [
    'a working setup passes',
    USER,
    {},
    0,
    {
      network: { state: 'good', fix: null },
      'sign-in': { state: 'good', found: 'ann@example.com, in acme (SVC_TOKEN)' },
      token: { found: 'expiry not known' },
    },
  ],
  [
    'the expiry is what the platform says',
    [200, EXPIRES, { date: 'Sun, 01 Mar 2026 12:00:00 GMT' }],
    at('12:00:00'),
    0,
    {
      token: {
        state: 'note',
        found: '4 days left, until 5 Mar 2026',
        fix: 'Put a new token in SVC_TOKEN.',
      },
    },
  ],
  [
    'HTML is another address',
    [200, '<html>Welcome</html>', { 'content-type': 'text/html' }],
    {},
    9,
    {
      network: {
        state: 'bad',
        found: expect.stringContaining('a web page instead of the API'),
        fix: expect.stringContaining('Check the address of the platform.'),
      },
      'sign-in': { state: 'note', found: 'not checked; see network' },
    },
  ],
  [
    'a refused token needs another',
    [401, { error: 'no' }],
    {},
    9,
    {
      network: { state: 'good' },
      'sign-in': { state: 'bad', fix: expect.stringContaining('SVC_TOKEN') },
    },
  ],
  [
    'a wrong clock is worth a note, and the token is judged by that of the platform',
    [200, EXPIRES, { date: 'Wed, 04 Mar 2026 12:00:00 GMT' }],
    at('13:00:00'),
    0,
    {
      'sign-in': { state: 'note', found: expect.stringContaining('this clock is 2d 23h behind') },
      token: { found: '1 day left, until 5 Mar 2026' },
    },
  ],
  [
    'a clock may be minutes off',
    [200, USER, { date: 'Sun, 01 Mar 2026 12:00:00 GMT' }],
    at('11:55:00'),
    0,
    { 'sign-in': { state: 'good' } },
  ],
  [
    'a file of authorities that is missing is named, where nothing needs it',
    USER,
    { env: { NODE_EXTRA_CA_CERTS: '/nonexistent' } },
    0,
    { network: { state: 'note', found: expect.stringContaining('/nonexistent, which cannot be') } },
  ],
])('%s', async (_title, answer, options, exitCode, checks) => {
  expect(await examined(options, answer)).toMatchObject({ exitCode, checks });
});

test('what breaks several checks is reported once, with what mends it', async () => {
  const damaged = await temporaryFolder();
  writeFileSync(join(damaged, 'credentials.json'), '{', { mode: 0o600 });
  const refused = { state: 'bad', found: expect.stringContaining('ECONNREFUSED') };
  const unchecked = (name: string) => ({
    state: 'note',
    found: `not checked; see ${name}`,
    fix: null,
  });
  const first = { state: 'bad', fix: 'svc login --api-url <address>' };
  for (const [options, checks] of [
    [{ url: undefined }, { address: first, 'sign-in': { state: 'bad', fix: null } }],
    [{ url: NOWHERE }, { network: refused, 'sign-in': unchecked('network') }],
    [
      { url: undefined, configDir: damaged },
      {
        files: { state: 'bad', fix: expect.stringContaining('svc login') },
        address: unchecked('files'),
      },
    ],
    [
      { url: undefined, configDir: '/dev/null/svc' },
      { files: { state: 'bad', fix: expect.stringContaining('SVC_CONFIG_DIR') } },
    ],
  ] as const) {
    expect(await examined(options as RunOptions)).toMatchObject({ exitCode: 9, checks });
  }
});

test.skipIf(!CAN_MOUNT)(
  'a full disk is a note; nothing is left of the attempt (needs the right to mount one)',
  async () => {
    const disk = mountTmpfs('size=64k,mode=0700');
    onTestFinished(disk.remove);
    const configDir = join(disk.folder, 'svc');
    mkdirSync(configDir, { mode: 0o700 });
    await examined({ url: NOWHERE, configDir });
    expect(() => writeFileSync(join(disk.folder, 'large'), Buffer.alloc(128 * 1024))).toThrow(
      'ENOSPC',
    );
    const found = `${configDir} cannot be written: the disk is full (ENOSPC)`;
    expect((await examined({ url: NOWHERE, configDir })).checks['files']).toMatchObject({
      state: 'note',
      found,
    });
    expect(readdirSync(configDir)).toEqual([]);
  },
);
