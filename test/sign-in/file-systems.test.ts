import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ISSUED, START } from '../support/device-login.ts';
import { mountFuse, NO_FUSE } from '../support/fuse.ts';
import { storedSignIn, writeSignIns } from '../support/stored.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const NO_MODES = ['--perms=0777', '--chmod-ignore'];

function mount(options: readonly string[]): string {
  const { folder, remove } = mountFuse(...options);
  onTestFinished(remove);
  return folder;
}

/** What is below a folder, however deep. */
function listAll(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true }).map(String);
}

const skipped = NO_FUSE === undefined ? '' : ` (skipped: ${NO_FUSE})`;

describe.skipIf(NO_FUSE)(`svc on a file system of other modes and owners${skipped}`, () => {
  test.each<[what: string, options: readonly string[], line: string, said: RegExp]>([
    ['no modes', NO_MODES, 'login', /keeps no modes: .* can be changed by every user/],
    ['no modes, with a token', NO_MODES, 'login --with-token', /keeps no modes/],
    ['no modes, in two steps', NO_MODES, 'login --no-wait', /keeps no modes/],
    ['modes that cannot be set', ['--perms=0777', '--chmod-deny'], 'login', /keeps no modes/],
    ['no modes of files', ['--perms=0777:gd-w:od-w', '--chmod-ignore'], 'login', /keeps no modes/],
    ['no owners', ['--force-user=1234'], 'login', /keeps no owners: .* another user \(uid 1234\)/],
    ['no owners, with a token', ['--force-user=1234'], 'login --with-token', /keeps no owners/],
    ['no modes, for a setting', NO_MODES, 'config set lang en', /keeps no modes/],
  ])(
    'that has %s asks for nothing and leaves nothing behind',
    async (_what, options, line, said) => {
      const home = mount(options);
      const { url } = await testWire();

      const run = await svc(`${line} --json`.split(' '), {
        url,
        token: null,
        stdin: 'svc_CANARY_stdin',
        configDir: join(home, '.config', 'svc'),
      });

      expect(run.exitCode).toBe(2);
      expect(run.error['error']).toMatch(said);
      expect(run.stderr).toMatch(/SVC_CONFIG_DIR/);
      expect(listAll(home)).toEqual([]);
    },
  );

  test('that has no modes is named where only the file of sign-ins is a link to it', async () => {
    const home = mount(NO_MODES);
    const configDir = await temporaryFolder();
    writeFileSync(join(home, 'svc.json'), '{"version":1,"credentials":[]}');
    symlinkSync(join(home, 'svc.json'), join(configDir, 'credentials.json'));
    const { url } = await testWire();

    const run = await svc(['login', '--json'], { url, token: null, configDir });

    expect(run.exitCode).toBe(2);
    expect(run.error['error']).toMatch(/credentials\.json can be changed by every user/);
    expect(listAll(home)).toEqual(['svc.json']);
  });

  test('that lets others read what svc closes is named each time', async () => {
    const configDir = mount(['--perms=0755', '--chmod-ignore']);
    writeSignIns(configDir, storedSignIn('work', 'https://a.example.com'));

    const run = await svc(['profiles'], { configDir });

    expect(run.exitCode).toBe(0);
    expect(run.stderr).toMatch(/Others can read .*credentials\.json, and svc cannot change that/);
  });

  test('that keeps both takes a sign-in', async () => {
    const home = mount([]);
    const wire = await testWire();
    wire.on('POST', '/v1/auth/device').reply(200, START);
    wire.on('POST', '/v1/auth/device/token').reply(200, ISSUED);

    const run = await svc(['login', '--json'], {
      url: wire.url,
      token: null,
      configDir: join(home, 'svc'),
    });

    expect(run.exitCode).toBe(0);
    expect(listAll(home)).toEqual(['svc', join('svc', 'credentials.json')]);
  });

  test('that has no modes is no obstacle where token and address are given: twice the same', async () => {
    const home = mount(NO_MODES);
    const wire = await testWire();
    wire.on('POST', '/v1/services/svc_1/restart').reply(200, { success: true }, {}).reply(200, {
      success: true,
    });
    const restart = () =>
      svc(['restart', 'svc_1', '--yes'], {
        url: wire.url,
        configDir: join(home, '.config', 'svc'),
      });

    const first = await restart();
    const second = await restart();

    expect(first.exitCode).toBe(0);
    expect(first.stderr.match(/keeps no modes/g)).toHaveLength(1);
    expect(second.exitCode).toBe(0);
    expect(second.stderr).toBe(first.stderr);
    expect(listAll(home)).toEqual([]);
  });
});
