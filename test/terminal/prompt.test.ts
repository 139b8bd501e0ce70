import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { onTerminal, type Scope, TERMINAL_ENV, testScript } from './script.ts';

const ENTER = '\r';
const CTRL_C = '\u0003';
const CTRL_Z = '\u001a';
const ESCAPE = '\u001b';
const DOWN = '\u001b[B';
const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';

type Program = (scope: Scope) => unknown;
/** They print the answer of a prompt. */
const CONFIRM: Program = ({ io, fail }) =>
  io.confirm('Buy it \u202e for 5 USD?').then((answer) => console.log(`answer ${answer}`), fail);
const SELECT: Program = ({ io, fail }) =>
  io
    .select('Plan?', [
      { value: 'small', label: 'Small' },
      { value: 'large', hint: '5 USD' },
    ])
    .then((answer) => console.log(`answer ${answer}`), fail);

test('a question is answered with No when only Enter is pressed', async () => {
  const run = onTerminal(await testScript(CONFIRM));
  await run.shows('No');
  run.type(ENTER);
  expect(await run.ended()).toBe(0);
  expect(run.output()).toContain('answer false');
});

test('a question is answered with Yes by the letter alone, and the cursor comes back', async () => {
  const run = onTerminal(await testScript(CONFIRM));
  await run.shows('No');
  run.type('y');
  expect(await run.ended()).toBe(0);
  expect(run.output()).toContain('answer true');
  expect(run.output().lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(run.output().lastIndexOf(HIDE_CURSOR));
});

test('bidirectional controls in a question are escaped', async () => {
  const run = onTerminal(await testScript(CONFIRM));
  await run.shows('No');
  run.type(ENTER);
  await run.ended();
  expect(run.output()).toContain('Buy it \\u{202e} for 5 USD?');
  expect(run.output()).not.toContain('\u202e');
});

test.each([
  ['Ctrl-C', CTRL_C],
  ['Esc', ESCAPE],
])('%s leaves a question with exit code 130 and the cursor shown', async (_name, key) => {
  const run = onTerminal(await testScript(CONFIRM));
  await run.shows('No');
  const shown = run.output().length;
  run.type(key);
  expect(await run.ended()).toBe(130);
  expect(run.output()).toContain('Cancelled.');
  expect(run.output().slice(shown)).not.toContain('Yes');
  expect(run.output()).not.toContain('answer');
  expect(run.output().lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(run.output().lastIndexOf(HIDE_CURSOR));
});

test('one of several answers is chosen with the arrow keys', async () => {
  const run = onTerminal(await testScript(SELECT));
  await run.shows('large');
  run.type(DOWN);
  run.type(ENTER);
  expect(await run.ended()).toBe(0);
  expect(run.output()).toContain('answer large');
});

test.each([
  ['a question', 'confirm', 'Buy it?', 'y', 'true', {}],
  ['a choice', 'select', 'Plan?', DOWN + ENTER, 'large', {}],
  ['a text', 'ask', 'Phone?', `42${ENTER}`, '42', {}],
  ['a secret', 'askSecret', 'Token', `42${ENTER}`, '42', {}],
  ['a secret for a screen reader', 'askSecret', 'Token', `42${ENTER}`, '42', { ACCESSIBLE: '1' }],
] as const)('after Ctrl-Z and fg, %s is shown again and answered', async (_name, prompt, shown, keys, answer, env) => {
  const options = { jobs: true, env: { ...TERMINAL_ENV, ...env } };
  const asks = await testScript(
    async ({ newIo, job, fail }, { prompt, question }) => {
      const asking = newIo({ job });
      const prompts = {
        confirm: () => asking.confirm(question),
        select: () => asking.select(question, [{ value: 'small' }, { value: 'large' }]),
        ask: () => asking.ask(question),
        askSecret: () => asking.askSecret(question),
      };
      await prompts[prompt]().then((given: unknown) => console.log(`answer ${given}`), fail);
    },
    { prompt, question: shown },
  );
  const run = onTerminal(asks, options);
  await run.shows(shown);
  run.type(CTRL_Z);
  await run.shows('<stopped>');
  const stopped = run.output().length;
  run.type('\n');
  await run.shows(shown, stopped);
  const again = run.output().length;
  run.type(keys);
  expect(await run.ended()).toBe(0);
  expect(run.output()).toContain(`answer ${answer}`);
  expect(run.output().slice(again)).not.toContain('◆');
});

test('an invalid text is asked for again', async () => {
  const asks = await testScript(({ io, fail }) => {
    const validate = (text: string) => (/^\d+$/.test(text) ? undefined : 'Digits only, please.');
    return io.ask('Phone?', { validate }).then((answer) => console.log(`answer ${answer}`), fail);
  });
  const run = onTerminal(asks);
  await run.shows('Phone?');
  run.type(`12a${ENTER}`);
  await run.shows('Digits only, please.');
  run.type(`\u007f3${ENTER}`);
  expect(await run.ended()).toBe(0);
  expect(run.output()).toContain('answer 123');
});

test.each([
  ['on a modern terminal', TERMINAL_ENV],
  ['for a screen reader', { ...TERMINAL_ENV, ACCESSIBLE: '1' }],
])('a secret is not shown while it is typed, %s', async (_name, env) => {
  const asks = await testScript(({ io, fail }) =>
    io.askSecret('Token').then(({ length }) => console.log(`answer ${length}`), fail),
  );
  const run = onTerminal(asks, { env });
  await run.shows('Token');
  run.type('svc_CANARY');
  run.type(ENTER);
  expect(await run.ended()).toBe(0);
  expect(run.output()).toContain('answer 10');
  expect(run.output()).not.toContain('CANARY');
});

test('a question has no colours with NO_COLOR', async () => {
  const run = onTerminal(await testScript(CONFIRM), { env: { ...TERMINAL_ENV, NO_COLOR: '1' } });
  await run.shows('No');
  run.type(CTRL_C);
  expect(await run.ended()).toBe(130);
  expect(run.output()).not.toMatch(/\u001b\[[\d;]*m/);
});

test('for a screen reader a question is one plain line', async () => {
  const run = onTerminal(await testScript(CONFIRM), { env: { ...TERMINAL_ENV, ACCESSIBLE: '1' } });
  await run.shows('[y/N] ');
  run.type(`maybe${ENTER}`);
  await run.shows('Please answer yes or no.');
  run.type(`yes${ENTER}`);
  expect(await run.ended()).toBe(0);
  expect(run.output()).toContain('answer true');
  expect(run.output()).not.toContain('\u001b');
});

test('a question is one line if the terminal does not report its columns', async () => {
  const run = onTerminal(
    await testScript(({ io, fail }) => {
      Object.defineProperty(process.stderr, 'columns', { value: 0 });
      return io.confirm('Sure?').then((answer) => console.log(`answer ${answer}`), fail);
    }),
  );
  await run.shows('[y/N] ');
  run.type(ENTER);
  expect(await run.ended()).toBe(0);
  expect(run.output()).toContain('answer false');
});

test('for a screen reader a choice is a number', async () => {
  const run = onTerminal(await testScript(SELECT), { env: { ...TERMINAL_ENV, ACCESSIBLE: '1' } });
  await run.shows('  2. large (5 USD)');
  run.type(`7${ENTER}`);
  await run.shows('Please type a number from 1 to 2.');
  run.type(`2${ENTER}`);
  expect(await run.ended()).toBe(0);
  expect(run.output()).toContain('answer large');
});

test('the end of the input cancels a one-line question, and the next text begins a line', async () => {
  const run = onTerminal(await testScript(CONFIRM), { env: { ...TERMINAL_ENV, TERM: 'dumb' } });
  await run.shows('[y/N] ');
  run.type('\u0004');
  expect(await run.ended()).toBe(130);
  expect(run.output()).toContain('[y/N] \r\nCancelled.');
});

test('a question after the end of the input is cancelled', async () => {
  const run = onTerminal(
    await testScript(({ io, fail }) => {
      const two = async () => {
        await io.ask('First');
        await io.ask('Second');
      };
      process.stdin.once('end', () => two().catch(fail));
      process.stdin.resume();
    }),
    { env: { ...TERMINAL_ENV, TERM: 'dumb' } },
  );
  run.type('\u0004');
  expect(await run.ended()).toBe(130);
});

test('a signal cancels a question and shows the cursor again', async () => {
  const run = onTerminal(
    await testScript(({ newIo, fail }) => {
      const stop = new AbortController();
      process.once('SIGTERM', () => stop.abort(Object.assign(new Error('told to end'), { exitCode: 143 })));
      return newIo({ signal: stop.signal })
        .confirm('Sure?')
        .then((answer) => console.log(`answer ${answer}`), fail);
    }),
  );
  await run.shows('No');
  run.signal('SIGTERM');
  expect(await run.ended()).toBe(143);
  expect(stripVTControlCharacters(run.output())).toContain('told to end');
  expect(run.output().lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(run.output().lastIndexOf(HIDE_CURSOR));
});

test.each([{ CI: 'true' }, { SVC_NO_INPUT: '1' }])('prompts are refused with %j', async (more) => {
  const run = onTerminal(await testScript(CONFIRM), { env: { ...TERMINAL_ENV, ...more } });
  expect(await run.ended()).toBe(2);
  expect(run.output()).toContain('cannot ask questions here');
});
