import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { DOCUMENTS, LINES } from '../../src/spec/fields/documents.ts';
import type { Field, Fields } from '../../src/spec/fields/field.ts';
import { OPERATION_FIELDS } from '../../src/spec/fields/operations.ts';
import { OPERATIONS } from '../../src/spec/operations.ts';
import { schemaOf } from '../../src/spec/schema.ts';
import { maskSecrets } from '../../src/terminal/mask.ts';
import { MASK } from '../../src/terminal/mask-text.ts';
import { asAssumed, faultsOf } from '../support/schemas.ts';
import { svc, temporaryFolder } from '../support/svc.ts';

test('has each documented operation', () => {
  expect(Object.keys(OPERATION_FIELDS)).toEqual(Object.keys(OPERATIONS));
});

test('is plain data, from which schemas can be made', () => {
  const all = { ...OPERATION_FIELDS, ...DOCUMENTS, ...LINES };
  expect(JSON.parse(JSON.stringify(all))).toEqual(all);
});

/** A text as the platform might send it in a field. */
function sampleOf({ secret }: Field, name: string): string {
  return secret === 'whole' && /url$/i.test(name) ? 'postgres://ann:s3cr3t-w0rd@db.example/app' : 's3cr3t-w0rd';
}

function textsOf(fields: Fields): [name: string, field: Field][] {
  return Object.entries(fields).flatMap(([name, field]): [string, Field][] => {
    const value = field.type === 'array' ? field.items : field;
    if (value.type === 'object') return textsOf(value.fields ?? {});
    return field.type === 'string' ? [[name, field]] : [];
  });
}

test('what it calls a secret is masked for people, and no other text of an answer is', () => {
  for (const [operation, { answer }] of Object.entries(OPERATION_FIELDS)) {
    for (const [name, field] of textsOf(answer)) {
      const masked = JSON.stringify(maskSecrets({ [name]: sampleOf(field, name) }));
      expect(masked.includes(MASK), `${operation}: ${name}`).toBe(field.secret === 'whole');
      expect(masked.includes('s3cr3t-w0rd'), `${operation}: ${name}`).toBe(field.secret !== 'whole');
    }
  }
});

describe('the sandbox answers with the fields of the table', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0, intervalSeconds: 1 });
  });
  afterAll(() => sandbox.close());

  const LINES_BY_OPERATION = {
    createOrder: ['buy', '--plan', 'plan_wp_free', '--payment', 'credit_card', '--yes', '--no-browser'],
    scanDomain: ['domains', 'import', 'kola-studio.example'],
    stageDomain: ['domains', 'add', 'kola-studio.example', '--import', '--service', 'svc_wp_7k2m9qx4', '--yes'],
    runAction: ['wp', 'run', 'cache.flush', '--service', 'svc_wp_7k2m9qx4'],
    getMetricsHistory: ['metrics', 'svc_wp_7k2m9qx4', '--history'],
    getDeployment: ['deployments', 'inspect', 'dep_9m4kx7q2tz', '--service', 'svc_wp_7k2m9qx4'],
    restartService: ['restart', 'svc_wp_7k2m9qx4'],
    getDatabase: ['db', 'inspect', 'db_pg_5t9w2kqe'],
    getUser: ['whoami'],
    getAutopay: ['billing', 'autopay'],
  } satisfies Partial<Record<keyof typeof OPERATION_FIELDS, string[]>>;

  test.each(Object.entries(LINES_BY_OPERATION))('%s', async (operation, argv) => {
    const configDir = await temporaryFolder();
    const run = await svc([...argv, '--json'], { url: sandbox.url, token: sandbox.token, configDir });
    expect(run, run.stderr).toMatchObject({ exitCode: 0 });
    const { answer } = OPERATION_FIELDS[operation as keyof typeof LINES_BY_OPERATION];
    expect(faultsOf(schemaOf(asAssumed(answer)), run.json)).toEqual([]);
  });
});
