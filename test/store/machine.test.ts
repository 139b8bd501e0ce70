import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createMachine } from '../../src/store/machine.ts';
import { until } from '../support/until.ts';

test('a process that has ended, and whose parent never asks how, is not alive', async () => {
  const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 600']);
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [output] = await once(parent.stdout, 'data');
  const pid = Number(String(output));
  await until(() => / [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));

  const machine = createMachine(process, 'here');

  expect(machine.isAlive(pid)).toBe(false);
  expect(machine.isAlive(parent.pid ?? 0)).toBe(true);
  expect(machine.isAlive(process.pid)).toBe(true);
});

test('a process of another user is alive, although it can be sent no signal', () => {
  const kill = () => {
    throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
  };
  const machine = createMachine({ pid: 1, platform: 'linux', kill }, 'here');

  expect(machine.isAlive(2)).toBe(true);
});
