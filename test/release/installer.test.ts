import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
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
import { aRelease } from './stand-ins.ts';

const [shellcheck, wget] = [needs('shellcheck'), needs('wget')];
const ROOT = join(import.meta.dirname, '../..');
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

  async function install(env: Readonly<Record<string, string>> = {}, cwd = '/', words: readonly string[] = []) {
    const HOME = await temporaryFolder();
    const TMPDIR = await temporaryFolder();
    const all = { PATH: process.env['PATH'], HOME, TMPDIR, SVC_DOWNLOAD_URL: server.url, ...env };
    const ran = await promisify(execFile)('/bin/sh', [join(release, 'install.sh'), ...words], { env: all, cwd }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
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

  test('--uninstall removes what it installed, names what it leaves, and can be repeated', async () => {
    const { HOME } = await install();
    const svc = join(HOME, '.local/bin/svc');
    for (const folder of ['fish/completions', 'svc']) mkdirSync(join(HOME, '.config', folder), { recursive: true });
    cpSync(join(ROOT, 'completions/svc.fish'), join(HOME, '.config/fish/completions/svc.fish'));
    const { code, stdout, stderr } = await install({ HOME }, '/', ['--uninstall']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Removed ${svc}\n`);
    expect(stdout).toContain(`Removed ${HOME}/.config/fish/completions/svc.fish.`);
    expect(stdout).toContain(`${HOME}/.config/svc`);
    const left = readdirSync(HOME, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(left.map(({ name }) => name)).toEqual([]);
    const again = await install({ HOME }, '/', ['--uninstall']);
    expect(again).toMatchObject({ code: 0, stdout: `There is no svc in ${HOME}/.local/bin.\n` });
  });

  test('refuses an option that it does not have', async () => {
    const { code, stderr, HOME } = await install({}, '/', ['--prefix']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'Error: There is no option --prefix. To remove svc: sh install.sh --uninstall\n',
    });
    expect(readdirSync(HOME)).toEqual([]);
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

  describe('whatever the machine is like', () => {
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
      expect(code).toBe(1);
      expect(stderr).toContain(`Error: Cannot write ${folder}/svc. Nothing was installed.`);
      expect(readdirSync(folder).sort()).toEqual(['filler', 'svc']);
      expect(readFileSync(join(folder, 'svc'), 'utf8')).toBe('old');
    });

    test('a folder that is called svc is refused before anything is downloaded', async () => {
      const folder = await temporaryFolder();
      mkdirSync(join(folder, 'svc'));
      const { code, stdout, stderr } = await install({ SVC_INSTALL_DIR: folder });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toBe(`Error: ${folder}/svc is a folder. Remove it, or set SVC_INSTALL_DIR to another folder.\n`);
      expect(readdirSync(join(folder, 'svc'))).toEqual([]);
    });

    test.each(['svc', 'svc.new'])('a link that is called %s is not followed', async (name) => {
      const folder = await temporaryFolder();
      const precious = join(await temporaryFolder(), 'precious');
      writeFileSync(precious, 'precious');
      symlinkSync(precious, join(folder, name));
      expect(await install({ SVC_INSTALL_DIR: folder })).toMatchObject({ code: 0 });
      expect(readFileSync(precious, 'utf8')).toBe('precious');
      expect(lstatSync(join(folder, 'svc')).isFile()).toBe(true);
    });

    test('a curl before 7.67 will do', async () => {
      const folder = await pathWith(...PROGRAMS);
      const refuses = 'case " $* " in *" --no-progress-meter "*) echo "curl: option is unknown" >&2; exit 2 ;; esac';
      writeFileSync(join(folder, 'curl'), `#!/bin/sh\n${refuses}\nexec ${findProgram('curl')} "$@"\n`);
      chmodSync(join(folder, 'curl'), 0o755);
      expect(await install({ PATH: folder })).toMatchObject({ code: 0, stderr: '' });
    });

    test.skipIf(!CAN_MOUNT)('a TMPDIR in which no program can run is named', async () => {
      const TMPDIR = tmpfs('size=4m,noexec');
      const { code, stderr, HOME } = await install({ TMPDIR });
      expect(code).toBe(1);
      expect(stderr).toBe(
        `Error: No program can run in ${TMPDIR}: set TMPDIR to another folder. Nothing was installed.\n`,
      );
      expect([readdirSync(TMPDIR), readdirSync(HOME)]).toEqual([[], []]);
    });

    test.skipIf(!CAN_MOUNT)('a target in which no program can run is named', async () => {
      const folder = tmpfs('size=4m,noexec');
      const { code, stderr } = await install({ SVC_INSTALL_DIR: folder });
      expect(code).toBe(1);
      expect(stderr).toContain(`Error: No program can run in ${folder}.`);
    });

    test('a TMPDIR that does not exist is named', async () => {
      const { code, stderr, HOME } = await install({ TMPDIR: '/nonexistent' });
      expect(code).toBe(1);
      expect(stderr).toContain('Error: Cannot make a temporary folder. Set TMPDIR to a folder that you can write.');
      expect(readdirSync(HOME)).toEqual([]);
    });

    test('without a place for the man page svc is installed, and a warning says what is missing', async () => {
      const HOME = await temporaryFolder();
      mkdirSync(join(HOME, '.local'));
      writeFileSync(join(HOME, '.local/share'), 'a file');
      const { code, stdout, stderr } = await install({ HOME });
      expect(code).toBe(0);
      expect(stderr).toBe(
        ['man/man1/svc.1', 'doc/svc/THIRD-PARTY-NOTICES']
          .map((file) => `Warning: Cannot write ${HOME}/.local/share/${file}. svc works without it.\n`)
          .join(''),
      );
      expect(stdout).toContain(`Next: add ${HOME}/.local/bin to your PATH`);
    });

    test('a target that cannot be made is named, with another way', async () => {
      const file = join(await temporaryFolder(), 'file');
      writeFileSync(file, '');
      const { code, stderr } = await install({ SVC_INSTALL_DIR: file });
      expect(code).toBe(1);
      expect(stderr).toContain(
        `Error: Cannot write ${file}/svc. Nothing was installed. To install elsewhere, set SVC_INSTALL_DIR.`,
      );
    });

    test('a relative folder is the one in the current folder', async () => {
      const cwd = await temporaryFolder();
      const { code, stdout } = await install({ SVC_INSTALL_DIR: '-programs' }, cwd);
      expect(code).toBe(0);
      expect(stdout).toContain(`add ${cwd}/-programs to your PATH`);
      expect(readdirSync(join(cwd, '-programs'))).toEqual(['svc']);
    });
  });
});
