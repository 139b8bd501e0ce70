import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deb, tarXz, zip } from '../../scripts/release/archives.mjs';
import { debEntries } from '../../scripts/release/build.mjs';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/svc.ts';
import { archiver, TIME } from './stand-ins.ts';

const ROOT = join(import.meta.dirname, '../..');
const unzip = needs('unzip');
const run = (program: string, ...words: readonly string[]) =>
  execFileSync(program, words, { encoding: 'utf8', env: { ...process.env, TZ: 'UTC' }, stdio: 'pipe' });

const ENTRIES = [
  { path: 'svc/more', mode: 0o755, data: Buffer.from('more than a block\n'.repeat(1_000)) },
  { path: 'svc/-a block', mode: 0o644, data: Buffer.alloc(512, 'b') },
  { path: 'svc/empty', mode: 0o600, data: Buffer.alloc(0) },
];

describe.skipIf(archiver.missing)(archiver.title('archives are read by the programs that users have'), () => {
  /** Expects the files with their bytes, modes and times in a folder. */
  function expectEntries(folder: string): void {
    for (const { path, mode, data } of ENTRIES) {
      const { mode: found, mtimeMs } = statSync(join(folder, path));
      expect([found & 0o777, mtimeMs]).toEqual([mode, TIME * 1_000]);
      expect(readFileSync(join(folder, path))).toEqual(data);
    }
  }

  test('tar, compressed with xz: also the owners, and in alphabetical order', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'x.tar.xz');
    writeFileSync(file, tarXz(ENTRIES, TIME, 0));
    const lines = run('tar', '-tvf', file).trimEnd().split('\n');
    expect(lines.every((line) => line.includes(' root/root ') && line.includes('2026-03-04 05:06'))).toBe(true);
    expect(lines.map((line) => line.replace(/.* svc/, 'svc'))).toEqual(['svc/-a block', 'svc/empty', 'svc/more']);
    run('tar', '-xpf', file, '-C', folder);
    expectEntries(folder);
  });

  test.skipIf(unzip.missing)(unzip.title('zip'), async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'x.zip');
    writeFileSync(file, zip(ENTRIES, TIME));
    expect(run(unzip.path, '-Z1', file)).toBe('svc/-a block\nsvc/empty\nsvc/more\n');
    run(unzip.path, '-q', file, '-d', folder);
    expectEntries(folder);
  });
});

describe.skipIf(archiver.missing)(archiver.title('the Debian package'), () => {
  const { author, description } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const about = { version: '1.2.0-rc.1', author, description, homepage: 'https://example.com/svc' };

  async function written(architecture: string): Promise<string> {
    const read = (path: string) => readFileSync(join(ROOT, path));
    const executable = Buffer.from('#!/bin/sh\necho 1.2.0-rc.1\n');
    const pages = ['docs/agents.md', 'skills/svc/SKILL.md'];
    const entries = debEntries({ architecture, executable, read, notices: 'notices\n', pages, about });
    const file = join(await temporaryFolder(), 'svc.deb');
    writeFileSync(file, deb(entries, TIME, 0));
    return file;
  }

  test('holds the program, man page, completions, docs and licences, all owned by root', async () => {
    const file = await written('amd64');
    const lines = run('dpkg-deb', '--contents', file).trimEnd().split('\n');
    expect(lines.filter((line) => !line.includes(' root/root '))).toEqual([]);
    const files = lines.filter((line) => line.startsWith('-')).map((line) => line.replace(/^.* \.\//, ''));
    expect(files).toEqual([
      'usr/bin/svc',
      'usr/share/bash-completion/completions/svc',
      'usr/share/doc/svc-cli/copyright',
      'usr/share/doc/svc-cli/docs/agents.md',
      'usr/share/doc/svc-cli/skills/svc/SKILL.md',
      'usr/share/fish/vendor_completions.d/svc.fish',
      'usr/share/man/man1/svc.1.gz',
      'usr/share/zsh/vendor-completions/_svc',
    ]);
    const folder = await temporaryFolder();
    run('dpkg-deb', '--extract', file, folder);
    const inside = (path: string) => join(folder, 'usr', path);
    expect(run(inside('bin/svc'))).toBe('1.2.0-rc.1\n');
    const page = readFileSync(join(ROOT, 'dist/man/svc.1'), 'utf8');
    expect(run('zcat', inside('share/man/man1/svc.1.gz'))).toBe(page);
    const copyright = readFileSync(inside('share/doc/svc-cli/copyright'), 'utf8');
    expect(copyright).toBe(`${readFileSync(join(ROOT, 'LICENSE'), 'utf8')}\nnotices\n`);
  });

  test('says what it is and needs, that daemontools has a svc too, and sorts before its release', async () => {
    const fields = run('dpkg-deb', '--field', await written('arm64'));
    for (const line of [
      'Package: svc-cli',
      'Version: 1.2.0~rc.1',
      'Architecture: arm64',
      'Depends: libc6 (>= 2.17)',
      'Conflicts: daemontools',
    ])
      expect(fields).toContain(`${line}\n`);
  });
});
