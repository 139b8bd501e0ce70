import { expect, test } from 'vitest';
import { onTerminal, type Scope, TERMINAL_ENV, testScript } from './script.ts';

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';

/** Runs a program on a terminal; when it shows a text, it is told so, and goes on. */
async function session(
  program: (scope: Scope) => unknown,
  texts: readonly string[],
  env: object = {},
) {
  const run = onTerminal(await testScript(program), { env: { ...TERMINAL_ENV, ...env } });
  for (const text of texts) {
    await run.shows(text);
    run.signal('SIGUSR2');
  }
  expect(await run.ended()).toBe(0);
  return run.output();
}

test('a spinner shows safe text, as it changes, and the cursor again at its end', async () => {
  const output = await session(
    async ({ io, seen }) => {
      const progress = io.progress('Restarting \u001b[31mshop');
      await seen();
      progress.update('Almost there');
      await seen();
      progress.stop();
      console.log('done');
    },
    ['Restarting \\u{1b}[31mshop', 'Almost there'],
    { NO_COLOR: '1' },
  );
  expect(output).toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
  expect(output).not.toMatch(/\u001b\[[\d;]*m/);
  expect(output.split(HIDE_CURSOR)).toHaveLength(2);
  expect(output.lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(output.lastIndexOf(HIDE_CURSOR));
});

test('Ctrl-C reaches the process while the spinner turns, which handles no signals itself', async () => {
  const run = onTerminal(
    await testScript(({ io }) => {
      io.progress('Working');
      process.once('SIGINT', () => {
        io.restoreTerminal();
        const signals = process
          .eventNames()
          .filter((name) => /^SIG(?!WINCH|USR2)/.test(String(name)));
        console.log(`handlers: ${signals.map(String)}.`);
        process.exitCode = 130;
      });
    }),
  );
  await run.shows('Working');
  run.type('\u0003');
  expect(await run.ended()).toBe(130);
  expect(run.output()).toContain('handlers: .');
  expect(run.output().lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(
    run.output().lastIndexOf(HIDE_CURSOR),
  );
});

test('without movement progress is a line of words, and its texts are redacted', async () => {
  const output = await session(
    async ({ newIo, seen }) => {
      const conceal = (text: string) => text.replaceAll('secret', '[redacted]');
      const careful = newIo({ env: { ...process.env, CI: '1' }, conceal });
      const first = careful.progress('Waiting for secret');
      await seen();
      first.stop();
      const later = careful.progress('Nothing yet');
      later.update('And for secret');
      await seen();
      careful.restoreTerminal();
    },
    ['Waiting', 'And for'],
  );
  expect(output).toBe('Waiting for [redacted]\r\nAnd for [redacted]\r\n');
});

/** Sets the title of the terminal, which no program draws by itself. */
const ENDED = '\u001b]0;work ended\u0007';

test('a question hides a spinner and keeps the keys when the work ends', async () => {
  const run = onTerminal(
    await testScript(async ({ io, sleep, seen }, ENDED) => {
      const work = io.progress('Working', { byDefault: true });
      await seen();
      const asked = io.ask('Plan id');
      await seen();
      // Some frames of the spinner.
      await sleep(800);
      work.stop();
      process.stderr.write(ENDED);
      console.log(`answer: ${await asked}`);
    }, ENDED),
  );
  await run.shows('Working');
  run.signal('SIGUSR2');
  await run.shows('Plan id');
  const shown = run.output().length;
  run.signal('SIGUSR2');
  await run.shows(ENDED);
  expect(run.output().slice(shown)).not.toContain('Working');
  run.type('pro\r');
  expect(await run.ended(), run.output()).toBe(0);
  expect(run.output()).toContain('answer: pro');
});

const TITLE = /\u001b\]0;([^\u0007]*)\u0007/g;

test.each([
  ['a terminal with a taskbar', { WT_SESSION: '1' }, ['3', '1;59', '0']],
  ['any other terminal', {}, []],
])('%s says in its title what long work does, and is given back', async (_what, env, bars) => {
  const output = await session(
    async ({ newIo, seen }) => {
      // Five seconds pass between two looks at the clock.
      let ms = 0;
      const monotonic = () => (ms += 5_000);
      const clock = { now: () => 0, monotonic, sleep: async () => {} };
      const progress = newIo({ clock }).progress('Updating plugins');
      await seen();
      progress.update('Updating plugins 59 %');
      await seen();
      progress.stop();
    },
    ['\u001b]0;svc: Updating plugins\u0007', '\u001b]0;svc: Updating plugins 59 %\u0007'],
    env,
  );

  expect(output.match(/\u001b\[22;0t/g)).toHaveLength(1);
  expect([...output.matchAll(TITLE)].map(([, title]) => title)).toEqual([
    'svc: Updating plugins',
    'svc: Updating plugins 59 %',
  ]);
  expect(output.match(/\u001b\[23;0t/g)).toHaveLength(1);
  expect([...output.matchAll(/\u001b\]9;4;([\d;]+)\u0007/g)].map(([, bar]) => bar)).toEqual(bars);
});

test.each([
  ['short work', 0, 'xterm-256color'],
  ['the console of Linux', 5_000, 'linux'],
])('%s leaves the title as it is', async (_what, stepMs, TERM) => {
  const run = onTerminal(
    await testScript(async ({ newIo, seen }, stepMs) => {
      let ms = 0;
      const monotonic = () => (ms += stepMs);
      const clock = { now: () => 0, monotonic, sleep: async () => {} };
      const progress = newIo({ clock }).progress('Working');
      await seen();
      progress.update('Still working');
      await seen();
      progress.stop();
    }, stepMs),
    { env: { ...TERMINAL_ENV, TERM } },
  );
  for (const text of ['Working', 'Still working']) {
    await run.shows(text);
    run.signal('SIGUSR2');
  }
  expect(await run.ended()).toBe(0);
  expect(run.output()).not.toMatch(/\u001b\]|\u001b\[2[23];0t/);
});
