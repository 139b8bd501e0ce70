import { execFileSync } from 'node:child_process';
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
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { serveFolder } from '../../scripts/release/serve.mjs';
import { findProgram, needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/svc.ts';
import { CAN_MOUNT, mountTmpfs } from '../support/tmpfs.ts';
import { aRelease, archiver } from './stand-ins.ts';

const wget = needs('wget');

/** What install.sh runs beside curl and wget; what the stand-ins run is in it too. */
const PROGRAMS = ['sh', 'uname', 'sysctl', 'sha256sum', 'grep', 'tar', 'xz', 'mktemp', 'rm', 'mkdir', 'mv'];
const without = (name: string) => [...PROGRAMS.filter((one) => one !== name), 'curl'];

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
  return entries.filter((entry) => !entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
}

function tmpfs(options: string): string {
  const { folder, remove } = mountTmpfs(options);
  onTestFinished(remove);
  writeFileSync(join(folder, 'svc'), 'old');
  return folder;
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
    const options = { env: all, extendEnv: false, cwd: '/', reject: false, stripFinalNewline: false } as const;
    const { exitCode, stdout, stderr } = await execa('/bin/sh', [join(release, 'install.sh')], options);
    return { code: exitCode, stdout, stderr, HOME };
  }

  /** Expects that nothing is installed in the home folder. */
  async function refused(env: Readonly<Record<string, string>>, said: RegExp): Promise<void> {
    const { code, stderr, HOME } = await install(env);
    expect([code, stderr, filesIn(HOME)]).toEqual([1, expect.stringMatching(said), []]);
  }

  test('installs one file in the home folder, and says what to do next', async () => {
    const { code, stdout, stderr, HOME } = await install();
    const svc = `${HOME}/.local/bin/svc`;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const next = `Next: svc completion install\nFirst add ${HOME}/.local/bin to your PATH.\n`;
    expect(stdout).toContain(`Installed ${svc}. ${next}`);
    expect(filesIn(HOME)).toEqual([svc]);
    expect(execFileSync(svc, ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('replaces an svc in a folder of your choice, and leaves nothing beside it', async () => {
    const folder = join(await temporaryFolder(), 'my programs');
    mkdirSync(folder);
    writeFileSync(join(folder, 'svc'), 'old');
    const { code, stdout } = await install({ SVC_INSTALL_DIR: folder, PATH: `${folder}:${process.env['PATH']}` });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/Next: svc completion install\n$/)]);
    expect(readdirSync(folder)).toEqual(['svc']);
  });

  test('installs nothing if the file has another sum, or is not there', async () => {
    const folder = join(await temporaryFolder(), 'served');
    cpSync(release, folder, { recursive: true });
    const archives = readdirSync(folder).filter((file) => file.endsWith('.tar.xz'));
    for (const name of archives) writeFileSync(join(folder, name), 'x');
    const [bad, empty] = [await serveFolder(folder), await serveFolder(await temporaryFolder())];
    const sum = /^Error: The SHA-256 of svc-.* is not the one of this release\. Nothing was installed\.\n$/;
    await refused({ SVC_DOWNLOAD_URL: bad.url }, sum);
    await refused({ SVC_DOWNLOAD_URL: empty.url }, /Error: Cannot download /);
    for (const one of [bad, empty]) one.close();
  });

  test.skipIf(wget.missing)(wget.title('uses wget on a machine without curl'), async () => {
    expect(await install({ PATH: await pathWith(...PROGRAMS, 'wget') })).toMatchObject({ code: 0, stderr: '' });
  });

  test.each([
    ['curl or wget', PROGRAMS],
    ['sha256sum or shasum', without('sha256sum')],
  ])('says that it needs %s', async (missing, programs) => {
    await refused({ PATH: await pathWith(...programs) }, new RegExp(`^Error: .* ${missing}`, 'm'));
  });

  test.each(['Linux riscv64'])('on %s it names the npm package instead', async (machine) => {
    const folder = await pathWith(...without('uname'));
    writeFileSync(join(folder, 'uname'), `#!/bin/sh\necho ${machine}\n`);
    chmodSync(join(folder, 'uname'), 0o755);
    await refused(
      { PATH: folder },
      new RegExp(`^Error: There is no executable for ${machine}\\. .* npm install -g svc-cli`),
    );
  });

  test.skipIf(!CAN_MOUNT)('a full disk leaves the old svc, and nothing else', async () => {
    const folder = tmpfs('size=64k');
    const filler = openSync(join(folder, 'filler'), 'w');
    expect(() => {
      for (;;) writeSync(filler, Buffer.alloc(4_096));
    }).toThrow('ENOSPC');
    closeSync(filler);
    await refused({ SVC_INSTALL_DIR: folder }, /^Error: .*$/m);
    expect(readdirSync(folder).sort()).toEqual(['filler', 'svc']);
    expect(readFileSync(join(folder, 'svc'), 'utf8')).toBe('old');
  });

  test.skipIf(!CAN_MOUNT)('a folder in which no program can run is named, and the old svc stays', async () => {
    const folder = tmpfs('size=4m,noexec');
    await refused({ SVC_INSTALL_DIR: folder }, /Error: The executable does not run in .*\. Nothing was installed\./);
    expect(readFileSync(join(folder, 'svc'), 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['svc']);
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
});
