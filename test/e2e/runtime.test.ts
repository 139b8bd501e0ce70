import { X509Certificate } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { builtExecutable, EXECUTABLE, PROGRAM, preloading } from '../support/program.ts';
import { temporaryFolder } from '../support/svc.ts';
import { AUTHORITY_FILE, issuedTls, LOCALHOST_CERT_FILE, LOCALHOST_TLS } from '../support/tcp.ts';
import { testWire } from '../support/wire.ts';

type Env = Readonly<Record<string, string>>;

async function run([file = '', ...words]: readonly string[], env: Env, cwd?: string) {
  const HOME = await temporaryFolder();
  const own = {
    PATH: process.env['PATH'],
    HOME,
    SVC_TOKEN: 'svc_0123456789',
    SVC_NO_RETRY: '1',
    ...env,
  };
  const options = {
    cwd: cwd ?? HOME,
    env: own,
    extendEnv: false,
    input: '',
    reject: false,
  } as const;
  const { exitCode, stdout, stderr } = await execa(file, words, options);
  return { exitCode, stdout, stderr };
}

const ASK = [...PROGRAM, 'api', '/v1/user'];

// Executables load no file.
if (EXECUTABLE === undefined) {
  test('a process that has nothing more to wait for is no success, and says so', async () => {
    const wire = await testWire();
    wire.on('GET', '/v1/user').hang();
    const preload = join(await temporaryFolder(), 'forget.cjs');
    writeFileSync(
      preload,
      `const { Socket } = require('node:net');
     const { connect } = Socket.prototype;
     Socket.prototype.connect = function (...words) { return connect.apply(this, words).unref(); };
     const wait = setTimeout;
     globalThis.setTimeout = (...words) => wait(...words).unref();`,
    );
    const stderr = expect.stringContaining('ended before its work was done');
    const env = { SVC_API_URL: wire.url, ...preloading(preload) };
    expect(await run(ASK, env)).toMatchObject({ exitCode: 1, stdout: '', stderr });
  });

  test('a store of certificates that is slow to read does not use up the time of an address', async () => {
    const wire = await testWire({ tls: issuedTls('issued') });
    wire.on('GET', '/v1/user').reply(200, {});
    const preload = join(await temporaryFolder(), 'slow.cjs');
    writeFileSync(
      preload,
      `const tls = require('node:tls');
     const { createSecureContext } = tls;
     tls.createSecureContext = (...words) => {
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
       return createSecureContext(...words);
     };`,
    );
    const env = { NODE_EXTRA_CA_CERTS: AUTHORITY_FILE, ...preloading(preload) };
    expect(await run(ASK, { SVC_API_URL: wire.url, ...env })).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
  });
}

/**
 * What makes the runtime trust the store of the system, here a file in its place: Bun reads it
 * anyway.
 */
const SYSTEM_STORE: Env = {
  SSL_CERT_FILE: AUTHORITY_FILE,
  ...(EXECUTABLE === undefined && {
    NODE_OPTIONS: process.allowedNodeEnvironmentFlags.has('--use-system-ca')
      ? '--use-system-ca'
      : '--use-openssl-ca',
  }),
};

