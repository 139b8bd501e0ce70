import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/svc.ts';
import { aRelease, archiver, newRelease, runRelease } from './stand-ins.ts';

const ROOT = join(import.meta.dirname, '../..');
const about = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const { version: BUN } = JSON.parse(readFileSync(join(ROOT, 'scripts/bun.json'), 'utf8'));
const [minisign, ruby] = [needs('minisign'), needs('ruby')];

/** Makes a pair of keys, if minisign is here. */
function keyIn(folder: string, name: string) {
  const [open, secret] = [join(folder, `${name}.pub`), join(folder, `${name}.key`)];
  if (!minisign.missing) execFileSync(minisign.path, ['-G', '-W', '-p', open, '-s', secret], { stdio: 'pipe' });
  return { open, secret };
}

/** What makes a release, without its history. */
async function cloned(): Promise<string> {
  const folder = await temporaryFolder();
  for (const path of ['scripts', 'package.json']) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  return folder;
}

describe.skipIf(archiver.missing)(archiver.title('a release'), () => {
  let release: string;
  /** The same for another user in another time zone, signed if possible. */
  let again: string;
  let [ours, theirs] = [
    { open: '', secret: '' },
    { open: '', secret: '' },
  ];
  beforeAll(async () => {
    release = await aRelease();
    const home = await mkdtemp(join(inject('scratch'), 'keys-'));
    [ours, theirs] = [keyIn(home, 'ours'), keyIn(home, 'theirs')];
    const before = process.umask(0o077);
    const archiving = { XZ_DEFAULTS: '-9', ZIPOPT: '-1', TAR_OPTIONS: '--numeric-owner' };
    const env = { ...archiving, TZ: 'Asia/Tokyo', LC_ALL: 'C', HOME: home };
    const signing = minisign.missing ? [] : ['--key', ours.secret];
    again = await newRelease(signing, env).finally(() => process.umask(before));
  });

  const sumOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
  const sumsOf = (folder: string) => new Map(readdirSync(folder).map((name) => [name, sumOf(join(folder, name))]));

  test('has a file for every way to install svc', () => {
    const archives = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].map((one) => `-${one}.tar.xz`);
    const parts = [...archives, '-windows-x64.zip', '.cdx.json'].map((end) => `svc-${about.version}${end}`);
    const packages = ['amd64', 'arm64'].map((one) => `svc-cli_${about.version}_${one}.deb`);
    const others = [`svc-cli-${about.version}.tgz`, 'svc.rb', 'install.sh', 'SHA256SUMS'];
    expect(readdirSync(release).sort()).toEqual([...parts, ...packages, ...others].sort());
  });

  test('is the same, byte for byte, for another user in another time zone', () => {
    const sums = sumsOf(again);
    expect(sums.delete('SHA256SUMS.minisig')).toBe(!minisign.missing);
    expect(sums).toEqual(sumsOf(release));
  });

  test('passes its own check: each part is installed and run', async () => {
    const { code, output } = await runRelease(['--check', '--output', release]);
    expect(output).not.toContain('FAILED');
    expect(code).toBe(0);
    // These need a key and root.
    const untried = output.split('\n').filter((line) => line.startsWith('not tried'));
    expect(untried.filter((line) => !/signature|installed with apt/.test(line))).toEqual([]);
  });

  test.each([
    ['install.sh', 'FAILED     SHA256SUMS names every file, and each has its sum: install.sh has another sum.\n'],
    ['svc-9.9.9-linux-x64.tar.xz', expect.stringContaining('svc-9.9.9-linux-x64.tar.xz is not listed')],
  ])('fails the check, and is not run, if %s is another or one too many', async (name, output) => {
    const folder = join(await temporaryFolder(), 'release');
    cpSync(release, folder, { recursive: true });
    appendFileSync(join(folder, name), '\n');
    expect(await runRelease(['--check', '--output', folder])).toEqual({ code: 1, output });
  });

  test('is what docs/start.md says: its files are there, and it is verified as shown', () => {
    const page = readFileSync(join(ROOT, 'docs/start.md'), 'utf8');
    const [, install = ''] = /^## Install\n([\s\S]*?)^## /m.exec(page) ?? [];
    const named = install.match(/[\w.<>*-]+\.(?:sh|deb|zip|rb)\b/g) ?? [];
    expect(named.length).toBeGreaterThan(3);
    const present = readdirSync(release);
    const pattern = (name: string) => name.replaceAll(/\.|<version>|\*/g, (part) => (part === '.' ? '\\.' : '.+'));
    const fits = (name: string) => present.some((file) => new RegExp(`${pattern(name)}$`).test(file));
    expect(named.filter((name) => !fits(name))).toEqual([]);
    const [line = ''] = /^sha256sum .*?(?= {2})/m.exec(install) ?? [];
    expect(execFileSync('sh', ['-c', line], { cwd: release, encoding: 'utf8' })).toContain('install.sh: OK');
  });

  test.skipIf(minisign.missing)(minisign.title('is signed with a key, and fails the check with another'), async () => {
    const sign = readFileSync(join(again, 'SHA256SUMS.minisig'), 'utf8');
    expect(sign).toContain(`trusted comment: svc ${about.version}\n`);
    const wrong = await runRelease(['--check', '--output', again, '--public-key', theirs.open]);
    expect(wrong.code).toBe(1);
    expect(wrong.output).toContain('FAILED     the signature');
    const words = ['-V', '-p', ours.open, '-m', join(again, 'SHA256SUMS')];
    expect(() => execFileSync(minisign.path, words, { stdio: 'pipe' })).not.toThrow();
  });

  test('is not made for a tag of another version or without a date, or for another repository', async () => {
    const output = `Error: The tag v99.0.0 is not v${about.version}, which package.json says.\n`;
    expect(await runRelease(['--tag', 'v99.0.0'])).toEqual({ code: 2, output });
    const other = await runRelease(['--repository', 'https://github.com/somebody/else']);
    expect(other).toEqual({ code: 2, output: expect.stringContaining('set it, bugs and author there') });
    const clone = await cloned();
    writeFileSync(join(clone, 'CHANGELOG.md'), `# Changelog\n\n## ${about.version} (not released yet)\n`);
    const undated = await runRelease(['--tag', `v${about.version}`], {}, join(clone, 'scripts/release.mjs'));
    expect(undated.output).toBe(`Error: The CHANGELOG has no heading "## ${about.version} (<year>-<month>-<day>)".\n`);
  });

  test('is made of a commit: not of changes, unless it is only tried', async () => {
    const clone = await cloned();
    const run = (words: readonly string[], env: NodeJS.ProcessEnv = {}) =>
      runRelease(['--executables', clone, ...words], env, join(clone, 'scripts/release.mjs'));
    const nowhere = { GIT_CEILING_DIRECTORIES: dirname(clone), SOURCE_DATE_EPOCH: '' };
    expect((await run([], nowhere)).output).toMatch(/^Error: There is no git repository here: set SOURCE_DATE_EPOCH /);
    const git = (...words: readonly string[]) => execFileSync('git', ['-C', clone, ...words], { stdio: 'pipe' });
    git('init');
    git('add', '.');
    git('-c', 'user.name=ann', '-c', 'user.email=ann@example.com', 'commit', '-m', 'one');
    expect((await run([])).output).not.toContain('committed');
    writeFileSync(join(clone, 'note'), '');
    const output = 'Error: A release is made of a commit, and these changes are not committed:\n?? note\n';
    expect(await run([])).toEqual({ code: 2, output });
    expect((await run(['--fast'])).output).not.toContain('committed');
  });

  test.skipIf(ruby.missing).each(['darwin-arm64', 'linux-x64'])(
    ruby.title('has a Homebrew formula that takes the archive for %s, and installs files that are in it'),
    async (platform) => {
      const words = ['-W', join(import.meta.dirname, 'homebrew.rb'), join(release, 'svc.rb'), platform];
      const { url, sha256, files } = JSON.parse(execFileSync(ruby.path, words, { encoding: 'utf8' }));
      const archive = `svc-${about.version}-${platform}.tar.xz`;
      expect([basename(url), sha256]).toEqual([archive, sumsOf(release).get(archive)]);
      const folder = await temporaryFolder();
      // Homebrew enters the one folder of an archive.
      execFileSync('tar', ['-xf', join(release, archive), '-C', folder, '--strip-components=1']);
      const present = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      expect(files).toContain('svc');
      expect(files.filter((file: string) => !present.includes(file))).toEqual([]);
    },
  );

  test('has the licences of the runtime that is inside, and of the packages', async () => {
    const folder = await temporaryFolder();
    execFileSync('tar', ['-xf', join(release, `svc-${about.version}-linux-x64.tar.xz`), '-C', folder]);
    const notices = readFileSync(join(folder, `svc-${about.version}-linux-x64/THIRD-PARTY-NOTICES`), 'utf8');
    expect(notices).toContain(readFileSync(join(ROOT, 'dist/THIRD-PARTY-NOTICES'), 'utf8'));
    for (const heading of [`== Bun ${BUN} (MIT)`, '== In Bun: JavaScriptCore', '== In Bun: BoringSSL'])
      expect(notices).toContain(heading);
  });
});
