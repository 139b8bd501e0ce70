import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createMachine } from '../../src/store/machine.ts';
import { temporaryFolder } from '../support/svc.ts';
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

test('a program whose name looks like a living process has ended all the same', async () => {
  const program = join(await temporaryFolder(), 'a) S 1 (b');
  writeFileSync(program, '#!/bin/sh\nread line\n', { mode: 0o700 });
  const start = 'exec 3<&0; "$1" <&3 & echo $!; exec sleep 600';
  const parent = spawn('sh', ['-c', start, 'sh', program]);
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [output] = await once(parent.stdout, 'data');
  const pid = Number(String(output));
  // A shell would ask how the program has ended; what follows it does not.
  await until(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'sleep\n');
  parent.stdin.end();
  await until(() => /\(a\) S 1 \(b\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));

  expect(createMachine(process, 'here').isAlive(pid)).toBe(false);
});

test('a process of another user is alive, although it can be sent no signal', () => {
  const kill = () => {
    throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
  };
  const machine = createMachine({ pid: 1, platform: 'linux', kill }, 'here');

  expect(machine.isAlive(2)).toBe(true);
});
