import { beforeAll, expect, test } from 'vitest';
import { builtProgram, type Program } from '../support/program.ts';
import { CANARY_TOKEN, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';
import { onTerminal, TERMINAL_ENV } from '../terminal/script.ts';

const CTRL_C = '\u0003';

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

/** `svc metrics --watch` on a terminal, against a service that answers once with these values. */
async function watching(cpuPercent: number, ...more: readonly string[]) {
  const wire = await testWire();
  const points = [3, 2, 1].map((minutes) => ({
    time: new Date(Date.now() - minutes * 60_000).toISOString(),
    cpuPercent,
  }));
  wire.on('GET', '/v1/services/svc_1/metrics/history').reply(200, { points });
  const env = {
    ...TERMINAL_ENV,
    SVC_API_URL: wire.url,
    SVC_TOKEN: CANARY_TOKEN,
    SVC_CONFIG_DIR: await temporaryFolder(),
  };
  return onTerminal(program.command[1], { args: ['metrics', 'svc_1', '--watch', ...more], env });
}

test('the watched values stand on the screen, and Ctrl-C ends the watch without an error and leaves the terminal in order', async () => {
  const run = await watching(42);
  await run.shows('Press Ctrl-C to stop.');
  expect(run.output()).toMatch(/cpuPercent .*42%/);
  run.type(CTRL_C);
  expect(await run.ended()).toBe(130);
  const output = run.output();
  expect(output).not.toContain('Error');
  expect(output.endsWith('\r\n')).toBe(true);
  expect(output.lastIndexOf('\u001b[?25l')).toBeLessThanOrEqual(output.lastIndexOf('\u001b[?25h'));
});

test('a condition that holds ends the watch with what it is and exit code 9', async () => {
  const run = await watching(42, '--fail-if', 'cpu>40');
  expect(await run.ended()).toBe(9);
  expect(run.output()).toContain('cpu>40 holds: last(cpuPercent) is 42.');
});
