import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { visitSandbox } from './visit.ts';

test('its secrets say what they are, and no two starts share them', async () => {
  const [first, second] = [(await visitSandbox()).sandbox, (await visitSandbox()).sandbox];
  const secrets = [first.token, first.sessionToken, second.token, second.sessionToken];
  for (const secret of secrets) expect(secret).toMatch(/^svc_sandbox_fake_/);
  expect(new Set(secrets).size).toBe(4);
});

test('it listens on 127.0.0.1 and nowhere else; a port that is taken is named, with a way out', async () => {
  const { sandbox } = await visitSandbox();
  const port = Number(new URL(sandbox.url).port);
  await expect(opened(port, '127.0.0.2')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await expect(startSandbox({ port })).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining(`${port}`),
    details: { hint: { run: ['svc sandbox --port 0'] } },
  });
});

test('it closes at once although a connection is open, and closing twice is no error', async () => {
  const { sandbox } = await visitSandbox();
  const port = Number(new URL(sandbox.url).port);
  const ended = once(await opened(port), 'close');
  await sandbox.close();
  await ended;
  await sandbox.close();
  await expect(opened(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('a connection that sends nothing, and a request that never ends, are closed in time', async () => {
  const { sandbox } = await visitSandbox({ timeoutMs: 100 });
  const { host, port } = new URL(sandbox.url);
  const silentEnds = once(await opened(Number(port)), 'close');
  const unfinished = await opened(Number(port));
  const unfinishedEnds = once(unfinished, 'close');
  unfinished.write(
    `POST /v1/auth/device HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`,
  );
  unfinished.write('Content-Length: 100\r\n\r\n{"clientName":');
  await Promise.all([silentEnds, unfinishedEnds]);
});

async function opened(port: number, host = '127.0.0.1') {
  const socket = connect(port, host);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket.on('error', () => {}).resume();
}
