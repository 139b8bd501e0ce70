import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { asObject, isObject } from '../../src/json/values.ts';
import type { Field, Fields } from '../../src/spec/fields/field.ts';
import { OPERATION_FIELDS } from '../../src/spec/fields/operations.ts';
import { schemaOf } from '../../src/spec/schema.ts';
import { asAssumed, faultsOf, pathsIn } from '../support/schemas.ts';

type Name = keyof typeof OPERATION_FIELDS;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, intervalSeconds: 1 });
});
afterAll(() => sandbox.close());

async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${sandbox.token}`, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(sandbox.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  expect(answer.ok).toBe(true);
  return answer.json();
}

const BLOG = '/v1/services/svc_wp_7k2m9qx4';
const RECORDS = [{ subdomain: '', type: 'MX', value: 'mx.example', ttl: 60, priority: 10 }];

/** Answers of the sandbox that together have every documented field. */
const SAMPLES: Readonly<Record<Name, () => Promise<unknown[]>>> = {
  startDeviceLogin: async () => [await ask('POST', '/v1/auth/device', { clientName: 'x' })],
  pollDeviceLogin: async () => {
    const { deviceCode, userCode } = asObject(await ask('POST', '/v1/auth/device', { clientName: 'x' }));
    sandbox.approve(String(userCode));
    return [await ask('POST', '/v1/auth/device/token', { deviceCode })];
  },
  createOrder: async () => [
    await ask('POST', '/v1/checkout', { items: [{ planId: 'plan_wp_free' }], paymentMethod: 'credit_card' }),
    await ask('POST', '/v1/checkout', {
      items: [{ planId: 'plan_wp_pro' }],
      mobileMoneyNetwork: 'mtn',
      mobileMoneyPhone: '+237670000042',
    }),
  ],
  scanDomain: async () => [await ask('POST', '/v1/domains/import/scan', { domain: 'kola-studio.example' })],
  stageDomain: async () => [await ask('POST', `${BLOG}/domains/kola-studio.example/import`, { records: RECORDS })],
  runAction: async () => [await ask('POST', `${BLOG}/actions`, { action: 'cache.flush', params: {} })],
  getMetricsHistory: async () => [
    await ask('GET', `${BLOG}/metrics/history?start=2026-11-01T00:00:00Z&end=2026-11-02T00:00:00Z&step=3600`),
  ],
  getDeployment: async () => [await ask('GET', `${BLOG}/deployments/dep_9m4kx7q2tz`)],
  restartService: async () => [await ask('POST', `${BLOG}/restart`)],
  getDatabase: async () => [await ask('GET', '/v1/databases/db_pg_5t9w2kqe')],
  getUser: async () => [await ask('GET', '/v1/user')],
  getAutopay: async () => [await ask('GET', '/v1/billing/autopay')],
};

/** The API document shows it, though perhaps not its type. */
const isDocumented = ({ assumed }: Field) => assumed !== 'field';

function documentedIn(fields: Fields, before = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]: [string, Field]) => {
    const path = `${before}${name}`;
    if (!isDocumented(field)) return [];
    const value = field.items ?? field;
    const end = field.type === 'array' ? '[]' : '';
    return [path, ...(value.type === 'object' ? documentedIn(value.fields ?? {}, `${path}${end}.`) : [])];
  });
}

function faultsIn(name: Name, samples: readonly unknown[]): string[] {
  const { answer } = OPERATION_FIELDS[name];
  const seen = new Set(
    samples.flatMap((sample) => pathsIn(sample)).flatMap((path) => [path, path.replace(/\[\]$/, '')]),
  );
  return [
    ...samples.flatMap((sample) => faultsOf(schemaOf(asAssumed(answer)), sample)),
    ...documentedIn(answer)
      .filter((path) => !seen.has(path))
      .map((path) => `${path} is in no answer`),
  ];
}

/** Changes what stands at a path, such as `records[].ttl`, everywhere. */
function changed(value: unknown, [name = '', ...rest]: readonly string[], change: (own: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => changed(item, [name, ...rest], change));
  if (!isObject(value) || !Object.hasOwn(value, name)) return value;
  const own = rest.length === 0 ? change(value[name]) : changed(value[name], rest, change);
  return { ...value, [name]: own };
}

/** Gone, as JSON leaves it out; and of another type than it is. */
const CHANGES = {
  dropped: () => undefined,
  retyped: (own: unknown) => (typeof own === 'string' || own === null ? 7 : 'seven'),
};

describe.each(Object.keys(SAMPLES) as Name[])('%s', (name) => {
  test('answers with every documented field, and a sandbox that drops or retypes one would be noticed', async () => {
    const samples = await SAMPLES[name]();
    expect(faultsIn(name, samples)).toEqual([]);
    const unnoticed = documentedIn(OPERATION_FIELDS[name].answer).flatMap((path) =>
      Object.entries(CHANGES).flatMap(([how, change]) => {
        const wrong = samples.map((sample) => changed(sample, path.replaceAll('[]', '').split('.'), change));
        return faultsIn(name, JSON.parse(JSON.stringify(wrong))).length > 0 ? [] : [`${path} ${how}`];
      }),
    );
    expect(unnoticed).toEqual([]);
  });
});
