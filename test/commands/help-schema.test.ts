import { expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import type { Schema } from '../../src/contract/schema.ts';
import { faultsOf } from '../support/schemas.ts';
import { svc } from '../support/svc.ts';

async function schemaAt(path: string) {
  const { stdout } = await svc(['help', '--schema', ...path.split(' ')]);
  return JSON.parse(stdout) as Schema & { $defs: Record<string, Schema> };
}

test('svc help --schema has a title and the schema of the error object', async () => {
  const { title, $defs } = await schemaAt('orgs');
  // A group has that of the command which it runs by default.
  expect(title).toBe('svc orgs list --json');
  const error = { error: { field: 'no' }, code: 'rejected', exitCode: 3 };
  expect(faultsOf($defs['error'] ?? {}, error)).toEqual([]);
  expect(faultsOf($defs['error'] ?? {}, { ...error, code: 7 })).toEqual(['/code must be string']);
});

test('it describes what the API answers, and a document of svc, an event, a preview and a line of several', async () => {
  const sandbox = await startSandbox({ port: 0 });
  const service = sandbox.listing.services[0]?.id;
  const lines = [
    'whoami',
    `status --service ${service}`,
    'login --no-wait',
    `restart ${service} --dry-run`,
    `restart ${service} nobodys --yes`,
  ];
  for (const line of lines) {
    const run = await svc([...line.split(' '), '--json'], {
      url: sandbox.url,
      token: sandbox.token,
    });
    const { $schema, ...schema } = await schemaAt(line.replace(/ .*/, ''));
    const printed = run.stdout.trimEnd().split('\n');
    expect(
      printed.flatMap((one) => faultsOf(schema, JSON.parse(one))),
      line,
    ).toEqual([]);
  }
  await sandbox.close();
});

test.each([
  ['whoami', { user: 'ann', organization: null, organizations: 'all' }],
  ['deployments inspect', { deployment: { status: null }, live: 'yes' }],
  ['domains add', { stagedRecords: [{ name: 'www' }] }],
  ['billing autopay', {}],
])(
  '%s: an answer may lack what the API document does not show, and have other types',
  async (path, answer) => {
    expect(faultsOf(await schemaAt(path), answer)).toEqual([]);
  },
);

test("svc's own documents have every field, and its type", async () => {
  const version = {
    schemaVersion: 1,
    version: '1.0.0',
    commit: null,
    built: null,
    node: null,
    runtime: 'node/1',
  };
  const schema = await schemaAt('version');
  expect(faultsOf(schema, version)).toEqual([]);
  expect(faultsOf(schema, { ...version, runtime: 1 })).not.toEqual([]);
  expect(faultsOf(schema, { ...version, commit: undefined })).not.toEqual([]);
});

test.each([
  ['', 'svc help --schema whoami'],
  [' domains', 'svc help --schema domains import'],
])('svc help --schema%s needs a command', async (words, next) => {
  const run = await svc(`help --schema${words} --json`.split(' '));
  expect(run).toMatchObject({ exitCode: 2, stdout: '', error: { next: [next] } });
});
