import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deb } from '../../scripts/release/deb.mjs';
import { tar, xz } from '../../scripts/release/tar.mjs';
import { zip } from '../../scripts/release/zip.mjs';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/svc.ts';
import { TIME } from './stand-ins.ts';

const ROOT = join(import.meta.dirname, '../..');
const [unzip, dpkgDeb] = [needs('unzip'), needs('dpkg-deb', 'dpkg')];
const run = (program: string, ...words: readonly string[]) =>
  execFileSync(program, words, { encoding: 'utf8', env: { ...process.env, TZ: 'UTC' }, stdio: 'pipe' });

const ENTRIES = [
  { path: 'svc/empty', mode: 0o644, data: Buffer.alloc(0) },
  { path: 'svc/a block', mode: 0o644, data: Buffer.alloc(512, 'b') },
  { path: 'svc/more', mode: 0o755, data: Buffer.from('more than a block\n'.repeat(1_000)) },
];

describe('archives are read by the programs that users have', () => {
  test('tar, compressed with xz: names, bytes, modes, owners and times', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'x.tar.xz');
    writeFileSync(file, xz(tar([{ path: 'svc/', mode: 0o755 }, ...ENTRIES], TIME), 0));
    const lines = run('tar', '-tvf', file).trimEnd().split('\n');
    expect(lines.every((line) => line.includes(' root/root ') && line.includes('2026-03-04 05:06'))).toBe(true);
    run('tar', '-xf', file, '-C', folder);
    for (const { path, mode, data } of ENTRIES) {
      expect(readFileSync(join(folder, path))).toEqual(data);
      expect(statSync(join(folder, path)).mode & 0o700).toBe(mode & 0o700);
      expect(statSync(join(folder, path)).mtimeMs).toBe(TIME * 1_000);
    }
  });

  test('a path that does not fit into tar is refused', () => {
    expect(() => tar([{ path: 'a'.repeat(101), mode: 0o644, data: Buffer.alloc(0) }], TIME)).toThrow('too long');
  });

  test.skipIf(unzip.missing)(unzip.title('zip: names, bytes, modes and times'), async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'x.zip');
    writeFileSync(file, zip(ENTRIES, TIME));
    expect(run(unzip.path, '-t', file)).toContain('No errors detected');
    run(unzip.path, '-q', file, '-d', folder);
    for (const { path, mode, data } of ENTRIES) {
      expect(readFileSync(join(folder, path))).toEqual(data);
      expect(statSync(join(folder, path)).mode & 0o700).toBe(mode & 0o700);
      expect(statSync(join(folder, path)).mtimeMs).toBe(TIME * 1_000);
    }
  });
});

describe('the Debian package', () => {
  const { author, description } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const about = { version: '1.2.0-rc.1', author, description, homepage: 'https://example.com/svc' };
  const make = (architecture: string) => {
    const read = (path: string) => readFileSync(join(ROOT, path));
    const executable = Buffer.from('#!/bin/sh\necho 1.2.0-rc.1\n');
    const pages = ['docs/agents.md', 'skills/svc/SKILL.md'];
    return deb({ architecture, executable, read, notices: 'notices\n', pages, about, time: TIME, level: 0 });
  };

  async function written(architecture = 'amd64'): Promise<string> {
    const { name, bytes } = make(architecture);
    const file = join(await temporaryFolder(), name);
    writeFileSync(file, bytes);
    return file;
  }

  test('is named for its architecture, and a pre-release sorts before its release', () => {
    expect(make('amd64').name).toBe('svc-cli_1.2.0~rc.1_amd64.deb');
    expect(make('arm64').name).toBe('svc-cli_1.2.0~rc.1_arm64.deb');
  });

  test.skipIf(dpkgDeb.missing)(
    dpkgDeb.title('holds the program, man page and completions, all owned by root'),
    async () => {
      const file = await written();
      const lines = run(dpkgDeb.path, '--contents', file).trimEnd().split('\n');
      expect(lines.filter((line) => !line.includes(' root/root '))).toEqual([]);
      const files = lines.filter((line) => line.startsWith('-')).map((line) => line.replace(/^.* \.\//, ''));
      expect(files).toEqual([
        'usr/bin/svc',
        'usr/share/bash-completion/completions/svc',
        'usr/share/doc/svc-cli/THIRD-PARTY-NOTICES.gz',
        'usr/share/doc/svc-cli/changelog.gz',
        'usr/share/doc/svc-cli/copyright',
        'usr/share/doc/svc-cli/docs/agents.md',
        'usr/share/doc/svc-cli/skills/svc/SKILL.md',
        'usr/share/fish/vendor_completions.d/svc.fish',
        'usr/share/lintian/overrides/svc-cli',
        'usr/share/man/man1/svc.1.gz',
        'usr/share/zsh/vendor-completions/_svc',
      ]);
      const folder = await temporaryFolder();
      run(dpkgDeb.path, '--extract', file, folder);
      expect(run(join(folder, 'usr/bin/svc'))).toBe('1.2.0-rc.1\n');
      expect(run('zcat', join(folder, 'usr/share/man/man1/svc.1.gz'))).toBe(
        readFileSync(join(ROOT, 'dist/man/svc.1'), 'utf8'),
      );
    },
  );

  test.skipIf(dpkgDeb.missing)(dpkgDeb.title('says what it needs, and that daemontools has a svc too'), async () => {
    const fields = run(dpkgDeb.path, '--field', await written('arm64'));
    expect(fields).toContain('Architecture: arm64\n');
    expect(fields).toContain('Depends: libc6 (>= 2.17)\n');
    expect(fields).toContain('Conflicts: daemontools\n');
  });
});
