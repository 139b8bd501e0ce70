import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import type { Field, Fields } from '../../src/contract/fields/field.ts';
import { OPERATION_FIELDS } from '../../src/contract/fields/operations.ts';
import { toSchema } from '../../src/contract/schema.ts';
import { asObject } from '../../src/json/values.ts';
import { asAssumed, faultsOf, pathsIn } from '../support/schemas.ts';

type Name = keyof typeof OPERATION_FIELDS;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, intervalSeconds: 1 });
});
afterAll(() => sandbox.close());

async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const headers = {
    authorization: `Bearer ${sandbox.token}`,
    ...(body && { 'content-type': 'application/json' }),
  };
  const answer = await fetch(sandbox.url + path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.ok).toBe(true);
  return answer.json();
}

const BLOG = '/v1/services/svc_wp_7k2m9qx4';
const RECORDS = [{ subdomain: '', type: 'MX', value: 'mx.example', ttl: 60, priority: 10 }];

/** Answers of the sandbox that together have every documented field. */
const SAMPLES: Readonly<Record<Name, () => Promise<unknown[]>>> = {
  startDeviceLogin: async () => [await ask('POST', '/v1/auth/device', { clientName: 'x' })],
  pollDeviceLogin: async () => {
    const { deviceCode, userCode } = asObject(
      await ask('POST', '/v1/auth/device', { clientName: 'x' }),
    );
    sandbox.approve(String(userCode));
    return [await ask('POST', '/v1/auth/device/token', { deviceCode })];
  },
  createOrder: async () => [
    await ask('POST', '/v1/checkout', {
      items: [{ planId: 'plan_wp_free' }],
      paymentMethod: 'credit_card',
    }),
    await ask('POST', '/v1/checkout', {
      items: [{ planId: 'plan_wp_pro' }],
      mobileMoneyNetwork: 'mtn',
      mobileMoneyPhone: '+237670000042',
    }),
  ],
  scanDomain: async () => [
    await ask('POST', '/v1/domains/import/scan', { domain: 'kola-studio.example' }),
  ],
  stageDomain: async () => [
    await ask('POST', `${BLOG}/domains/kola-studio.example/import`, { records: RECORDS }),
  ],
  runAction: async () => [
    await ask('POST', `${BLOG}/actions`, { action: 'cache.flush', params: {} }),
  ],
  getMetricsHistory: async () => [
    await ask(
      'GET',
      `${BLOG}/metrics/history?start=2026-11-01T00:00:00Z&end=2026-11-02T00:00:00Z&step=3600`,
    ),
  ],
  getDeployment: async () => [await ask('GET', `${BLOG}/deployments/dep_9m4kx7q2tz`)],
  restartService: async () => [await ask('POST', `${BLOG}/restart`)],
  getDatabase: async () => [await ask('GET', '/v1/databases/db_pg_5t9w2kqe')],
  getUser: async () => [await ask('GET', '/v1/user')],
  getAutopay: async () => [await ask('GET', '/v1/billing/autopay')],
};

/** The paths that the API document shows, though perhaps not their types. */
function documentedIn(fields: Fields, before = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]: [string, Field]) => {
    const path = `${before}${name}`;
    if (field.assumed === 'field') return [];
    const value = field.items ?? field;
    const end = field.type === 'array' ? '[]' : '';
    return [
      path,
      ...(value.type === 'object' ? documentedIn(value.fields ?? {}, `${path}${end}.`) : []),
    ];
  });
}

test.each(Object.keys(SAMPLES) as Name[])(
  '%s answers with every documented field, of its type',
  async (name) => {
    const { answer } = OPERATION_FIELDS[name];
    const samples = await SAMPLES[name]();
    const seen = samples
      .flatMap((sample) => pathsIn(sample))
      .flatMap((path) => [path, path.replace(/\[\]$/, '')]);
    expect(documentedIn(answer).filter((path) => !seen.includes(path))).toEqual([]);
    expect(samples.flatMap((sample) => faultsOf(toSchema(asAssumed(answer)), sample))).toEqual([]);
  },
);
