import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const ROOT = join(import.meta.dirname, '../..');
const BIN = join(ROOT, 'bin/svc.cjs');

/** Modules of Node that cost milliseconds, and that a single request over http need not load. */
const SLOW =
  /^(crypto|child_process|dgram|dns|tls|https|http2|readline|perf_hooks|url|util|worker_threads|internal\/modules\/esm\/|internal\/fs\/promises|internal\/webstreams)/;

type Loads = Readonly<Record<'files' | 'modules', readonly string[]>>;

/** Runs the built program and tells what it loaded. */
async function load(line: string, url = '') {
  const folder = await temporaryFolder();
  const LOADS = join(folder, 'loads.json');
  const run = await execa(
    process.execPath,
    ['--require', join(ROOT, 'test/support/loads.cjs'), BIN, ...line.split(' ')],
    {
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        LOADS,
        SVC_TOKEN: 'svc_0123456789',
        SVC_API_URL: url,
      },
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    },
  );
  const { files, modules }: Loads = JSON.parse(readFileSync(LOADS, 'utf8'));
  const chunks = files
    .filter((file) => basename(dirname(file)) === 'dist')
    .map((file) => basename(file));
  return { run, chunks, modules };
}

test.each(['--version', '--help'])('what needs no program loads none: %s', async (word) => {
  const { run, chunks, modules } = await load(word);
  expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/./) });
  expect([...chunks, ...modules.filter((name) => /^(net|tty|stream)$/.test(name))]).toEqual([]);
});

test.each(['--version', 'whoami'])(
  'in a clone that was not built, svc %s says so in a line',
  async (word) => {
    const bin = join(await temporaryFolder(), 'bin');
    mkdirSync(bin);
    copyFileSync(BIN, join(bin, 'svc.cjs'));
    const stderr = 'Error: This clone of svc is not built. Run in its folder: npm run build';
    const run = await execa(process.execPath, [join(bin, 'svc.cjs'), word], { reject: false });
    expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr });
  },
);

test('a command with one request reads a few files of the program, and no slow module of Node', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(200, '{"user":{"email":"a@example.com"}}');
  const { run, chunks, modules } = await load('whoami --json', wire.url);
  expect(run).toMatchObject({ stdout: '{"user":{"email":"a@example.com"}}', stderr: '' });
  const kinds = chunks.map((chunk) => chunk.replace(/(-\w+)?\.cjs$/, ''));
  expect(new Set(kinds)).toEqual(new Set(['main', 'whoami', 'chunk']));
  expect(chunks.length).toBeLessThan(8);
  expect(modules.filter((name) => SLOW.test(name))).toEqual([]);
});
