import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveFolder } from '../../scripts/release/serve.mjs';
import { findProgram, needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/svc.ts';
import { aRelease } from './stand-ins.ts';

const [shellcheck, wget] = [needs('shellcheck'), needs('wget')];
const isPossible = process.platform === 'linux';
const where = isPossible ? '' : ' (skipped: needs Linux)';

/** What install.sh runs; what the stand-ins run is in it too. */
const PROGRAMS = [
  'sh',
  'uname',
  'sysctl',
  'sha256sum',
  'cut',
  'grep',
  'tar',
  'xz',
  'mktemp',
  'rm',
  'mkdir',
  'dirname',
  'cp',
  'chmod',
  'mv',
];

describe.skipIf(!isPossible)(`install.sh${where}`, () => {
  let release: string;
  let server: Awaited<ReturnType<typeof serveFolder>>;
  beforeAll(async () => {
    release = await aRelease();
    server = await serveFolder(release);
  });
  afterAll(() => server.close());

  /** A folder for PATH with these programs and no others. */
  async function pathWith(...programs: readonly string[]): Promise<string> {
    const folder = await temporaryFolder();
    for (const name of programs) {
      const program = findProgram(name);
      if (program !== undefined) symlinkSync(program, join(folder, name));
    }
    return folder;
  }

  async function install(env: Readonly<Record<string, string>> = {}) {
    const HOME = await temporaryFolder();
    const TMPDIR = await temporaryFolder();
    const all = { PATH: process.env['PATH'], HOME, TMPDIR, SVC_DOWNLOAD_URL: server.url, ...env };
    const ran = await promisify(execFile)('/bin/sh', [join(release, 'install.sh')], { env: all }).then(
      ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
      ({ code, stdout, stderr }) => ({ code: code as number, stdout: stdout as string, stderr: stderr as string }),
    );
    expect(readdirSync(TMPDIR), 'temporary files').toEqual([]);
    return { ...ran, HOME };
  }

  test.skipIf(shellcheck.missing)(shellcheck.title('has nothing that shellcheck warns of'), () => {
    expect(() => execFileSync(shellcheck.path, [join(release, 'install.sh')], { stdio: 'pipe' })).not.toThrow();
  });

  test('installs into the home folder, and says what to do next', async () => {
    const { code, stdout, stderr, HOME } = await install();
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toContain(`add ${HOME}/.local/bin to your PATH`);
    for (const file of ['bin/svc', 'share/man/man1/svc.1', 'share/doc/svc/THIRD-PARTY-NOTICES']) {
      expect(existsSync(join(HOME, '.local', file)), file).toBe(true);
      expect(stdout).toContain(`${HOME}/.local/${file}`);
    }
    expect(execFileSync(join(HOME, '.local/bin/svc'), ['--version'], { encoding: 'utf8' })).toMatch(
      /^\d+\.\d+\.\d+\n$/,
    );
  });

  test('replaces an svc in a folder of your choice, and leaves nothing beside it', async () => {
    const folder = join(await temporaryFolder(), 'my programs');
    mkdirSync(folder);
    writeFileSync(join(folder, 'svc'), 'old');
    const { code, stdout } = await install({ SVC_INSTALL_DIR: folder, PATH: `${folder}:${process.env['PATH']}` });
    expect(code).toBe(0);
    expect(stdout).toContain('Next: svc completion install\n');
    expect(readdirSync(folder)).toEqual(['svc']);
  });

  test('installs nothing if the file has another sum', async () => {
    const folder = join(await temporaryFolder(), 'served');
    cpSync(release, folder, { recursive: true });
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.tar.xz')))
      writeFileSync(join(folder, name), 'x');
    const bad = await serveFolder(folder);
    const { code, stderr, HOME } = await install({ SVC_DOWNLOAD_URL: bad.url });
    bad.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Error: The SHA-256 of svc-.* is not the one of this release\. Nothing was installed\.\n$/);
    expect(readdirSync(HOME)).toEqual([]);
  });

  test('installs nothing if the server has no such file', async () => {
    const empty = await serveFolder(await temporaryFolder());
    const { code, stderr, HOME } = await install({ SVC_DOWNLOAD_URL: empty.url });
    empty.close();
    expect(code).toBe(1);
    expect(stderr).toContain('Error: Cannot download ');
    expect(readdirSync(HOME)).toEqual([]);
  });

  test.skipIf(wget.missing)(wget.title('uses wget on a machine without curl'), async () => {
    const { code, stderr } = await install({ PATH: await pathWith(...PROGRAMS, 'wget') });
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  test.each([
    ['curl or wget', PROGRAMS],
    ['tar', ['sh', 'uname', 'curl', 'sha256sum', 'grep', 'cut']],
    ['xz', ['sh', 'uname', 'curl', 'sha256sum', 'grep', 'cut', 'tar']],
    ['sha256sum or shasum', ['sh', 'uname', 'curl', 'grep', 'cut', 'tar', 'xz']],
  ])('says that it needs %s', async (missing, programs) => {
    const { code, stderr } = await install({ PATH: await pathWith(...programs) });
    expect(code).toBe(1);
    expect(stderr).toContain(`Error: This needs ${missing}`);
  });

  test.each([
    ['FreeBSD', 'amd64', 'this system'],
    ['Linux', 'riscv64', 'this processor'],
  ])('on %s %s it names the npm package instead', async (system, machine, what) => {
    const folder = await pathWith(...PROGRAMS.filter((name) => name !== 'uname'), 'curl');
    const uname = join(folder, 'uname');
    writeFileSync(uname, `#!/bin/sh\nif [ "$1" = -s ]; then echo ${system}; else echo ${machine}; fi\n`);
    chmodSync(uname, 0o755);
    const { code, stderr } = await install({ PATH: folder });
    expect(code).toBe(1);
    expect(stderr).toBe(
      `Error: There is no executable for ${what}. With Node 20.19 or newer: npm install -g svc-cli\n`,
    );
  });
});
