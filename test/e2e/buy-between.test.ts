import { spawn } from 'node:child_process';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { figure } from '../support/figure.ts';
import { builtProgram } from '../support/program.ts';
import { tries } from '../support/property.ts';
import { temporaryFolder } from '../support/svc.ts';
import { until } from '../support/until.ts';
import { findOrderId, killedBuyers, orderOf, readJournal } from './killed-buyer.ts';

const { numRuns } = tries(100, 0);

/** A pipe that is full, so that whoever prints into it waits; nobody reads it. */
async function fullPipe(): Promise<number> {
  const path = join(await temporaryFolder(), 'full');
  await execa('mkfifo', [path]);
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(pipe));
  const page = Buffer.alloc(4096);
  // A pipe holds a megabyte at the most.
  for (let written = 0; written < 1_024; written += 1) {
    try {
      writeSync(pipe, page);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') break;
      throw error;
    }
  }
  const stdout = openSync(path, constants.O_WRONLY);
  onTestFinished(() => closeSync(stdout));
  return stdout;
}

test.skipIf(process.platform === 'win32')(
  `${numRuns} buyers killed between recording and printing find their order in the book, and place no second one`,
  async () => {
    const sandbox = await startSandbox({ port: 0 });
    onTestFinished(() => sandbox.close());
    const configDir = await temporaryFolder();
    const signedIn = {
      SVC_API_URL: sandbox.url,
      SVC_TOKEN: sandbox.token,
      SVC_CONFIG_DIR: configDir,
    };
    const program = await builtProgram();
    const run = killedBuyers(program, signedIn);
    const stdout = await fullPipe();
    const ids = () => sandbox.snapshot().orders.map(({ answer }) => answer.orderId);

    for (let intent = 0; intent < numRuns; intent += 1) {
      const line = orderOf(`order <${intent}>`);
      const [node, script] = program.command;
      const env = { PATH: process.env['PATH'], LANG: 'C.UTF-8', ...signedIn };
      const buyer = spawn(node, [script, ...line], { env, stdio: ['ignore', stdout, 'ignore'] });
      onTestFinished(() => void buyer.kill('SIGKILL'));
      const ended = new Promise((resolve) => buyer.on('exit', (_code, signal) => resolve(signal)));
      await until(() =>
        readJournal(configDir).some(
          ({ state, summary }) => state === 'placed' && summary.includes(`<${intent}>`),
        ),
      );
      buyer.kill('SIGKILL');
      expect(await ended, 'it was about to print').toBe('SIGKILL');

      const again = await run(line);
      expect(again.exitCode, again.stderr).toBe(2);
      expect(findOrderId(again)).toBe(ids().at(-1));
    }

    expect(ids()).toHaveLength(numRuns);
    figure('Purchases killed before printing', numRuns, 'each answered from the book');
  },
  900_000,
);
