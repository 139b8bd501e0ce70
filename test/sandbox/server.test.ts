import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { visit, visitSandbox } from './visit.ts';

test('its secrets say that they are of the sandbox, and no two starts share them', async () => {
  const [first, second] = [(await visitSandbox()).sandbox, (await visitSandbox()).sandbox];
  for (const secret of [first.token, first.sessionToken]) expect(secret).toMatch(/^svc_sandbox_fake_/);
  expect(new Set([first.token, first.sessionToken, second.token, second.sessionToken]).size).toBe(4);
});

test('it listens on 127.0.0.1 and nowhere else', async () => {
  const { sandbox } = await visitSandbox();
  const { port } = new URL(sandbox.url);
  await expect(opened(Number(port), '127.0.0.1')).resolves.toBe('open');
  await expect(opened(Number(port), '127.0.0.2')).resolves.toBe('ECONNREFUSED');
});

test('a port that is taken is named, with a way out', async () => {
  const { sandbox } = await visitSandbox();
  const port = Number(new URL(sandbox.url).port);
  await expect(startSandbox({ port })).rejects.toMatchObject({
    code: 'usage',
    message: `Port ${port} is taken, perhaps by another sandbox.`,
    details: { hint: { run: ['svc sandbox --port 0'] } },
  });
});

test('it closes at once although connections are kept open, and closing twice is no error', async () => {
  const { sandbox } = await visitSandbox();
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  await new Promise<void>((resolve, reject) => {
    const outgoing = request(`${sandbox.url}/v1/user`, { agent }, (incoming) => incoming.resume().on('end', resolve));
    outgoing.on('error', reject).end();
  });
  const silent = await socketTo(sandbox.url);
  const ended = new Promise<void>((resolve) => silent.on('close', () => resolve()));
  await sandbox.close();
  await ended;
  await sandbox.close();
  expect(await opened(Number(new URL(sandbox.url).port), '127.0.0.1')).toBe('ECONNREFUSED');
});

test('500 connections that send nothing keep nobody out', async () => {
  const { sandbox } = await visitSandbox();
  await Promise.all(Array.from({ length: 500 }, () => socketTo(sandbox.url)));
  expect((await visit(sandbox.url, '/v1/user')).status).toBe(401);
});

test('a connection that sends nothing, and a request that never ends, are closed in time', async () => {
  const { sandbox } = await visitSandbox({ timeoutMs: 100 });
  const { host } = new URL(sandbox.url);
  const silent = await socketTo(sandbox.url);
  const unfinished = await socketTo(sandbox.url);
  unfinished.write(`POST /v1/auth/device HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`);
  unfinished.write('Content-Length: 100\r\n\r\n{"clientName":');
  await Promise.all([silent, unfinished].map((socket) => new Promise<void>((end) => socket.on('close', () => end()))));
  expect(sandbox.snapshot().logins).toEqual([]);
});

async function socketTo(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  socket.resume();
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  return socket;
}

function opened(port: number, host: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy();
      resolve('open');
    });
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
  });
}
