import { expect, test } from 'vitest';
import type { AnswerStream, Call } from '../../src/service/call.ts';
import { OPERATIONS } from '../../src/spec/operations.ts';
import { cliErrorOf, clientFor } from '../support/client.ts';
import { until } from '../support/until.ts';
import { testWire } from '../support/wire.ts';

const MIB = 1024 * 1024;

function sink(fail?: { onWrite?: Error; onEnd?: Error }): AnswerStream & { text(): string; ended: boolean } {
  const chunks: Uint8Array[] = [];
  return {
    ended: false,
    text: () => Buffer.concat(chunks).toString(),
    async write(chunk) {
      if (fail?.onWrite) throw fail.onWrite;
      chunks.push(Uint8Array.from(chunk));
    },
    async end() {
      if (fail?.onEnd) throw fail.onEnd;
      this.ended = true;
    },
  };
}

function metrics(stream: AnswerStream, more: Partial<Call> = {}): Call {
  return {
    operation: OPERATIONS.getMetricsHistory,
    path: { id: 's1' },
    accept: 'object_or_array',
    stream,
    ...more,
  };
}

const PATH = '/v1/services/s1/metrics/history';
const large = JSON.stringify({ points: 'x'.repeat(12 * MIB) });

test('an answer over 1 MiB goes to the stream, byte for byte, and is not limited in size', async () => {
  const wire = await testWire();
  wire.on('GET', PATH).reply(200, large);
  const stream = sink();
  const answer = await clientFor(wire.url).client.call(metrics(stream));
  expect(answer).toMatchObject({ streamed: true, text: '', value: undefined, status: 200 });
  expect(stream.text() === large).toBe(true);
  expect(stream.ended).toBe(true);
});

test('an answer of 1 MiB or less is held, and the stream sees nothing of it', async () => {
  const wire = await testWire();
  const body = JSON.stringify({ points: 'x'.repeat(MIB - 13) });
  expect(body).toHaveLength(MIB);
  wire.on('GET', PATH).reply(200, body);
  const stream = sink();
  const answer = await clientFor(wire.url).client.call(metrics(stream));
  expect([answer.streamed, answer.text.length, stream.text(), stream.ended]).toEqual([false, MIB, '', false]);
});

test('without a stream the limit stands', async () => {
  const wire = await testWire();
  wire.on('GET', PATH).reply(200, large);
  const { stream: _, ...held } = metrics(sink());
  const error = await cliErrorOf(clientFor(wire.url).client.call(held));
  expect([error.code, error.message]).toEqual(['unexpected', expect.stringContaining('is larger than 10485760 bytes')]);
});

test('a stream that is cut is exit 8 and is not asked for again', async () => {
  const wire = await testWire();
  wire.on('GET', PATH).cut(200, large, 2 * MIB);
  const stream = sink();
  const error = await cliErrorOf(clientFor(wire.url).client.call(metrics(stream)));
  expect(error).toMatchObject({ code: 'unavailable', exitCode: 8, details: { attempts: 1 } });
  expect(error.details.outcome).toBeUndefined();
  expect(stream.ended).toBe(false);
});

test('an answer that is cut before it streams is asked for again', async () => {
  const wire = await testWire();
  wire.on('GET', PATH).cut(200, large, 1000).reply(200, large);
  const stream = sink();
  const answer = await clientFor(wire.url).client.call(metrics(stream));
  expect(answer.attempts).toBe(2);
  expect(stream.text() === large).toBe(true);
});

test('a large page is not streamed as if it were JSON', async () => {
  const wire = await testWire();
  wire.on('GET', PATH).reply(200, `<html>${'x'.repeat(2 * MIB)}`, { 'content-type': 'text/html' });
  const stream = sink();
  const error = await cliErrorOf(clientFor(wire.url).client.call(metrics(stream)));
  expect([error.code, stream.text()]).toEqual(['unexpected', '']);
});

test('where an object is expected, a large array is not streamed', async () => {
  const wire = await testWire();
  wire.on('GET', PATH).reply(200, JSON.stringify(['x'.repeat(2 * MIB)]));
  const stream = sink();
  const error = await cliErrorOf(clientFor(wire.url).client.call(metrics(stream, { accept: 'object' })));
  expect([error.code, stream.text()]).toEqual(['unexpected', '']);
});

test('with accept: anything, only a body labelled JSON is streamed', async () => {
  const wire = await testWire();
  const text = 'x'.repeat(2 * MIB);
  wire.on('GET', PATH).reply(200, text, { 'content-type': 'text/plain' }).reply(200, large);
  const stream = sink();
  const { client } = clientFor(wire.url);
  expect((await client.call(metrics(stream, { accept: 'anything' }))).text).toBe(text);
  expect((await client.call(metrics(stream, { accept: 'anything' }))).streamed).toBe(true);
});

test('an error of the stream ends the call unchanged and closes the connection', async () => {
  for (const fail of [{ onWrite: new Error('closed') }, { onEnd: new Error('not whole') }]) {
    const wire = await testWire();
    wire.on('GET', PATH).reply(200, large);
    const work = clientFor(wire.url).client.call(metrics(sink(fail)));
    await expect(work).rejects.toBe(fail.onWrite ?? fail.onEnd);
    await until(() => wire.openConnections() === 0);
  }
});

test('an error is never streamed', async () => {
  const wire = await testWire();
  wire.on('GET', PATH).reply(404, large);
  const stream = sink();
  const error = await cliErrorOf(clientFor(wire.url).client.call(metrics(stream)));
  expect([error.code, stream.text()]).toEqual(['not_found', '']);
});
