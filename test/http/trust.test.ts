import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtProgram } from '../support/program.ts';
import { AUTHORITY_FILE, issuedTls, LOCALHOST_CERT_FILE, LOCALHOST_TLS } from '../support/tcp.ts';
import { testWire } from '../support/wire.ts';

/** Node reads `NODE_EXTRA_CA_CERTS` once, at its start: the engines run in a process of their own here. */
const PROGRAM = `
  import { createSingleSend } from './src/http/single.ts';
  import { createPooledSend } from './src/http/pooled.ts';
  const [engine, url] = process.argv.slice(2);
  const pooled = createPooledSend();
  const send = engine === 'single' ? createSingleSend() : pooled.send;
  const signal = new AbortController().signal;
  try {
    const request = { method: 'GET', url: new URL(url), headers: {}, connectTimeoutMs: 5000, timeoutMs: 5000, signal };
    const answer = await send(request);
    let text = '';
    for await (const chunk of answer.body) text += Buffer.from(chunk).toString();
    console.log(answer.status, text);
  } catch (error) {
    console.log(error.kind, error.code);
  }
  await pooled.close();
`;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-trust-'));
  await build({
    stdin: { contents: PROGRAM, resolveDir: join(import.meta.dirname, '../..'), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: join(folder, 'engines.mjs'),
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(engine: string, url: string, env: Record<string, string>): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'engines.mjs'), engine, url], { env });
  return stdout.trim();
}

test.each(['single', 'pooled'])('%s trusts what NODE_EXTRA_CA_CERTS adds, for its own name only', async (engine) => {
  const wire = await testWire({ tls: LOCALHOST_TLS });
  wire.on('GET', '/v1/user').reply(200, {});
  const trusting = { NODE_EXTRA_CA_CERTS: LOCALHOST_CERT_FILE };
  expect(await run(engine, `${wire.url}/v1/user`, trusting)).toBe('200 {}');
  const otherName = `https://127.0.0.1:${wire.port}/v1/user`;
  expect(await run(engine, otherName, trusting)).toBe('tls ERR_TLS_CERT_ALTNAME_INVALID');
  expect(await run(engine, `${wire.url}/v1/user`, {})).toBe('tls DEPTH_ZERO_SELF_SIGNED_CERT');
  expect(wire.requests).toHaveLength(1);
});

test.each(['single', 'pooled'])(
  '%s refuses an authority that is not known, and a certificate of the past',
  async (engine) => {
    const trusting = { NODE_EXTRA_CA_CERTS: AUTHORITY_FILE };
    const wire = await testWire({ tls: issuedTls('issued') });
    wire.on('GET', '/v1/user').reply(200, {});
    expect(await run(engine, `${wire.url}/v1/user`, trusting)).toBe('200 {}');
    expect(await run(engine, `${wire.url}/v1/user`, {})).toBe('tls UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    const past = await testWire({ tls: issuedTls('expired') });
    expect(await run(engine, `${past.url}/v1/user`, trusting)).toBe('tls CERT_HAS_EXPIRED');
    expect([wire.requests, past.requests]).toMatchObject([[{ method: 'GET' }], []]);
  },
);

test.each(['single', 'pooled'])('%s checks certificates even with NODE_TLS_REJECT_UNAUTHORIZED=0', async (engine) => {
  const wire = await testWire({ tls: LOCALHOST_TLS });
  const careless = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  expect(await run(engine, `${wire.url}/v1/user`, careless)).toBe('tls DEPTH_ZERO_SELF_SIGNED_CERT');
  expect(wire.requests).toEqual([]);
});

test.each(['whoami --json', 'whoami'])(
  'with NODE_TLS_REJECT_UNAUTHORIZED=0, svc %s checks the certificate, and stderr has its error alone',
  async (line) => {
    const wire = await testWire({ tls: LOCALHOST_TLS });
    const [node, script] = (await builtProgram()).command;
    const env = {
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      SVC_API_URL: wire.url,
      SVC_TOKEN: 'svc_test',
      SVC_NO_RETRY: '1',
      HOME: folder,
    };
    const run = promisify(execFile)(node, [script, ...line.split(' ')], { env });
    const { code, stderr } = await run.catch((error) => error);
    expect(code).toBe(8);
    expect(stderr).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(stderr).not.toContain('NODE_TLS_REJECT_UNAUTHORIZED');
    if (line.endsWith('--json')) expect(JSON.parse(stderr)).toMatchObject({ code: 'unavailable' });
    expect(wire.requests).toEqual([]);
  },
);
