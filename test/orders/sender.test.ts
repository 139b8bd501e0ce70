import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isSending, type Sender, senderHere } from '../../src/orders/sender.ts';
import { machineOf } from '../../src/store/machine.ts';
import { until } from '../support/until.ts';

const NOW = Date.parse('2026-03-02T12:00:00Z');
const HERE = machineOf(process, hostname());
const DEAD_PID = 4_194_305;

/** Another process of this machine as a sender; it ends with the test. */
function living() {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const { pid = 0 } = child;
  return { child, sender: senderHere({ ...HERE, pid }, NOW + 1_000) };
}

test('after its deadline, nobody is sending', () => {
  const { sender } = living();
  expect(isSending(sender, NOW, HERE)).toBe(true);
  expect(isSending(sender, NOW + 1_000, HERE)).toBe(false);
  expect(isSending({ ...sender, until: 'never' }, NOW, HERE)).toBe(false);
});

describe.runIf(process.platform === 'linux')('on Linux', () => {
  test('a process is identified by host, boot, PID namespace, pid and start time', () => {
    expect(senderHere(HERE, NOW)).toEqual({
      host: hostname(),
      boot: expect.stringMatching(/^[0-9a-f-]{36}$/),
      pidNamespace: expect.stringMatching(/^pid:\[\d+\]$/),
      pid: process.pid,
      startedAt: expect.stringMatching(/^\d+$/),
      until: '2026-03-02T12:00:00.000Z',
    });
  });

  test('this very process is not another one', () => {
    expect(isSending(senderHere(HERE, NOW + 1_000), NOW, HERE)).toBe(false);
  });

  test('a process that has ended is not sending, nor is another one that got its number', async () => {
    const { child, sender } = living();
    expect(isSending({ ...sender, startedAt: '1' }, NOW, HERE)).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isSending(sender, NOW, HERE)).toBe(false);
    expect(isSending({ ...sender, pid: DEAD_PID }, NOW, HERE)).toBe(false);
  });

  test('a process that was killed and that nobody has buried yet is not sending', async () => {
    // The shell starts a process, tells its number and becomes one that does not wait for it.
    const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [text] = (await once(parent.stdout, 'data')) as [Buffer];
    const sender = senderHere({ ...HERE, pid: Number(text.toString()) }, NOW + 1_000);
    await until(() => isSending(sender, NOW, HERE) === false);
    expect(HERE.isAlive(sender.pid), 'its number is still taken').toBe(true);
  });

  test.each<[string, Partial<Sender>]>([
    ['another host', { host: 'elsewhere' }],
    ['another machine of the same name', { boot: '00000000-0000-0000-0000-000000000000' }],
    ['another container of the same name', { pidNamespace: 'pid:[1]' }],
    ['a system that says too little', { boot: undefined, pidNamespace: undefined }],
  ])('a process of %s counts as alive until its deadline', (_title, changes) => {
    const sender = { ...senderHere({ ...HERE, pid: DEAD_PID }, NOW + 1_000), ...changes };
    expect(isSending(sender, NOW, HERE)).toBe(true);
    expect(isSending({ ...sender, pid: process.pid }, NOW, HERE), 'even under the number of this process').toBe(true);
    expect(isSending(sender, NOW + 1_000, HERE)).toBe(false);
  });
});
