import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runtimeOf } from '../../src/runtime.ts';
import { builtExecutable, builtProgram, EXECUTABLE, PROGRAM } from '../support/program.ts';
import { temporaryFolder } from '../support/svc.ts';
import { AUTHORITY_FILE, issuedTls, LOCALHOST_CERT_FILE, LOCALHOST_TLS } from '../support/tcp.ts';
import { testWire, type Wire } from '../support/wire.ts';

type Env = Readonly<Record<string, string>>;

async function run(command: readonly string[], env: Env, cwd?: string) {
  const [file = '', ...words] = command;
  const HOME = await temporaryFolder();
  const own = { PATH: process.env['PATH'], HOME, SVC_TOKEN: 'svc_0123456789', SVC_NO_RETRY: '1', ...env };
  const options = { cwd: cwd ?? HOME, env: own, extendEnv: false, input: '', reject: false } as const;
  const { exitCode, stdout, stderr } = await execa(file, words, options);
  return { exitCode, stdout, stderr };
}

/** A command that uses `node:http`, and one that polls through undici. */
const ENGINES = [
  ['one request', ['api', '/v1/user']],
  ['many requests', ['wp', 'run', 'cache.flush', '--service', 's1', '--wait', '--json']],
] as const;

/** Plans the answers to both commands. */
function plan(wire: Wire, engine: string): void {
  if (engine === 'one request') return void wire.on('GET', '/v1/user').reply(200, {});
  const job = { jobId: 'job_1', action: 'cache.flush', status: 'queued' };
  wire.on('POST', '/v1/services/s1/actions').reply(202, job);
  wire.on('GET', '/v1/services/s1/actions/job_1').reply(200, { ...job, status: 'completed' });
}

test('pipes are read and written as files are', async () => {
  const wire = await testWire();
  for (const id of ['s1', 's2']) wire.on('POST', `/v1/services/${id}/restart`).reply(200, { success: true });
  wire
    .on('GET', '/v1/services/s1/metrics/history')
    .reply(200, { points: [{ time: new Date().toISOString(), cpu: 1 }] });
  const bash = (line: string) => {
    const svc = [...PROGRAM, '--yes'].map((word) => `'${word}'`).join(' ');
    return run(['bash', '-c', line.replace('svc', svc)], { SVC_API_URL: wire.url });
  };
  const restarted = await bash("svc restart --json --services <(sleep 0.2; printf 's1\\ns2\\n')");
  expect(restarted).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('"item":"s2"') });
  const line = 'mkfifo day.svg; timeout 60 cat day.svg & svc metrics s1 --history --quiet --output day.svg && wait';
  expect(await bash(line)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('</svg>') });
});

// Preloads a file into Node, which an executable does not.
if (EXECUTABLE === undefined) {
  test('a process that has nothing more to wait for is no success, and says so', async () => {
    const wire = await testWire();
    wire.on('GET', '/v1/user').hang();
    const folder = await temporaryFolder();
    const preload = join(folder, 'forget.cjs');
    writeFileSync(
      preload,
      `const { Socket } = require('node:net');
     const { connect } = Socket.prototype;
     Socket.prototype.connect = function (...words) { return connect.apply(this, words).unref(); };
     const wait = setTimeout;
     globalThis.setTimeout = (...words) => wait(...words).unref();`,
    );
    const [, script] = (await builtProgram()).command;
    const program = [process.execPath, '--require', preload, script];
    const ended = await run([...program, 'api', '/v1/user'], { SVC_API_URL: wire.url });
    expect(ended).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('ended before its work was done'),
    });
  });
}

/** What makes the runtime trust the store of the system, here a file in its place: Bun reads it anyway. */
const SYSTEM_STORE: Env = {
  SSL_CERT_FILE: AUTHORITY_FILE,
  ...(EXECUTABLE === undefined && {
    NODE_OPTIONS: process.allowedNodeEnvironmentFlags.has('--use-system-ca') ? '--use-system-ca' : '--use-openssl-ca',
  }),
};

