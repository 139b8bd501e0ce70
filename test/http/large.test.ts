import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { maxHeldBytes } from '../../src/service/body.ts';
import type { Call } from '../../src/service/call.ts';
import { OPERATIONS } from '../../src/spec/operations.ts';
import { cliErrorOf, clientFor } from '../support/client.ts';
import { until } from '../support/until.ts';
import { testWire } from '../support/wire.ts';

const MIB = 1024 * 1024;
const PATH = '/v1/services/s1/metrics/history';

const metrics: Call = {
  operation: OPERATIONS.getMetricsHistory,
  path: { id: 's1' },
  accept: 'object_or_array',
  large: 'Ask for less.',
};
const { large: _, ...usual } = metrics;

/** A JSON object of so many bytes. */
const objectOf = (bytes: number) => JSON.stringify({ points: 'x'.repeat(bytes - 13) });

/** Memory for answers of so many MiB together. */
const memoryOf = (megabytes: number, answers = 1) => ({ heapLimit: () => megabytes * 4 * MIB, answers });

test('an answer has 10 MiB at most', async () => {
  const wire = await testWire();
  const text = objectOf(10 * MIB);
  wire.on('GET', PATH).reply(200, text).reply(200, `${text} `);
  const { client } = clientFor(wire.url);
  expect((await client.call(usual)).text === text).toBe(true);
  const error = await cliErrorOf(client.call(usual));
  expect([error.code, error.message]).toEqual(['unexpected', expect.stringContaining('is larger than 10 MiB (200)')]);
  await until(() => wire.openConnections() === 0);
});

test('one that may be large has 128 MiB at most, and the error says how to ask for less', async () => {
  const wire = await testWire();
  const text = objectOf(128 * MIB);
  wire.on('GET', PATH).reply(200, text).reply(200, `${text} `);
  const { client } = clientFor(wire.url);
  expect((await client.call(metrics)).text === text).toBe(true);
  const error = await cliErrorOf(client.call(metrics));
  expect(error).toMatchObject({ code: 'unexpected', details: { hint: 'Ask for less.', attempts: 1 } });
  expect(error.message).toContain('is larger than 128 MiB (200)');
});

test('where memory is short, a large answer has a quarter of it at most', async () => {
  const wire = await testWire();
  wire
    .on('GET', PATH)
    .reply(200, objectOf(2 * MIB))
    .reply(200, objectOf(2 * MIB + 1));
  const { client } = clientFor(wire.url, { memory: memoryOf(2) });
  expect((await client.call(metrics)).status).toBe(200);
  const error = await cliErrorOf(client.call(metrics));
  expect([error.message, error.details.hint]).toEqual([expect.stringContaining('larger than 2 MiB'), 'Ask for less.']);
});

test('answers at a time share the memory, and each may have 1 MiB', async () => {
  expect(maxHeldBytes({ heapLimit: () => Number.POSITIVE_INFINITY, answers: 4 })).toBe(32 * MIB);
  const wire = await testWire();
  wire
    .on('GET', PATH)
    .reply(200, objectOf(MIB))
    .reply(200, objectOf(MIB + 1));
  const { client } = clientFor(wire.url, { memory: memoryOf(2, 64) });
  expect((await client.call(usual)).status).toBe(200);
  const error = await cliErrorOf(client.call(usual));
  expect(error.details.hint).toMatch(/--concurrency 1\.$/);
});

test('a compressed answer has the same limit, however small it came', async () => {
  const wire = await testWire();
  const packed = gzipSync(objectOf(11 * MIB));
  expect(packed.length).toBeLessThan(MIB / 4);
  wire.on('GET', PATH).reply(200, packed, { 'content-encoding': 'gzip' });
  const error = await cliErrorOf(clientFor(wire.url).client.call(usual));
  expect(error.message).toContain('is larger than 10 MiB');
});

test('a large answer that is cut is asked for again', async () => {
  const wire = await testWire();
  const text = objectOf(12 * MIB);
  wire
    .on('GET', PATH)
    .cut(200, text, 11 * MIB)
    .reply(200, text);
  const answer = await clientFor(wire.url).client.call(metrics);
  expect([answer.attempts, answer.text === text]).toEqual([2, true]);
});

test('a large page is not JSON', async () => {
  const wire = await testWire();
  wire.on('GET', PATH).reply(200, `<html>${'x'.repeat(2 * MIB)}`, { 'content-type': 'text/html' });
  const error = await cliErrorOf(clientFor(wire.url).client.call(metrics));
  expect([error.code, error.message]).toEqual(['unexpected', expect.stringContaining('a web page instead of the API')]);
});

test('where an object is expected, a large array is refused', async () => {
  const wire = await testWire();
  wire.on('GET', PATH).reply(200, JSON.stringify(['x'.repeat(2 * MIB)]));
  const error = await cliErrorOf(clientFor(wire.url).client.call({ ...metrics, accept: 'object' }));
  expect(error.code).toBe('unexpected');
});

test('a large error is an error', async () => {
  const wire = await testWire();
  wire.on('GET', PATH).reply(404, objectOf(12 * MIB));
  expect((await cliErrorOf(clientFor(wire.url).client.call(metrics))).code).toBe('not_found');
});
