import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/svc.ts';
import { LOCALHOST_TLS } from '../support/tcp.ts';
import { testWire } from '../support/wire.ts';

const ROOT = join(import.meta.dirname, '../..');
const BIN = join(ROOT, 'bin/svc.cjs');
const TRACE = join(ROOT, 'test/support/loads.cjs');

/** Modules of Node that cost milliseconds, and that a single request over http need not load. */
const SLOW =
  /^(crypto|child_process|dgram|dns|tls|https|http2|readline|perf_hooks|url|util|worker_threads|internal\/modules\/esm\/|internal\/fs\/promises|internal\/webstreams)/;

interface Loads {
  readonly files: readonly string[];
  readonly modules: readonly string[];
  readonly atConnect?: readonly string[];
}

/** Runs the built program and tells what it loaded. */
async function load(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const folder = await temporaryFolder();
  const loads = join(folder, 'loads.json');
  const run = await execa(process.execPath, ['--require', TRACE, BIN, ...words], {
    env: { PATH: process.env['PATH'], HOME: folder, LOADS: loads, ...env },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  });
  const { files, modules, atConnect }: Loads = JSON.parse(readFileSync(loads, 'utf8'));
  const chunks = files.filter((file) => basename(dirname(file)) === 'dist').map((file) => basename(file));
  return { run, chunks, modules, atConnect };
}

describe('what needs no program loads none', () => {
  test.each(['--version', '--help'])('%s', async (word) => {
    const { run, chunks, modules } = await load([word]);
    expect(run.exitCode).toBe(0);
    expect(run.stdout).not.toBe('');
    expect(chunks).toEqual([]);
    expect(modules.filter((name) => /^(net|tty|stream)$/.test(name))).toEqual([]);
  });
});

test.each(['--version', 'whoami'])('in a clone that was not built, %s says so in a line', async (word) => {
  const bin = join(await temporaryFolder(), 'bin');
  mkdirSync(bin);
  copyFileSync(BIN, join(bin, 'svc.cjs'));
  const run = await execa(process.execPath, [join(bin, 'svc.cjs'), word], { reject: false });
  expect({ exitCode: run.exitCode, stdout: run.stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(run.stderr).toBe('Error: This clone of svc is not built. Run in its folder: npm run build');
});

describe('a command with one request', () => {
  const answer = '{"user":{"email":"a@example.com"}}';
  const service = async () => {
    const wire = await testWire();
    wire.on('GET', '/v1/user').reply(200, answer);
    return { SVC_TOKEN: 'svc_0123456789', SVC_API_URL: wire.url };
  };

  test('reads a few files of the program, and no slow module of Node', async () => {
    const { run, chunks, modules } = await load(['whoami', '--json'], await service());
    expect(run.stderr).toBe('');
    expect(run.stdout).toBe(answer);
    expect(new Set(chunks.map(kindOf))).toEqual(new Set(['main', 'whoami', 'chunk']));
    expect(chunks.length).toBeLessThan(8);
    expect(modules.filter((name) => SLOW.test(name))).toEqual([]);
  });
});

test('https: the connection is on its way before TLS is loaded, which takes as long as a round trip', async () => {
  const wire = await testWire({ tls: LOCALHOST_TLS });
  const env = { SVC_TOKEN: 'svc_0123456789', SVC_API_URL: wire.url };
  const { run, modules, atConnect } = await load(['whoami', '--json', '--no-retry'], env);
  expect(run.stderr).toContain('does not come from an authority that this machine trusts');
  expect(modules).toContain('tls');
  expect(atConnect?.filter((name) => /tls|crypto|^http$/.test(name))).toEqual([]);
});

function kindOf(chunk: string): string {
  return chunk.replace(/(-\w+)?\.cjs$/, '');
}
