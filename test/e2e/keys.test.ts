import { beforeAll, describe, expect, test } from 'vitest';
import { ISSUED } from '../support/device-login.ts';
import { needs } from '../support/needs.ts';
import { builtProgram, type Program } from '../support/program.ts';
import { CANARY_TOKEN } from '../support/svc.ts';
import { until } from '../support/until.ts';
import { send } from '../support/wire-plan.ts';
import type { TerminalOptions, TerminalRun } from '../terminal/script.ts';
import { newStage } from './login/stage.ts';

const ACCOUNT = { user: { email: 'marie@example.com' } };
const ORDER = 'buy --plan plan_wp_pro --network mtn --phone +237670000042';
const bash = needs('bash');

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

/** svc on a terminal with a spinner, until `answer` is called. */
async function waiting(
  context: Parameters<typeof newStage>[0],
  line: string,
  options: TerminalOptions = {},
) {
  const { wire, terminal } = await newStage(context, program, null);
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  wire.on('GET', '/v1/user').act(async ({ response }) => {
    await answered;
    send(response, 200, ACCOUNT);
  });
  const run = terminal(line.split(' '), { ...options, env: { SVC_TOKEN: CANARY_TOKEN } });
  await run.shows(line === ORDER ? 'Looking up your account' : 'Asking');
  return { wire, run, answer };
}

/** Resolves when svc has drawn more, and so has read what was typed. */
async function turns(run: TerminalRun): Promise<void> {
  for (let frames = 0; frames < 3; frames += 1)
    await run.shows('\u001b[?2026l', run.output().length);
}

describe.concurrent('while a spinner turns', () => {
  test('what is typed is left to the shell', async (context) => {
    const { run, answer } = await waiting(context, 'whoami', {
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
    const { run, answer, wire } = await waiting(context, ORDER);
    run.type('yes\ryes');
    await turns(run);
    answer();
    await run.shows('Type yes to confirm');
    await run.shows('└');
    await run.answer('n');
    await run.ended();
    expect(run.output()).toContain('Nothing was ordered.');
    expect(wire.requests.map(({ method }) => method)).toEqual(['GET']);
  });

  test.skipIf(bash.missing)(
    bash.title('Ctrl-Z gives the terminal back, and fg takes it again'),
    async (context) => {
      const { run, answer } = await waiting(context, 'whoami', { jobs: true });
      run.type('\u001a');
      await run.shows('<stopped>');
      const stopped = run.output();
      expect(stopped.lastIndexOf('\u001b[?25h')).toBeGreaterThan(
        stopped.lastIndexOf('\u001b[?25l'),
      );
      run.type('abc');
      await run.shows('abc', stopped.length);
      run.type('\r');
      await run.shows('\u001b[?25l', stopped.length);
      await turns(run);
      answer();
      expect(await run.ended()).toBe(0);
    },
  );
});

test.skipIf(bash.missing)(bash.title('in the background a login goes on'), async (context) => {
  const { poll, terminal } = await newStage(context, program);
  poll.reply(400, { error: 'authorization_pending' }).reply(200, ISSUED);
  const run = terminal(['login', '--no-browser'], { jobs: 'background' });
  await run.shows('Signed in as');
  run.type('\r');
  expect(await run.ended()).toBe(0);
});
