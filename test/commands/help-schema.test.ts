import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { TREE } from '../../src/commands/tree.ts';
import { type Entry, isGroup } from '../../src/kit/define.ts';
import type { Schema } from '../../src/spec/schema.ts';
import { faultsOf } from '../support/schemas.ts';
import { svc } from '../support/svc.ts';

const PATHS = pathsOf(TREE);

function pathsOf(entries: readonly Entry[], before: readonly string[] = []): string[][] {
  return entries.flatMap((entry) => {
    const path = [...before, entry.name];
    return isGroup(entry) ? pathsOf(entry.children, path) : [path];
  });
}

const schemaAt = async (...words: readonly string[]) =>
  JSON.parse((await svc(['help', '--schema', ...words])).stdout) as Schema & { $defs: Record<string, Schema> };

describe('svc help --schema', () => {
  test.each(PATHS.map((path) => path.join(' ')))('%s: is a schema, with that of the error object', async (path) => {
    const schema = await schemaAt(...path.split(' '));
    expect(schema['title']).toBe(`svc ${path} --json`);
    expect(() => faultsOf(schema, {})).not.toThrow();
    const error = { error: { field: 'no' }, code: 'rejected', exitCode: 3 };
    expect(faultsOf(schema.$defs['error'] ?? {}, error)).toEqual([]);
    expect(faultsOf(schema.$defs['error'] ?? {}, { error: 'x', code: 7 })).toEqual([
      "/ must have required property 'exitCode'",
      '/code must be string',
    ]);
  });

  test('describes what the API answers, and a document of svc, an event, a preview and a line of several', async () => {
    const sandbox = await startSandbox({ port: 0 });
    const service = sandbox.listing.services[0]?.id ?? '';
    const check = async (...argv: readonly string[]) => {
      const run = await svc([...argv, '--json'], { url: sandbox.url, token: sandbox.token });
      const { $schema, ...schema } = await schemaAt(argv[0] ?? '');
      return run.stdout
        .trimEnd()
        .split('\n')
        .flatMap((line) => faultsOf(schema, JSON.parse(line)));
    };
    expect(await check('whoami')).toEqual([]);
    expect(await check('status', '--service', service)).toEqual([]);
    expect(await check('login', '--no-wait')).toEqual([]);
    expect(await check('restart', service, '--dry-run')).toEqual([]);
    expect(await check('restart', service, 'nobodys', '--yes')).toEqual([]);
    await sandbox.close();
  });

  test.each([
    ['whoami', { user: 'ann', organization: null, organizations: 'all' }],
    ['restart', { success: 1, message: null }],
    ['buy', { orderId: 7 }],
    ['deployments inspect', { deployment: { status: null }, live: 'yes' }],
    ['db inspect', { database: {}, plan: 'small', credentialsIncluded: 'false' }],
    ['domains add', { stagedRecords: [{ name: 'www' }] }],
    ['billing autopay', {}],
  ])('%s: an answer may lack what the API document does not show, and have other types', async (path, answer) => {
    expect(faultsOf(await schemaAt(...path.split(' ')), answer)).toEqual([]);
  });

  test("svc's own documents have every field, and its type", async () => {
    const version = { schemaVersion: 1, version: '1.0.0', commit: null, built: null, node: null, runtime: 'node/1' };
    const schema = await schemaAt('version');
    expect(faultsOf(schema, version)).toEqual([]);
    expect(faultsOf(schema, { ...version, runtime: 1 })).not.toEqual([]);
    expect(faultsOf(schema, { ...version, commit: undefined, built: 'yesterday' })).not.toEqual([]);
  });

  test('of a group is that of the command which it runs by default', async () => {
    expect(await schemaAt('orgs')).toMatchObject({ title: 'svc orgs list --json' });
  });

  test('needs a command, and says how to name one', async () => {
    expect(await svc(['help', '--schema', '--json'])).toMatchObject({
      exitCode: 2,
      error: { error: '--schema needs a command.', next: ['svc help --schema whoami'] },
    });
    expect(await svc(['help', '--schema', 'domains', '--json'])).toMatchObject({
      exitCode: 2,
      error: { error: '--schema needs a command, not a group.', next: ['svc help --schema domains import'] },
    });
    expect(await svc(['help', '--schema', 'whoam', '--json'])).toMatchObject({ exitCode: 2, stdout: '' });
  });
});
