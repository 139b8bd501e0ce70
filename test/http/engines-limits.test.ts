import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createPooledSend } from '../../src/http/pooled.ts';
import { createSingleSend } from '../../src/http/single.ts';
import { ENGINES, faultOf, requestTo, textOf } from '../support/engines.ts';
import { testFullPort } from '../support/tcp.ts';
import { until } from '../support/until.ts';
import { testWire } from '../support/wire.ts';
import type { Act } from '../support/wire-plan.ts';

describe.each(ENGINES)('%s', (name, make) => {
  test('no answer ends at the time limit, and the connection with it', async () => {
    const wire = await testWire();
    wire.on('GET', '/x').hang();
    const time = stoppedTime();
    const asked = wire.nextRequest();
    const fault = faultOf(make()(requestTo(`${wire.url}/x`, { timeoutMs: 250 })));
    await asked;
    time.pass(250);
    expect(await fault).toMatchObject({ kind: 'timeout', code: 'ETIMEDOUT' });
    await until(() => wire.openConnections() === 0);
  });

  test('a body that arrives slowly but steadily is cut at the time limit', async () => {
    const wire = await testWire();
    const { parts, more } = partsOf('x'.repeat(1_000), 10);
    wire.on('GET', '/x').act(parts);
    const time = stoppedTime();
    const answer = await make()(requestTo(`${wire.url}/x`, { timeoutMs: 200 }));
    const body = faultOf(textOf(answer));
    for (let passed = 0; passed < 200; passed += 20) {
      await more();
      time.pass(20);
    }
    expect((await body).kind).toBe('timeout');
    await until(() => wire.openConnections() === 0);
  });

  test('an interrupt before the request throws its reason, and nothing is sent', async () => {
    const wire = await testWire();
    const stop = new Error('stop');
    await expect(make()(requestTo(`${wire.url}/x`, { signal: AbortSignal.abort(stop) }))).rejects.toBe(stop);
    expect(wire.connections()).toBe(0);
  });

  test('an interrupt while connecting throws its reason at once', async () => {
    const port = await testFullPort();
    const controller = new AbortController();
    const stop = new Error('stop');
    const sent = make()(requestTo(`http://127.0.0.1:${port}/`, { signal: controller.signal }));
    // It has opened its socket by then; before, the end would be the same.
    setImmediate(() => controller.abort(stop));
    await expect(sent).rejects.toBe(stop);
  });

  test('an interrupt while the answer is awaited throws its reason and closes the connection', async () => {
    const wire = await testWire();
    wire.on('GET', '/x').hang();
    const controller = new AbortController();
    const stop = new Error('stop');
    const sent = make()(requestTo(`${wire.url}/x`, { signal: controller.signal }));
    void wire.nextRequest().then(() => controller.abort(stop));
    await expect(sent).rejects.toBe(stop);
    await until(() => wire.openConnections() === 0);
  });

  test('an interrupt within the body throws its reason and closes the connection', async () => {
    const wire = await testWire();
    wire.on('GET', '/x').drip(200, { text: 'x'.repeat(1_000) }, 10);
    const controller = new AbortController();
    const stop = new Error('stop');
    const answer = await make()(requestTo(`${wire.url}/x`, { signal: controller.signal }));
    const text = textOf(answer);
    setImmediate(() => controller.abort(stop));
    await expect(text).rejects.toBe(stop);
    await until(() => wire.openConnections() === 0);
  });

  test('leaving the body early closes the connection', async () => {
    const wire = await testWire();
    wire.on('GET', '/x').drip(200, { text: 'x'.repeat(1_000) }, 10);
    const answer = await make()(requestTo(`${wire.url}/x`));
    for await (const _chunk of answer.body) break;
    await until(() => wire.openConnections() === 0);
  });

  test('fresh connections are closed after the answer; kept ones serve the next request', async () => {
    const wire = await testWire();
    wire.on('GET', '/x').reply(200, {}).reply(200, {}).reply(200, {});
    wire.on('POST', '/x').reply(200, {});
    const send = make();
    for (let count = 0; count < 3; count += 1) await textOf(await send(requestTo(`${wire.url}/x`)));
    const keeps = name === 'undici';
    expect(wire.connections()).toBe(keeps ? 1 : 3);
    if (!keeps) await until(() => wire.openConnections() === 0);
    await textOf(await send(requestTo(`${wire.url}/x`, { method: 'POST' })));
    expect(wire.connections()).toBe(keeps ? 2 : 4);
  });

  test('requests side by side do not wait for each other', async () => {
    const wire = await testWire();
    wire.on('GET', '/slow').hang();
    wire.on('GET', '/quick').reply(200, {});
    const send = make();
    const controller = new AbortController();
    const slow = send(requestTo(`${wire.url}/slow`, { signal: controller.signal }));
    await textOf(await send(requestTo(`${wire.url}/quick`)));
    controller.abort(new Error('stop'));
    await expect(slow).rejects.toThrow('stop');
  });
});

test('a kept connection that the platform has closed is replaced', async () => {
  const wire = await testWire();
  wire.on('GET', '/x').reply(200, {}, { 'keep-alive': 'timeout=600' }).reply(200, {});
  const { send, close } = createPooledSend(createSingleSend());
  onTestFinished(close);
  await textOf(await send(requestTo(`${wire.url}/x`)));
  wire.dropConnections();
  await until(() => wire.openConnections() === 0);
  // Our end has heard of it as well.
  await new Promise((resolve) => setImmediate(resolve));
  await textOf(await send(requestTo(`${wire.url}/x`)));
  expect(wire.connections()).toBe(2);
});

/** Timers that only fire as the test says, however long the machine takes; the sockets are real. */
function stoppedTime(): { pass(ms: number): void } {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return { pass: (ms) => void vi.advanceTimersByTime(ms) };
}

/** An answer of which so many bytes come each time that the test asks for more. */
function partsOf(text: string, bytes: number): { parts: Act; more: () => Promise<void> } {
  let write: (part: string) => Promise<void> = async () => {};
  let sent = 0;
  return {
    parts: ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': String(text.length) });
      response.flushHeaders();
      write = (part) => new Promise((resolve) => void response.write(part, () => resolve()));
    },
    more: async () => {
      await write(text.slice(sent, sent + bytes));
      sent += bytes;
    },
  };
}
