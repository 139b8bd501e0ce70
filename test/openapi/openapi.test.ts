import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { svc, temporaryFolder } from '../support/svc.ts';
import { closedPort } from '../support/tcp.ts';
import { toolFolder } from '../support/tool-folder.ts';

const OPENAPI = join(import.meta.dirname, '../../dist/openapi.json');
const REDOCLY = '@redocly/cli@2.77.0';
const TYPES = ['openapi-typescript@7.13.0', 'typescript@5.9.3'];
const PRISM = '@stoplight/prism-cli@5.14.2';
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

let tools = '';
beforeAll(async () => {
  tools = await toolFolder('openapi-tools', [REDOCLY, ...TYPES, PRISM]);
});
const tool = (name: string) => join(tools, 'node_modules/.bin', name);

test('a linter finds nothing to say about openapi.json', async () => {
  const words = ['lint', OPENAPI, '--format=json'];
  const { stdout } = await execa(tool('redocly'), words, { env: QUIET, reject: false });
  const found = JSON.parse(stdout.slice(stdout.indexOf('{'), stdout.lastIndexOf('}') + 1));
  expect(found).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] });
});

test('a generator makes types of it that compile', async () => {
  const types = join(await temporaryFolder(), 'api.d.ts');
  await execa(tool('openapi-typescript'), [OPENAPI, '-o', types]);
  await execa(tool('tsc'), ['--noEmit', '--strict', types]);
});

test('a mock server that is made of it answers svc, and finds every request of svc valid', async () => {
  const port = await closedPort();
  const mock = spawn(tool('prism'), ['mock', '--errors', '-p', String(port), OPENAPI], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void mock.kill());
  const lines = createInterface({ input: mock.stdout });
  const log: string[] = [];
  await new Promise<void>((resolve) => {
    lines.on('line', (line) => {
      log.push(line);
      if (line.includes('Prism is listening')) resolve();
    });
  });
  const url = `http://127.0.0.1:${port}`;
  const reads = [
    ['whoami'],
    ['metrics', 'svc_1'],
    ['metrics', 'svc_1', '--since', '2h', '--step', '60s'],
    ['deployments', 'inspect', 'dep_1', '--service', 'svc_1'],
    ['db', 'inspect', 'db_1'],
    ['billing', 'autopay'],
    ['domains', 'import', 'example.com'],
  ];
  for (const argv of reads) {
    const run = await svc([...argv, '--json', '--org', 'acme'], { url });
    expect({
      argv,
      exitCode: run.exitCode,
      error: run.exitCode === 0 ? '' : run.stderr,
    }).toMatchObject({
      exitCode: 0,
    });
    expect(run.json).toBeTypeOf('object');
  }
  const configDir = await temporaryFolder();
  const buy = [
    'buy',
    '--plan',
    'plan_1',
    '--network',
    'mtn',
    '--phone',
    '+237670000042',
    '--lang',
    'fr',
    '--yes',
  ];
  const changes = [
    ['restart', 'svc_1'],
    ['wp', 'run', 'cache.flush', '--service', 'svc_1', '--param', 'a=b'],
    buy,
  ];
  for (const argv of changes)
    expect((await svc([...argv, '--json'], { url, configDir })).stdout, argv.join(' ')).not.toBe(
      '',
    );
  await svc(['login', '--no-wait', '--json', '--api-url', url], { token: null });
  mock.kill();
  await once(mock, 'exit');
  expect(log.filter((line) => line.includes('Request received')).length).toBeGreaterThan(10);
  expect(log.filter((line) => /violation|error|failed/i.test(line))).toEqual([]);
});