describe.each(ENGINES)('TLS, with %s', (engine, words) => {
  const svc = (env: Env) => run([...PROGRAM, ...words], env);

  test.each<[string, Env]>([
    ['NODE_EXTRA_CA_CERTS', { NODE_EXTRA_CA_CERTS: AUTHORITY_FILE }],
    ["the system's store", SYSTEM_STORE],
  ])('an authority from %s is trusted', async (_, trusting) => {
    const wire = await testWire({ tls: issuedTls('issued') });
    plan(wire, engine);
    expect(await svc({ SVC_API_URL: wire.url, ...trusting })).toMatchObject({ exitCode: 0 });
  });

  test('a certificate of an unknown authority, of the past, for another name, or self-signed is refused', async () => {
    const wires = await Promise.all(
      [issuedTls('issued'), issuedTls('expired'), LOCALHOST_TLS].map((tls) => testWire({ tls })),
    );
    const [unknown, past, own] = wires.map(({ url }) => url);
    const rows = [
      [unknown, '', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
      [past, AUTHORITY_FILE, 'CERT_HAS_EXPIRED'],
      [own?.replace('localhost', '127.0.0.1'), LOCALHOST_CERT_FILE, 'ERR_TLS_CERT_ALTNAME_INVALID'],
      [own, '', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ] as const;
    const tried = rows.map(async ([url = '', trusted, code]) => {
      const { exitCode, stderr } = await svc({ SVC_API_URL: url, NODE_EXTRA_CA_CERTS: trusted });
      expect([exitCode, stderr]).toEqual([8, expect.stringContaining(code)]);
      expect(stderr).toContain('set NODE_EXTRA_CA_CERTS=<file>');
    });
    await Promise.all(tried);
    expect(wires.flatMap(({ requests }) => requests)).toEqual([]);
  });
});

test('a service on IPv6 is reached, and told what runs svc', async () => {
  let agent: string | undefined;
  const server = createServer((request, response) => {
    agent = request.headers['user-agent'];
    response.end('{}');
  }).listen(0, '::1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const env = { SVC_API_URL: `http://[::1]:${(server.address() as AddressInfo).port}` };
  expect(await run([...PROGRAM, 'api', '/v1/user'], env)).toMatchObject({ exitCode: 0, stdout: '{}' });
  const runtime = EXECUTABLE === undefined ? `node/${process.versions.node}` : 'bun/[\\d.]+';
  expect(agent).toMatch(new RegExp(`^svc/\\S+ ${runtime} ${process.platform}$`));
});

test('Node and Bun are told apart in one place', () => {
  const node = { versions: { node: '20.19.0' }, execPath: '/node' } as unknown as NodeJS.Process;
  expect(runtimeOf(node, '/svc.cjs')).toMatchObject({ name: 'node', version: '20.19.0', self: ['/node', '/svc.cjs'] });
  const bun = { versions: { node: '26.0.0', bun: '1.4.5' }, execPath: '/svc' } as unknown as NodeJS.Process;
  for (const embedded of ['/$bunfs/root/bin/svc.cjs', 'B:\\~BUN\\root\\bin\\svc.cjs'])
    expect(runtimeOf(bun, embedded)).toMatchObject({ name: 'bun', version: '1.4.5', self: ['/svc'] });
  // `bunx --bun svc`: the program is Bun, and the script is svc.
  expect(runtimeOf(bun, '/svc.cjs')).toMatchObject({ name: 'bun', self: ['/svc', '/svc.cjs'] });
});

const missing = builtExecutable === undefined;
describe.skipIf(missing)(`the executable${missing ? ' (skipped: run npm run build:binary)' : ''}`, () => {
  const svc = (words: readonly string[], env: Env, cwd?: string) => run([builtExecutable ?? '', ...words], env, cwd);

  test('needs no Node and no package, and carries jq and the completions', async () => {
    const env = { PATH: '/usr/bin:/bin' };
    const version = readFileSync(join(import.meta.dirname, '../../dist/version.txt'), 'utf8').trim();
    expect(await svc(['--version'], env)).toEqual({ exitCode: 0, stdout: version, stderr: '' });
    expect((await svc(['completion', 'zsh'], env)).stdout).toContain('#compdef svc');
    const whoami = ['sandbox', 'exec', '--', 'svc', 'whoami', '--jq', '.authMethod'];
    expect(await svc(whoami, env)).toMatchObject({ exitCode: 0, stdout: 'api_token' });
  });

  test('takes no setting and runs no code from the current folder', async () => {
    const folder = await temporaryFolder();
    const wire = await testWire();
    const files = {
      '.env': `SVC_API_URL=${wire.url}\nNODE_TLS_REJECT_UNAUTHORIZED=0\n`,
      'bunfig.toml': 'preload = ["./preload.cjs"]\n',
      'preload.cjs': 'console.log("from the folder");',
      'package.json': '{"type": "module"}',
      'tsconfig.json': '{"extends": "./missing.json"}',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const stderr = expect.stringContaining('svc does not know your platform yet.');
    expect(await svc(['whoami'], {}, folder)).toEqual({ exitCode: 2, stdout: '', stderr });
  });
});
