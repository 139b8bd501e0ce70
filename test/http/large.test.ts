import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Call } from '../../src/service/call.ts';
import { OPERATIONS } from '../../src/spec/operations.ts';
import { cliErrorOf, sendTo } from '../support/client.ts';
import { until } from '../support/until.ts';

const MIB = 1024 * 1024;
const PATH = '/v1/services/s1/metrics/history';

const USUAL: Call = { operation: OPERATIONS.getMetricsHistory, path: { id: 's1' }, accept: 'object_or_array' };
const METRICS: Call = { ...USUAL, large: 'Ask for less.' };

/** A JSON object of so many bytes. */
const objectOf = (bytes: number) => JSON.stringify({ points: 'x'.repeat(bytes - 13) });

/** Memory for answers of so many MiB together. */
const memoryOf = (megabytes: number, answers = 1) => ({ memory: { heapLimit: () => megabytes * 4 * MIB, answers } });

// biome-ignore format: a table
test.each<[what: string, call: Call, more: object, mib: number, hint: unknown]>([
  ['with a limit of its own', { ...USUAL, maxBytes: 32_768 }, {}, 1 / 32, { run: ['svc doctor'] }],
  ['usual', USUAL, {}, 10, { run: ['svc doctor'] }],
  ['that may be large', METRICS, {}, 128, 'Ask for less.'],
  ['that may be large, for which memory is short', METRICS, memoryOf(2), 2, 'Ask for less.'],
  ['of many at a time', USUAL, memoryOf(2, 64), 1, expect.stringMatching(/--concurrency 1\.$/)],
])('an answer %s is read up to its limit, and one byte more is an error', async (_what, call, more, mib, hint) => {
  const text = objectOf(mib * MIB);
  const { answer, client, wire } = await sendTo([[200, text]], call, more);
  expect(answer.text === text).toBe(true);
  wire.on('GET', PATH).reply(200, `${text} `);
  const message = expect.stringContaining(mib < 2 ? 'is larger than 32768 bytes' : `is larger than ${mib} MiB (200)`);
  const error = await cliErrorOf(client.call(call));
  expect(error).toMatchObject({ code: 'unexpected', message, details: { hint, attempts: 1 } });
  await until(() => wire.openConnections() === 0);
});

test('a compressed answer has the same limit, however small it came', async () => {
  const packed = gzipSync(objectOf(11 * MIB));
  expect(packed.length).toBeLessThan(MIB / 4);
  const { error } = await sendTo([[200, packed, { 'content-encoding': 'gzip' }]], USUAL);
  expect(error.message).toContain('is larger than 10 MiB');
});
