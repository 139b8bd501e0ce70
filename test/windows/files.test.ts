import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Step, SVC, startWindows, wine } from './wine.ts';

/** Text as Windows PowerShell writes it: UTF-16 with a byte order mark. */
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
/** Text as editors of Windows may write it. */
const marked = (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`;

const WRITERS = 16;
const store = 'C:\\store';
const signIn = (profile: string, rest: Partial<Step> = {}): Step => ({
  words: ['svc', 'login', '--with-token', '--profile', profile, '--json'],
  input: '$SVC_TOKEN\r\n',
  env: { SVC_CONFIG_DIR: store },
  unset: ['SVC_TOKEN', 'SVC_ORG'],
  ...rest,
});

describe.skipIf(wine.missing)(wine.title('files on Windows'), () => {
  test('settings and sign-ins are kept in the local profile', async () => {
    const { run, drive } = await startWindows();
    const [set, list] = await run(
      [
        { words: ['svc', 'config', 'set', 'service', 'svc_wp_7k2m9qx4'] },
        { words: ['svc', 'config', 'list', '--json'] },
      ],
      { lanes: 1 },
    );
    expect(set?.exitCode, set?.stderr).toBe(0);
    expect(existsSync(join(drive, 'users/tester/AppData/Local/svc/config.json'))).toBe(true);
    expect(list?.stdout).toContain('AppData\\\\Local\\\\svc');
    const folders = { LOCALAPPDATA: '', USERPROFILE: 'C:\\other' };
    const [other, relative] = await run([
      { words: ['svc', 'config', 'list'], env: folders },
      { words: ['svc', 'config', 'list'], env: { SVC_CONFIG_DIR: 'C:store' } },
    ]);
    expect(other?.stdout).toContain('C:\\other\\AppData\\Local\\svc');
    expect(relative?.stderr).toContain('SVC_CONFIG_DIR must be an absolute path.');
  });

  test('files with CRLF, a byte order mark, or in UTF-16 are read', async () => {
    const { run, drive } = await startWindows();
    const at = (name: string) => join(drive, 'texts', name);
    await mkdir(at('linked'), { recursive: true });
    const zone = '$ORIGIN kola-studio.example.\n$TTL 300\n@ IN A 192.0.2.7\n@ IN TXT "v=spf1 -all"\nwww IN CNAME @\n';
    await writeFile(at('zone.txt'), marked(zone));
    await writeFile(at('zone16.txt'), utf16(zone));
    await writeFile(at('items.json'), utf16('[{"planId": "plan_wp_pro"}]\r\n'));
    await writeFile(at('linked/.svc.json'), utf16('{\r\n"service": "svc_app_3n8v5tzd"\r\n}\r\n'));
    const here = { cwd: 'C:\\texts' };
    const token = "require('node:fs').writeFileSync";
    const ends = await run(
      [
        {
          words: ['node', '-e', `${token}('token.txt', '\\uFEFF' + process.env.SVC_TOKEN + '\\r\\n', 'utf16le')`],
          ...here,
        },
        {
          words: ['svc', 'domains', 'add', 'kola-studio.example', '--import', '--records', 'zone.txt', '--dry-run'],
          ...here,
        },
        {
          words: ['svc', 'domains', 'add', 'kola-studio.example', '--import', '--records', 'zone16.txt', '--dry-run'],
          ...here,
        },
        { words: ['svc', 'buy', '--items', 'items.json', '--dry-run'], ...here },
        { words: ['svc', 'restart', '--dry-run'], cwd: 'C:\\texts\\linked', unset: ['SVC_SERVICE'] },
        {
          words: ['svc', 'whoami', '--jq', '.authMethod'],
          ...here,
          unset: ['SVC_TOKEN'],
          env: { SVC_TOKEN_FILE: 'token.txt' },
        },
      ],
      { inSandbox: true, lanes: 1 },
    );
    expect(
      ends.map(({ exitCode }) => exitCode),
      JSON.stringify(ends),
    ).toEqual([0, 0, 0, 0, 0, 0]);
    const [, crlf, wide, , linked, who] = ends;
    expect(crlf?.stdout).toContain('192.0.2.7');
    expect(wide?.stdout).toBe(crlf?.stdout);
    expect(linked?.stdout).toContain('svc_app_3n8v5tzd');
    expect(who?.stdout).toBe('api_token\n');
  });

  test('no file is made that other programs cannot open', async () => {
    const { run, drive } = await startWindows();
    await mkdir(join(drive, 'names'), { recursive: true });
    const names = ['nul', 'CON.json', 'plan:b', 'plan.', 'lpt1'];
    const ends = await run(
      names.map((name) => ({
        words: ['svc', 'domains', 'import', 'kola-studio.example', '--output', name],
        cwd: 'C:\\names',
      })),
      { inSandbox: true },
    );
    for (const [index, name] of names.entries()) {
      expect(ends[index], name).toMatchObject({ exitCode: 2 });
      expect(ends[index]?.stderr).toContain('can be called');
    }
    expect(await readdir(join(drive, 'names'))).toEqual([]);
  });

  test('a file that another program reads is replaced as soon as it is closed', async () => {
    const { run, drive } = await startWindows();
    await mkdir(join(drive, 'held'), { recursive: true });
    const file = 'C:\\held\\config.json';
    await writeFile(join(drive, 'held/config.json'), '{}');
    // The reader opens the file, starts svc, and closes the file after a while or when svc has given up.
    const reader = `const { openSync, closeSync } = require('node:fs');
const held = openSync(${JSON.stringify(file)}, 'r');
const child = require('node:child_process').spawn(process.argv[1], process.argv.slice(3), { stdio: 'inherit' });
child.on('exit', (code) => { process.exitCode = code; if (process.argv[2] === 'end') closeSync(held); });
if (process.argv[2] !== 'end') setTimeout(() => closeSync(held), Number(process.argv[2]));`;
    const change = (until: string): Step => ({
      words: [
        'node',
        '-e',
        reader,
        ...SVC.slice(0, 1),
        until,
        ...SVC.slice(1),
        'config',
        'set',
        'org',
        `held-${until}`,
      ],
      env: { SVC_CONFIG_DIR: 'C:\\held' },
    });
    const [brief, long] = await run([change('1500'), change('end')], { lanes: 1 });
    expect(brief, brief?.stderr).toMatchObject({ exitCode: 0 });
    expect(long).toMatchObject({ exitCode: 2 });
    expect(long?.stderr).toContain('Cannot');
    expect(JSON.parse(await readFile(join(drive, 'held/config.json'), 'utf8'))).toEqual({
      version: 1,
      org: 'held-1500',
    });
    expect(await readdir(join(drive, 'held'))).toEqual(['config.json']);
  });

  test(`${WRITERS} processes sign in at once, some are killed, and nothing is lost or left behind`, async () => {
    const { run, drive } = await startWindows();
    const folder = join(drive, 'store');
    const stored = async () => {
      const { credentials } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8'));
      return credentials.map(({ profile }: { profile: string }) => profile).sort();
    };
    const writers = Array.from({ length: WRITERS }, (_, number) => signIn(`writer-${number}`));
    const killed = Array.from({ length: WRITERS }, (_, number) =>
      signIn(`killed-${number}`, { killAfterMs: 300 + 250 * number }),
    );
    const ends = await run([...writers, ...killed], { inSandbox: true, lanes: WRITERS });
    expect(ends.slice(0, WRITERS).filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
    const said = [...writers, ...killed].filter((_, index) => ends[index]?.exitCode === 0);
    expect(ends.filter(({ exitCode }) => exitCode === -2).length, 'killed').toBeGreaterThan(3);
    const profiles = await stored();
    for (const { words } of said) expect(profiles).toContain(words[4]);
    // The next writer removes what the killed ones left.
    const [last] = await run([signIn('last')], { inSandbox: true });
    expect(last, last?.stderr).toMatchObject({ exitCode: 0 });
    expect(await stored()).toContain('last');
    expect(await readdir(folder)).toEqual(['credentials.json']);
  });
});
