import { describe, expect, test } from 'vitest';
import { svc } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

/** A JSON object of 2 MB. */
const LARGE = JSON.stringify({
  rows: Array.from({ length: 40_000 }, (_, index) => ({ id: index, name: 'x'.repeat(30) })),
});

describe.each([
  ['whoami', '/v1/user'],
  ['billing autopay', '/v1/billing/autopay'],
  ['db inspect db_1', '/v1/databases/db_1'],
  ['deployments inspect d1 --service s1', '/v1/services/s1/deployments/d1'],
])('svc %s --json', (line, path) => {
  const argv = [...line.split(' '), '--json'];

  test('streams a large answer, to the byte', async () => {
    const wire = await testWire();
    wire.on('GET', path).reply(200, LARGE);
    const { exitCode, stdout, stderr } = await svc(argv, { url: wire.url });
    expect({ exitCode, stderr, isWhole: stdout === `${LARGE}\n` }).toEqual({ exitCode: 0, stderr: '', isWhole: true });
  });

  test('a large answer that is cut is exit 8, and is not asked for again', async () => {
    const wire = await testWire();
    wire.on('GET', path).cut(200, LARGE, 1_500_000);
    expect(await svc(argv, { url: wire.url })).toMatchObject({ exitCode: 8, error: { code: 'unavailable' } });
    expect(wire.requests).toHaveLength(1);
  });

  test('a filter has it whole', async () => {
    const wire = await testWire();
    wire.on('GET', path).reply(200, LARGE);
    expect(await svc([...argv, '--jq', '.rows | length'], { url: wire.url })).toMatchObject({ stdout: '40000\n' });
  });
});