/** A command that uses `node:http`, and one that polls through undici. */
describe.each([
  ['one request', ASK],
  [
    'many requests',
    [...PROGRAM, 'wp', 'run', 'cache.flush', '--service', 's1', '--wait', '--json'],
  ],
] as const)('TLS, with %s', (engine, words) => {
  test.each<[string, Env]>([
    ['NODE_EXTRA_CA_CERTS', { NODE_EXTRA_CA_CERTS: AUTHORITY_FILE }],
    ["the system's store", SYSTEM_STORE],
  ])('an authority from %s is trusted', async (_, trusting) => {
    const wire = await testWire({ tls: issuedTls('issued') });
    if (engine === 'one request') wire.on('GET', '/v1/user').reply(200, {});
    else {
      const job = { jobId: 'job_1', action: 'cache.flush', status: 'queued' };
      wire.on('POST', '/v1/services/s1/actions').reply(202, job);
      wire.on('GET', '/v1/services/s1/actions/job_1').reply(200, { ...job, status: 'completed' });
    }
    expect(await run(words, { SVC_API_URL: wire.url, ...trusting })).toMatchObject({ exitCode: 0 });
    const runtime = EXECUTABLE === undefined ? `node/${process.versions.node}` : 'bun/[\\d.]+';
    expect(wire.requests[0]?.headers['user-agent']).toMatch(
      new RegExp(`^svc/\\S+ ${runtime} ${process.platform}$`),
    );
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
    for (const [url = '', trusted, code] of rows) {
      const { exitCode, stderr } = await run(words, {
        SVC_API_URL: url,
        NODE_EXTRA_CA_CERTS: trusted,
      });
      expect([exitCode, stderr]).toEqual([8, expect.stringContaining(code)]);
      const isUnknown = trusted === '';
      expect(stderr.includes('set NODE_EXTRA_CA_CERTS=<file>')).toBe(isUnknown);
    }
    expect(wires.flatMap(({ requests }) => requests)).toEqual([]);
  });
});

test.each<[what: string, write: (path: string) => void, said: RegExp]>([
  ['is missing', () => undefined, /which cannot be read/],
  [
    'is in binary form',
    (path) => writeFileSync(path, readDer()),
    /in binary form \(DER\).*openssl/,
  ],
  ['has no certificate', (path) => writeFileSync(path, 'mine\n'), /no certificate in PEM form/],
  [
    'has a damaged certificate',
    (path) => writeFileSync(path, readFileSync(AUTHORITY_FILE, 'utf8').replace(/MII\w/, '****')),
    /whose certificate 1 is damaged/,
  ],
  [
    'lacks the authority',
    (path) => copyFileSync(LOCALHOST_CERT_FILE, path),
    /does not have the authority of localhost:\d+/,
  ],
])('a file of authorities that %s is named, with its fault', async (_what, write, said) => {
  const wire = await testWire({ tls: issuedTls('issued') });
  const file = join(await temporaryFolder(), 'authorities.pem');
  write(file);
  const env = { SVC_API_URL: wire.url, NODE_EXTRA_CA_CERTS: file };

  const asked = await run(ASK, env);
  const examined = await run([...PROGRAM, 'doctor', '--json'], env);

  expect(asked.exitCode).toBe(8);
  for (const text of [asked.stderr, examined.stdout]) {
    expect(text).toContain(`NODE_EXTRA_CA_CERTS names ${file}`);
    expect(text).toMatch(said);
  }
});

function readDer(): Buffer {
  return new X509Certificate(readFileSync(AUTHORITY_FILE)).raw;
}

const isMissing = builtExecutable === undefined;
test.skipIf(isMissing)(
  `the executable needs no Node, and takes nothing from its folder${isMissing ? ' (skipped: run npm run build:binary)' : ''}`,
  async () => {
    const folder = await temporaryFolder();
    const svc = (words: readonly string[]) =>
      run([builtExecutable ?? '', ...words], { PATH: '/usr/bin:/bin' }, folder);
    const version = readFileSync(
      join(import.meta.dirname, '../../dist/version.txt'),
      'utf8',
    ).trim();
    expect(await svc(['--version'])).toEqual({ exitCode: 0, stdout: version, stderr: '' });
    expect((await svc(['completion', 'zsh'])).stdout).toContain('#compdef svc');
    const whoami = ['sandbox', 'exec', '--', 'svc', 'whoami', '--jq', '.authMethod'];
    expect(await svc(whoami)).toMatchObject({ exitCode: 0, stdout: 'api_token' });
    const files = {
      '.env': 'SVC_API_URL=http://127.0.0.1:1\nNODE_TLS_REJECT_UNAUTHORIZED=0\n',
      'bunfig.toml': 'preload = ["./preload.cjs"]\n',
      'preload.cjs': 'console.log("from the folder");',
      'package.json': '{"type": "module"}',
      'tsconfig.json': '{"extends": "./missing.json"}',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const stderr = expect.stringContaining('svc does not know your platform yet.');
    expect(await svc(['whoami'])).toEqual({ exitCode: 2, stdout: '', stderr });
  },
);
