import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { ENGINES, exchange, faultOf, requestTo, textOf } from '../support/engines.ts';
import { until } from '../support/until.ts';
import { testWire, type Wire } from '../support/wire.ts';
import type { WirePlan } from '../support/wire-plan.ts';

const isClosed = (wire: Wire) => until(() => wire.openConnections() === 0);
const hanging = (plan: WirePlan) => plan.hang();
const dripping = (plan: WirePlan) => plan.drip(200, { text: 'x'.repeat(1_000) }, 10);

/** What a request is interrupted with. */
function interrupt() {
  const controller = new AbortController();
  const stop = new Error('stop');
  return { signal: controller.signal, stop, now: () => controller.abort(stop) };
}

/** Timers that only fire as the test says, however long the machine takes; the sockets are real. */
function stoppedTime(): { pass(ms: number): void } {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  return { pass: (ms) => void vi.advanceTimersByTime(ms) };
}

describe.each(ENGINES)('%s', (name, make) => {
  test('no answer ends at the time limit, of which connecting is a part', async () => {
    const time = stoppedTime();
    const passed = vi.spyOn(systemClock, 'monotonic').mockReturnValueOnce(0).mockReturnValue(200);
    onTestFinished(() => passed.mockRestore());
    const { wire, sent } = await exchange(make(), hanging, { timeoutMs: 250 });
    await until(() => wire.requests.length === 1);
    time.pass(50);
    expect(await faultOf(sent)).toMatchObject({ kind: 'timeout', code: 'ETIMEDOUT' });
    await isClosed(wire);
  });

  test('the limit for connecting is over once the connection is open', async () => {
    const time = stoppedTime();
    const limits = { connectTimeoutMs: 100, timeoutMs: 120_000 };
    const { wire, sent } = await exchange(make(), hanging, limits);
    await until(() => wire.requests.length === 1);

    time.pass(100);
    time.pass(119_900);

    expect((await faultOf(sent)).kind).toBe('timeout');
  });

  test('a request that has ended leaves no timer, for which svc would stay', async () => {
    stoppedTime();
    const { sent } = await exchange(make(), (plan) => plan.reply(200, {}));

    await textOf(await sent);

    expect(vi.getTimerCount()).toBe(0);
  });

  test('a body that arrives slowly but steadily is cut at the time limit', async () => {
    const time = stoppedTime();
    const { wire, sent } = await exchange(make(), dripping, { timeoutMs: 200 });
    await until(() => wire.requests.length === 1);
    time.pass(10);
    const reading = faultOf(textOf(await sent));
    time.pass(190);
    expect((await reading).kind).toBe('timeout');
    await isClosed(wire);
  });

  test('an interim answer whose head does not end is broken off', async () => {
    const head = `HTTP/1.1 103 Early Hints\r\nlink: ${'x'.repeat(100_000)}`;
    const { wire, sent } = await exchange(make(), (plan) =>
      plan.act(({ socket }) => void socket.write(head)),
    );

    expect((await faultOf(sent)).kind).toBe('reset');
    await isClosed(wire);
  });

  test.each([
    ['before the answer', hanging],
    ['within the body', dripping],
  ])('an interrupt %s throws its reason and closes the connection', async (_when, plan) => {
    const { signal, stop, now } = interrupt();
    const { wire, sent } = await exchange(make(), plan, { signal });
    const read = plan === dripping ? textOf(await sent) : sent;
    void until(() => wire.requests.length === 1).then(now);
    await expect(read).rejects.toBe(stop);
    await isClosed(wire);
  });

  test('fresh connections are closed after the answer; kept ones serve the next read, and never a change', async () => {
    const wire = await testWire();
    wire.on('GET', '/x').always(200, {});
    wire.on('POST', '/x').reply(200, {});
    const send = make();
    for (let count = 0; count < 3; count += 1) await textOf(await send(requestTo(`${wire.url}/x`)));
    const keeps = name === 'undici';
    expect(wire.connections()).toBe(keeps ? 1 : 3);
    if (!keeps) await isClosed(wire);
    await textOf(await send(requestTo(`${wire.url}/x`, { method: 'POST' })));
    expect(wire.connections()).toBe(keeps ? 2 : 4);
  });

  test('a connection whose body was not read is closed, and serves no other request', async () => {
    const send = make();
    const { wire, sent } = await exchange(send, (plan) => dripping(plan).reply(200, {}));
    for await (const _chunk of (await sent).body) break;
    await isClosed(wire);
    expect(await textOf(await send(requestTo(`${wire.url}/x`)))).toBe('{}');
    expect(wire.connections()).toBe(2);
  });
});
