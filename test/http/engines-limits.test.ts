import { describe, expect, onTestFinished, test } from 'vitest';
import { createPooledSend } from '../../src/http/pooled.ts';
import { ENGINES, faultOf, requestTo, textOf } from '../support/engines.ts';
import { testFullPort } from '../support/tcp.ts';
import { testWire } from '../support/wire.ts';

describe.each(ENGINES)('%s', (name, make) => {
  test('no answer ends at the time limit, and the connection with it', async () => {
    const wire = await testWire();
    wire.on('GET', '/x').hang();
    const fault = await faultOf(make()(requestTo(`${wire.url}/x`, { timeoutMs: 250 })));
    expect(fault).toMatchObject({ kind: 'timeout', code: 'ETIMEDOUT' });
    await expect.poll(() => wire.openConnections()).toBe(0);
  });

  test('a body that arrives slowly but steadily is cut at the time limit', async () => {
    const wire = await testWire();
    wire.on('GET', '/x').drip(200, { text: 'x'.repeat(1_000) }, 10);
    const answer = await make()(requestTo(`${wire.url}/x`, { timeoutMs: 200 }));
    expect((await faultOf(textOf(answer))).kind).toBe('timeout');
    await expect.poll(() => wire.openConnections()).toBe(0);
  });

  test('the time that a slow reader takes does not count', async () => {
    const wire = await testWire();
    const body = Buffer.alloc(3_000_000, 'x');
    wire.on('GET', '/x').reply(200, body);
    const answer = await make()(requestTo(`${wire.url}/x`, { timeoutMs: 500 }));
    let length = 0;
    let slowed = false;
    for await (const chunk of answer.body) {
      length += chunk.length;
      if (!slowed) await new Promise((resolve) => setTimeout(resolve, 700));
      slowed = true;
    }
    expect(length).toBe(body.length);
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
    setTimeout(() => controller.abort(stop), 20);
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
    await expect.poll(() => wire.openConnections()).toBe(0);
  });

  test('an interrupt within the body throws its reason and closes the connection', async () => {
    const wire = await testWire();
    wire.on('GET', '/x').drip(200, { text: 'x'.repeat(1_000) }, 10);
    const controller = new AbortController();
    const stop = new Error('stop');
    const answer = await make()(requestTo(`${wire.url}/x`, { signal: controller.signal }));
    setTimeout(() => controller.abort(stop), 30);
    await expect(textOf(answer)).rejects.toBe(stop);
    await expect.poll(() => wire.openConnections()).toBe(0);
  });

  test('leaving the body early closes the connection', async () => {
    const wire = await testWire();
    wire.on('GET', '/x').drip(200, { text: 'x'.repeat(1_000) }, 10);
    const answer = await make()(requestTo(`${wire.url}/x`));
    for await (const _chunk of answer.body) break;
    await expect.poll(() => wire.openConnections()).toBe(0);
  });

  test('fresh connections are closed after the answer; kept ones serve the next request', async () => {
    const wire = await testWire();
    wire.on('GET', '/x').reply(200, {}).reply(200, {}).reply(200, {});
    wire.on('POST', '/x').reply(200, {});
    const send = make();
    for (let count = 0; count < 3; count += 1) await textOf(await send(requestTo(`${wire.url}/x`)));
    const keeps = name === 'undici';
    expect(wire.connections()).toBe(keeps ? 1 : 3);
    if (!keeps) await expect.poll(() => wire.openConnections()).toBe(0);
    await textOf(await send(requestTo(`${wire.url}/x`, { method: 'POST' })));
    expect(wire.connections()).toBe(keeps ? 2 : 4);
  });

  test('requests side by side do not wait for each other', async () => {
    const wire = await testWire();
    wire.on('GET', '/slow').hang();
    wire.on('GET', '/quick').reply(200, {});
    const send = make();
    const slow = faultOf(send(requestTo(`${wire.url}/slow`, { timeoutMs: 500 })));
    await textOf(await send(requestTo(`${wire.url}/quick`, { timeoutMs: 400 })));
    expect((await slow).kind).toBe('timeout');
  });
});

test('a kept connection that the service has closed is replaced', async () => {
  const wire = await testWire();
  wire.on('GET', '/x').reply(200, {}, { 'keep-alive': 'timeout=600' }).reply(200, {});
  const { send, close } = createPooledSend();
  onTestFinished(close);
  await textOf(await send(requestTo(`${wire.url}/x`)));
  wire.dropConnections();
  await expect.poll(() => wire.openConnections()).toBe(0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await textOf(await send(requestTo(`${wire.url}/x`)));
  expect(wire.connections()).toBe(2);
});
