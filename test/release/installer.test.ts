import { execFileSync } from 'node:child_process';
import {
  cpSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { serveFolder } from '../../scripts/release/serve.mjs';
import { findProgram, needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/svc.ts';
import { CAN_MOUNT, mountTmpfs } from '../support/tmpfs.ts';
import { aRelease, archiver } from './stand-ins.ts';

const wget = needs('wget');

/** What install.sh runs beside curl and wget; what the stand-ins run is in it too. */
const PROGRAMS = [
  'sh',
  'uname',
  'sysctl',
  'sha256sum',
  'grep',
  'tar',
  'xz',
  'mktemp',
  'rm',
  'mkdir',
  'mv',
];

/** A folder for PATH with these programs and no others. */
async function pathWith(...programs: readonly string[]): Promise<string> {
  const folder = await temporaryFolder();
  for (const name of programs) {
    const program = findProgram(name);
    if (program !== undefined) symlinkSync(program, join(folder, name));
  }
  return folder;
}

/** The files in a folder and below. */
function filesIn(folder: string) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name));
}

describe.skipIf(archiver.missing)(archiver.title('install.sh'), () => {
  let release: string;
  let server: Awaited<ReturnType<typeof serveFolder>>;
  beforeAll(async () => {
    release = await aRelease();
    server = await serveFolder(release);
  });
  afterAll(() => server.close());

  async function install(env: Readonly<Record<string, string>> = {}) {
    const HOME = await temporaryFolder();
    const all = { PATH: process.env['PATH'], HOME, SVC_DOWNLOAD_URL: server.url, ...env };
    const options = { env: all, extendEnv: false, cwd: '/', reject: false } as const;
    const { exitCode, stdout, stderr } = await execa(
      '/bin/sh',
      [join(release, 'install.sh')],
      options,
    );
    return { exitCode, stdout, stderr, HOME };
  }

  /** Expects that nothing is installed in the home folder. */
  async function refused(env: Readonly<Record<string, string>>, said: RegExp): Promise<void> {
    const { exitCode, stderr, HOME } = await install(env);
    expect([exitCode, stderr, filesIn(HOME)]).toEqual([1, expect.stringMatching(said), []]);
  }

  test('installs one file in the home folder, and says what to do next', async () => {
    const { exitCode, stdout, stderr, HOME } = await install();
    const svc = `${HOME}/.local/bin/svc`;
    expect([exitCode, stderr, filesIn(HOME)]).toEqual([0, '', [svc]]);
    expect(stdout).toContain(
      `Next: svc completion install\nFirst add ${HOME}/.local/bin to your PATH.`,
    );
    expect(execFileSync(svc, ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('replaces an svc in a folder of your choice, but follows no link, and leaves nothing beside it', async () => {
    const folder = await temporaryFolder();
    const precious = join(await temporaryFolder(), 'precious');
    writeFileSync(precious, 'precious');
    symlinkSync(precious, join(folder, 'svc'));
    expect(await install({ SVC_INSTALL_DIR: folder })).toMatchObject({ exitCode: 0 });
    expect([readFileSync(precious, 'utf8'), readdirSync(folder)]).toEqual(['precious', ['svc']]);
    expect(lstatSync(join(folder, 'svc')).isFile()).toBe(true);
  });

  test('installs nothing if the file has another sum, or is not there', async () => {
    const folder = join(await temporaryFolder(), 'served');
    cpSync(release, folder, { recursive: true });
    const archives = readdirSync(folder).filter((file) => file.endsWith('.tar.xz'));
    for (const name of archives) writeFileSync(join(folder, name), 'x');
    const [bad, empty] = [await serveFolder(folder), await serveFolder(await temporaryFolder())];
    await refused({ SVC_DOWNLOAD_URL: bad.url }, /The SHA-256 of svc-.* Nothing was installed\.$/);
    await refused({ SVC_DOWNLOAD_URL: empty.url }, /Error: Cannot download /);
    for (const one of [bad, empty]) one.close();
  });

  test.skipIf(wget.missing)(
    wget.title('uses wget on a machine without curl, and says what it needs'),
    async () => {
      expect(await install({ PATH: await pathWith(...PROGRAMS, 'wget') })).toMatchObject({
        exitCode: 0,
        stderr: '',
      });
      await refused({ PATH: await pathWith(...PROGRAMS) }, /^Error: .* curl or wget/m);
      const others = PROGRAMS.filter((name) => name !== 'sha256sum');
      await refused({ PATH: await pathWith(...others, 'curl') }, /^Error: .* sha256sum or shasum/m);
    },
  );

  test.skipIf(!CAN_MOUNT).each([
    ['on a full disk', 'size=64k', ['filler', 'svc'], /^Error: .*$/m],
    [
      'where no program can run',
      'size=4m,noexec',
      ['svc'],
      /Error: The executable does not run in .*\. Nothing was/,
    ],
  ])(
    'leaves the old svc, and nothing else, %s (needs the right to mount a disk)',
    async (_where, options, left, said) => {
      const { folder, remove } = mountTmpfs(options);
      onTestFinished(remove);
      writeFileSync(join(folder, 'svc'), 'old');
      const { bavail, bsize } = statfsSync(folder);
      if (left.includes('filler'))
        writeFileSync(join(folder, 'filler'), Buffer.alloc(bavail * bsize));
      await refused({ SVC_INSTALL_DIR: folder }, said);
      expect(readdirSync(folder).sort()).toEqual(left);
      expect(readFileSync(join(folder, 'svc'), 'utf8')).toBe('old');
    },
  );
});
