import { spawn } from 'node:child_process';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { PROGRAM } from '../support/program.ts';
import { temporaryFolder } from '../support/svc.ts';
import { AUTHORITY_FILE, ISSUED_FILES } from '../support/tcp.ts';

const openssl = needs('openssl');

/** Starts a TLS server that is not Node's, and returns its port. */
async function startTlsServer(...options: readonly string[]): Promise<number> {
  const { cert, key } = ISSUED_FILES;
  const words = ['s_server', '-accept', '127.0.0.1:0', '-cert', cert, '-key', key, ...options];
  const server = spawn(openssl.path, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void server.kill('SIGKILL'));
  let shown = '';
  for await (const piece of server.stdout.iterator({ destroyOnReturn: false })) {
    shown += piece;
    const port = /ACCEPT 127\.0\.0\.1:(\d+)/.exec(shown)?.[1];
    if (port !== undefined) {
      // Without a reader, the server would stop once the pipe is full.
      server.stdout.resume();
      return Number(port);
    }
  }
  throw new Error(`openssl did not start: ${shown}`);
}

async function run(port: number, line: string) {
  const folder = await temporaryFolder();
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    SVC_API_URL: `https://localhost:${port}`,
    SVC_TOKEN: 'svc_0123456789',
    NODE_EXTRA_CA_CERTS: AUTHORITY_FILE,
  };
  const [file = '', ...words] = [...PROGRAM, ...line.split(' '), '--json'];
  const ended = await execa(file, words, { cwd: folder, env, extendEnv: false, reject: false });
  return { exitCode: ended.exitCode, error: JSON.parse(ended.stderr.split('\n').at(-1) ?? '') };
}

const BUY = 'buy --plan p1 --network mtn --phone +237670000042 --yes';
const WANTED = /it wants a client certificate, and svc has none/;

describe.skipIf(openssl.missing)(openssl.title('a server that refuses the TLS of svc'), () => {
  test.each<[what: string, options: readonly string[], line: string, said: RegExp]>([
    ['a client certificate', ['-Verify', '1', '-tls1_3'], 'restart s1 --yes', WANTED],
    ['a client certificate, of an order', ['-Verify', '1', '-tls1_3'], BUY, WANTED],
    ['a client certificate, of a read', ['-Verify', '1', '-tls1_3'], 'whoami', WANTED],
    [
      'a client certificate in TLS 1.2',
      ['-Verify', '1', '-tls1_2'],
      'restart s1 --yes',
      /no cipher in common with svc, or wants a client certificate/,
    ],
    ['TLS 1.1', ['-tls1_1'], 'restart s1 --yes', /only an old version of TLS/],
    [
      'an unusual cipher',
      ['-tls1_3', '-ciphersuites', 'TLS_AES_128_CCM_8_SHA256'],
      'restart s1 --yes',
      /no cipher in common with svc/,
    ],
    ['HTTP/2', ['-alpn', 'h2'], 'restart s1 --yes', /does not speak HTTP\/1\.1/],
  ])('that wants %s is named, and nothing is in doubt', async (_what, options, line, said) => {
    const port = await startTlsServer(...options);

    const { exitCode, error } = await run(port, line);

    expect(exitCode).toBe(8);
    expect(error['error']).toMatch(said);
    expect(error['outcome']).toBeUndefined();
    expect(error['attempts']).toBe(1);
    expect(JSON.stringify(error)).not.toContain('NODE_EXTRA_CA_CERTS');
  });
});
