import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  cpSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { serveFolder } from '../../scripts/release/serve.mjs';
import { findProgram, needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/svc.ts';
import { CAN_MOUNT, mountTmpfs } from '../support/tmpfs.ts';
import { aRelease, archiver } from './stand-ins.ts';

const [shellcheck, wget] = [needs('shellcheck'), needs('wget')];

/** What install.sh runs beside curl and wget; what the stand-ins run is in it too. */
const PROGRAMS = ['sh', 'uname', 'sysctl', 'sha256sum', 'grep', 'tar', 'xz', 'mktemp', 'rm', 'mkdir', 'mv'];

describe.skipIf(archiver.missing)(archiver.title('install.sh'), () => {
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

  async function install(env: Readonly<Record<string, string>> = {}, cwd = '/') {
    const HOME = await temporaryFolder();
    const all = { PATH: process.env['PATH'], HOME, SVC_DOWNLOAD_URL: server.url, ...env };
    const ran = await promisify(execFile)('/bin/sh', [join(release, 'install.sh')], { env: all, cwd }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code: code as number, stdout: stdout as string, stderr: stderr as string }),
    );
    return { ...ran, HOME };
  }

  /** The files in a folder and below. */
  const filesIn = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [] : [join(entry.parentPath, entry.name)],
    );

  test.skipIf(shellcheck.missing)(shellcheck.title('has nothing that shellcheck warns of'), () => {
    expect(() => execFileSync(shellcheck.path, [join(release, 'install.sh')], { stdio: 'pipe' })).not.toThrow();
  });

  test('installs one file in the home folder, and says what to do next', async () => {
    const { code, stdout, stderr, HOME } = await install();
    const svc = `${HOME}/.local/bin/svc`;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(
      `Installed ${svc}. Next: svc completion install\nFirst add ${HOME}/.local/bin to your PATH.\n`,
    );
    expect(filesIn(HOME)).toEqual([svc]);
    expect(execFileSync(svc, ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('replaces an svc in a folder of your choice, and leaves nothing beside it', async () => {
    const folder = join(await temporaryFolder(), 'my programs');
    mkdirSync(folder);
    writeFileSync(join(folder, 'svc'), 'old');
    const { code, stdout } = await install({ SVC_INSTALL_DIR: folder, PATH: `${folder}:${process.env['PATH']}` });
    expect(code).toBe(0);
    expect(stdout).toMatch(/Next: svc completion install\n$/);
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
    expect(filesIn(HOME)).toEqual([]);
  });

  test('installs nothing if the server has no such file', async () => {
    const empty = await serveFolder(await temporaryFolder());
    const { code, stderr, HOME } = await install({ SVC_DOWNLOAD_URL: empty.url });
    empty.close();
    expect(code).toBe(1);
    expect(stderr).toContain('Error: Cannot download ');
    expect(filesIn(HOME)).toEqual([]);
  });

  test.skipIf(wget.missing)(wget.title('uses wget on a machine without curl'), async () => {
    const { code, stderr } = await install({ PATH: await pathWith(...PROGRAMS, 'wget') });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test.each([
    ['curl or wget', PROGRAMS],
    ['tar and xz', [...PROGRAMS.filter((name) => name !== 'tar'), 'curl']],
    ['tar and xz', [...PROGRAMS.filter((name) => name !== 'xz'), 'curl']],
    ['sha256sum or shasum', [...PROGRAMS.filter((name) => name !== 'sha256sum'), 'curl']],
  ])('says that it needs %s', async (missing, programs) => {
    const { code, stderr, HOME } = await install({ PATH: await pathWith(...programs) });
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^Error: .* ${missing}`, 'm'));
    expect(filesIn(HOME)).toEqual([]);
  });

  test.each(['FreeBSD amd64', 'Linux riscv64'])('on %s it names the npm package instead', async (machine) => {
    const folder = await pathWith(...PROGRAMS.filter((name) => name !== 'uname'), 'curl');
    const uname = join(folder, 'uname');
    writeFileSync(uname, `#!/bin/sh\necho ${machine}\n`);
    chmodSync(uname, 0o755);
    expect(await install({ PATH: folder })).toMatchObject({
      code: 1,
      stderr: `Error: There is no executable for ${machine}. With Node 20.19 or newer: npm install -g svc-cli\n`,
    });
  });

  describe('whatever the folder is like', () => {
    const tmpfs = (options: string): string => {
      const { folder, remove } = mountTmpfs(options);
      onTestFinished(remove);
      return folder;
    };

    test.skipIf(!CAN_MOUNT)('a full disk leaves the old svc, and nothing else', async () => {
      const folder = tmpfs('size=64k');
      writeFileSync(join(folder, 'svc'), 'old');
      const filler = openSync(join(folder, 'filler'), 'w');
      expect(() => {
        for (;;) writeSync(filler, Buffer.alloc(4_096));
      }).toThrow('ENOSPC');
      closeSync(filler);
      const { code, stderr } = await install({ SVC_INSTALL_DIR: folder });
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^Error: .*$/m)]);
      expect(readdirSync(folder).sort()).toEqual(['filler', 'svc']);
      expect(readFileSync(join(folder, 'svc'), 'utf8')).toBe('old');
    });

    test('a folder that is called svc is refused before anything is downloaded', async () => {
      const folder = await temporaryFolder();
      mkdirSync(join(folder, 'svc'));
      const { code, stdout, stderr } = await install({ SVC_INSTALL_DIR: folder });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toBe(`Error: ${folder}/svc is a folder. Set SVC_INSTALL_DIR to another one.\n`);
      expect(readdirSync(join(folder, 'svc'))).toEqual([]);
    });

    test('a link that is called svc is not followed', async () => {
      const folder = await temporaryFolder();
      const precious = join(await temporaryFolder(), 'precious');
      writeFileSync(precious, 'precious');
      symlinkSync(precious, join(folder, 'svc'));
      expect(await install({ SVC_INSTALL_DIR: folder })).toMatchObject({ code: 0 });
      expect(readFileSync(precious, 'utf8')).toBe('precious');
      expect(lstatSync(join(folder, 'svc')).isFile()).toBe(true);
    });

    test.skipIf(!CAN_MOUNT)('one in which no program can run is named, and the old svc stays', async () => {
      const folder = tmpfs('size=4m,noexec');
      writeFileSync(join(folder, 'svc'), 'old');
      const { code, stderr } = await install({ SVC_INSTALL_DIR: folder });
      expect(code).toBe(1);
      expect(stderr).toContain(`Error: The executable does not run in ${folder}. Nothing was installed.`);
      expect(readFileSync(join(folder, 'svc'), 'utf8')).toBe('old');
      expect(readdirSync(folder)).toEqual(['svc']);
    });

    test('one that cannot be made is named, with another way', async () => {
      const file = join(await temporaryFolder(), 'file');
      writeFileSync(file, '');
      const { code, stderr } = await install({ SVC_INSTALL_DIR: file });
      expect(code).toBe(1);
      expect(stderr).toContain(`Error: Cannot write to ${file}. Set SVC_INSTALL_DIR to another folder.`);
    });

    test('a relative one is in the current folder', async () => {
      const cwd = await temporaryFolder();
      const { code, stdout } = await install({ SVC_INSTALL_DIR: '-programs' }, cwd);
      expect(code).toBe(0);
      expect(stdout).toContain(`add ${cwd}/-programs to your PATH`);
      expect(readdirSync(join(cwd, '-programs'))).toEqual(['svc']);
    });
  });
});
