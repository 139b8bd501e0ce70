import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storedSignIn, writeSignIns } from '../support/stored.ts';
import { svc, temporaryFolder } from '../support/svc.ts';

const URL = 'http://127.0.0.1:9';

test.each([
  ['config.json', 'config set lang en'],
  ['credentials.json', 'logout --all'],
  ['orders.json', 'buy --plan p --network mtn --phone +237670000042 --yes'],
])('a file in place of the lock of %s is named, with the way out', async (file, line) => {
  const configDir = await temporaryFolder();
  writeSignIns(configDir, storedSignIn('work', URL));
  writeFileSync(join(configDir, `${file}.lock`), 'mine');

  const run = await svc(line.split(' '), { url: URL, configDir });

  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain(`${join(configDir, file)}.lock is in the way`);
  expect(run.stderr).toContain(`mv ${join(configDir, file)}.lock /tmp/`);
  expect(readdirSync(configDir).sort()).toEqual(['credentials.json', `${file}.lock`].sort());
});

test.skipIf(process.getuid?.() !== 0)(
  'a secret of a container in place of the stored sign-ins is named, with the way out',
  async () => {
    const configDir = await temporaryFolder();
    writeSignIns(configDir, storedSignIn('work', URL));
    chmodSync(join(configDir, 'credentials.json'), 0o440);

    const run = await svc(['whoami'], { url: URL, token: null, configDir, uid: 1_001 });

    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(`${join(configDir, 'credentials.json')} belongs to another user`);
    expect(run.stderr).toContain('SVC_TOKEN_FILE');
  },
);

test.each<[what: string, make: (path: string) => void, said: string]>([
  ['a folder', (path) => mkdirSync(path), 'it is a folder'],
  ['of a newer svc', (path) => writeFileSync(path, '{"version":99}'), 'written by a newer svc'],
])(
  'where credentials.json is %s, a login asks for nothing and does not say that it is used',
  async (_what, make, said) => {
    const configDir = await temporaryFolder();
    make(join(configDir, 'credentials.json'));

    const run = await svc(['login'], { url: URL, token: null, configDir });

    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(said);
    expect(run.stderr).not.toContain('used from there');
    expect(readdirSync(configDir)).toEqual(['credentials.json']);
  },
);
