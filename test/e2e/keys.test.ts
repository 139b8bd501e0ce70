import { beforeAll, describe, expect, test } from 'vitest';
import { ISSUED } from '../support/device-login.ts';
import { needs } from '../support/needs.ts';
import { builtProgram, type Program } from '../support/program.ts';
import { CANARY_TOKEN } from '../support/svc.ts';
import { until } from '../support/until.ts';
import { send } from '../support/wire-plan.ts';
import type { TerminalOptions, TerminalRun } from '../terminal/script.ts';
import { newStage } from './login/stage.ts';

const CTRL_Z = '\u001a';
const ACCOUNT = { user: { email: 'marie@example.com' } };
const bash = needs('bash');

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

/** svc on a terminal with a spinner, until `answer` is called. */
async function waiting(
  context: Parameters<typeof newStage>[0],
  args: readonly string[],
  words: string,
  options: TerminalOptions = {},
) {
  const stage = await newStage(context, program, null);
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  stage.wire.on('GET', '/v1/user').act(async ({ response }) => {
    await answered;
    send(response, 200, ACCOUNT);
  });
  const run = stage.terminal(args, { ...options, env: { SVC_TOKEN: CANARY_TOKEN } });
  await run.shows(words);
  return { ...stage, run, answer };
}

/** Resolves when svc has drawn more, and so has read what was typed. */
async function turns(run: TerminalRun): Promise<void> {
  for (let frames = 0; frames < 3; frames += 1) await run.shows('\u001b[?2026l', run.output().length);
}

describe.concurrent('while a spinner turns', () => {
  test('what is typed is left to the shell', async (context) => {
    const { run, answer } = await waiting(context, ['whoami'], 'Asking', {
      after: `read -r line; printf '<read %s>' "$line"`,
    });
    run.type('typed ahead\r');
    await turns(run);
    answer();
    expect(await run.ended()).toBe(0);
    expect(run.output()).toContain('marie@example.com');
    await until(() => run.output().includes('<read typed ahead>'), run.output);
  });

  test('typed keys do not answer the question that follows', async (context) => {
    const order = ['buy', '--plan', 'plan_wp_pro', '--network', 'mtn', '--phone', '+237670000042'];
    const { run, answer, wire } = await waiting(context, order, 'Looking up your account');
    run.type('yes\ryes');
    await turns(run);
    answer();
    await run.shows('Your order');
    await run.shows('Type yes to confirm');
    await run.shows('└');
    await run.answer('n');
    await run.ended();
    expect(run.output()).toContain('Nothing was ordered.');
    expect(wire.requests.map(({ method }) => method)).toEqual(['GET']);
  });

  test.skipIf(bash.missing)(bash.title('Ctrl-Z gives the terminal back, and fg takes it again'), async (context) => {
    const { run, answer } = await waiting(context, ['whoami'], 'Asking', { jobs: true });
    run.type(CTRL_Z);
    await run.shows('<stopped>');
    const stopped = run.output().length;
    expect(run.output().lastIndexOf('\u001b[?25h')).toBeGreaterThan(run.output().lastIndexOf('\u001b[?25l'));
    run.type('abc');
    await run.shows('abc', stopped);
    run.type('\r');
    await run.shows('\u001b[?25l', stopped);
    await turns(run);
    answer();
    expect(await run.ended()).toBe(0);
  });
});

test.skipIf(bash.missing)(bash.title('in the background a login goes on without keys'), async (context) => {
  const { wire, poll, terminal } = await newStage(context, program);
  wire.on('GET', '/v1/user').reply(200, ACCOUNT);
  poll.reply(400, { error: 'authorization_pending' }).reply(200, ISSUED);
  const run = terminal(['login', '--no-browser'], { jobs: 'background' });
  await run.shows('Signed in as');
  run.type('\r');
  expect(await run.ended()).toBe(0);
  expect(run.output()).not.toContain('Press c');
});
