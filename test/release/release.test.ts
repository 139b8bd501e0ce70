import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/svc.ts';
import { aRelease, archiver, makeRelease, runRelease } from './stand-ins.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (...path: readonly string[]) => readFileSync(join(...path), 'utf8');
const { version } = JSON.parse(read(ROOT, 'package.json'));
const [minisign, ruby] = [needs('minisign'), needs('ruby')];

/** The files of a folder with their sums. */
function sumsOf(folder: string) {
  const sumOf = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  return new Map(readdirSync(folder).map((name) => [name, sumOf(name)]));
}

describe.skipIf(archiver.missing)(archiver.title('a release'), () => {
  let release: string;
  beforeAll(async () => {
    release = await aRelease();
  });

  test('has a file for every way to install svc, and the lines of docs/start.md verify them', () => {
    const archives = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].map(
      (one) => `-${one}.tar.xz`,
    );
    const parts = [...archives, '-windows-x64.zip', '.cdx.json'].map(
      (end) => `svc-${version}${end}`,
    );
    const packages = ['amd64', 'arm64'].map((one) => `svc-cli_${version}_${one}.deb`);
    const others = [`svc-cli-${version}.tgz`, 'svc.rb', 'install.sh', 'SHA256SUMS'];
    expect(readdirSync(release).sort()).toEqual([...parts, ...packages, ...others].sort());
    const [line = ''] = /^sha256sum .*?(?= {2})/m.exec(read(ROOT, 'docs/start.md')) ?? [];
    expect(execFileSync('sh', ['-c', line], { cwd: release, encoding: 'utf8' })).toContain(
      'install.sh: OK',
    );
  });

  test('is the same, byte for byte, for another user in another time zone; only its own key verifies it', async () => {
    const home = await temporaryFolder();
    if (!minisign.missing) {
      for (const name of ['ours', 'theirs']) {
        const words = [
          '-G',
          '-W',
          '-p',
          join(home, `${name}.pub`),
          '-s',
          join(home, `${name}.key`),
        ];
        execFileSync(minisign.path, words, { stdio: 'pipe' });
      }
    }
    const before = process.umask(0o077);
    const archiving = { XZ_DEFAULTS: '-9', ZIPOPT: '-1', TAR_OPTIONS: '--numeric-owner' };
    const env = { ...archiving, TZ: 'Asia/Tokyo', LC_ALL: 'C', HOME: home };
    const signing = minisign.missing ? [] : ['--key', join(home, 'ours.key')];
    const again = join(home, 'release');
    await makeRelease(again, signing, env).finally(() => process.umask(before));
    const sums = sumsOf(again);
    expect(sums.delete('SHA256SUMS.minisig')).toBe(!minisign.missing);
    expect(sums).toEqual(sumsOf(release));
    if (minisign.missing) return;
    expect(read(again, 'SHA256SUMS.minisig')).toContain(`trusted comment: svc ${version}\n`);
    const check = (name: string) =>
      runRelease(['--check', '--output', again, '--public-key', join(home, `${name}.pub`)]);
    expect(await check('theirs')).toEqual({
      code: 1,
      output: expect.stringContaining('FAILED     the signature'),
    });
    expect(await check('ours')).toEqual({ code: 0, output: expect.not.stringContaining('FAILED') });
  });

  test('passes its own check: each part is installed and run', async () => {
    const { code, output } = await runRelease(['--check', '--output', release]);
    expect([code, output]).toEqual([0, expect.not.stringContaining('FAILED')]);
    // These need a key and root.
    const untried = output.split('\n').filter((line) => line.startsWith('not tried'));
    expect(untried.filter((line) => !/signature|installed with apt/.test(line))).toEqual([]);
  });

  test.each([
    [
      'install.sh',
      'FAILED     SHA256SUMS names every file, and each has its sum: install.sh has another sum.\n',
    ],
    [
      'svc-9.9.9-linux-x64.tar.xz',
      expect.stringContaining('svc-9.9.9-linux-x64.tar.xz is not listed'),
    ],
  ])('fails the check, and is not run, if %s is another or one too many', async (name, output) => {
    const folder = join(await temporaryFolder(), 'release');
    cpSync(release, folder, { recursive: true });
    appendFileSync(join(folder, name), '\n');
    expect(await runRelease(['--check', '--output', folder])).toEqual({ code: 1, output });
  });

  test('is not made for a tag of another version', async () => {
    const output = `Error: The tag v99.0.0 is not v${version}, which package.json says.\n`;
    expect(await runRelease(['--tag', 'v99.0.0'])).toEqual({ code: 2, output });
  });

  test('is made of a commit: not of changes, unless it is only tried', async () => {
    // What makes a release, without its history.
    const clone = await temporaryFolder();
    for (const path of ['scripts', 'package.json'])
      cpSync(join(ROOT, path), join(clone, path), { recursive: true });
    const run = (words: readonly string[], env?: NodeJS.ProcessEnv) =>
      runRelease(['--executables', clone, ...words], env, join(clone, 'scripts/release.mjs'));
    const nowhere = { GIT_CEILING_DIRECTORIES: dirname(clone), SOURCE_DATE_EPOCH: '' };
    expect((await run([], nowhere)).output).toMatch(/^Error: There is no git repository here/);
    const git = (...more: readonly string[]) =>
      execFileSync('git', ['-C', clone, ...more], { stdio: 'pipe' });
    git('init');
    git('add', '.');
    git('-c', 'user.name=ann', '-c', 'user.email=ann@example.com', 'commit', '-m', 'one');
    expect((await run([])).output).not.toContain('committed');
    writeFileSync(join(clone, 'note'), '');
    expect(await run([])).toEqual({
      code: 2,
      output: expect.stringMatching(/not committed:\n\?\? note\n$/),
    });
    expect((await run(['--fast'])).output).not.toContain('committed');
  });

  test.skipIf(ruby.missing).each(['darwin-arm64', 'linux-x64'])(
    ruby.title(
      'has a Homebrew formula for %s: its archive has what is installed, and the licences of what is in it',
    ),
    async (platform) => {
      const words = [
        '-W',
        join(import.meta.dirname, 'homebrew.rb'),
        join(release, 'svc.rb'),
        platform,
      ];
      const { url, sha256, files } = JSON.parse(
        execFileSync(ruby.path, words, { encoding: 'utf8' }),
      );
      const archive = `svc-${version}-${platform}.tar.xz`;
      expect([basename(url), sha256]).toEqual([archive, sumsOf(release).get(archive)]);
      const folder = await temporaryFolder();
      // Homebrew enters the one folder of an archive.
      execFileSync('tar', ['-xf', join(release, archive), '-C', folder, '--strip-components=1']);
      const present = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      expect(files).toContain('svc');
      expect(files.filter((file: string) => !present.includes(file))).toEqual([]);
      const notices = read(folder, 'THIRD-PARTY-NOTICES');
      expect(notices).toContain(read(ROOT, 'dist/THIRD-PARTY-NOTICES'));
      expect(notices).toContain(
        `== Bun ${JSON.parse(read(ROOT, 'scripts/bun.json')).version} (MIT)`,
      );
    },
  );
});
