import { expect, test } from 'vitest';
import { onTerminal, type Scope, TERMINAL_ENV, testScript } from './script.ts';

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';

/** Runs a program on a terminal; when it shows a text, it is told so, and goes on. */
async function session(program: (scope: Scope) => unknown, texts: readonly string[], env: object = {}) {
  const run = onTerminal(await testScript(program), { env: { ...TERMINAL_ENV, ...env } });
  for (const text of texts) {
    await run.shows(text);
    run.signal('SIGUSR2');
  }
  expect(await run.ended()).toBe(0);
  return run.output();
}

/** Shows a hostile text, then another one. */
const WORKS = async ({ io, seen }: Scope) => {
  const progress = io.progress('Restarting \u001b[31mshop');
  await seen();
  progress.update('Almost there');
  await seen();
  progress.stop();
  progress.stop();
  console.log('done');
};
const ONCE = async ({ io, seen }: Scope) => {
  const progress = io.progress('Working');
  await seen();
  progress.stop();
};
const WITHOUT_COLUMNS = async ({ io, seen }: Scope) => {
  Object.defineProperty(process.stderr, 'columns', { value: 0 });
  const progress = io.progress('Working');
  await seen();
  progress.stop();
};

test('a spinner turns, changes its text, and shows the cursor again', async () => {
  const output = await session(WORKS, ['Restarting \\u{1b}[31mshop', 'Almost there']);
  expect(output).toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
  expect(output).toContain('done');
  expect(output.split(HIDE_CURSOR).length).toBe(2);
  expect(output.lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(output.lastIndexOf(HIDE_CURSOR));
});

test('Ctrl-C still reaches the process while the spinner turns', async () => {
  const run = onTerminal(
    await testScript(({ io }) => {
      io.progress('Working');
      process.once('SIGINT', () => {
        io.restoreTerminal();
        process.exitCode = 130;
      });
    }),
  );
  await run.shows('Working');
  run.type('\u0003');
  expect(await run.ended()).toBe(130);
  expect(run.output().lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(run.output().lastIndexOf(HIDE_CURSOR));
});

test('a spinner installs no signal handlers, and restoreTerminal stops all progress', async () => {
  const output = await session(
    async ({ io, seen }) => {
      io.progress('Working');
      await seen();
      const signals = process.eventNames().map(String);
      io.restoreTerminal();
      console.log(`handlers: ${signals.filter((name) => name.startsWith('SIG') && name !== 'SIGWINCH')}`);
    },
    ['Working'],
  );
  expect(output).toMatch(/handlers: \r\n$/);
});

test('quick work shows nothing and loads no spinner', async () => {
  const output = await session(async ({ io, sleep }) => {
    io.progress('Working').stop();
    await sleep(600);
    console.log('done');
  }, []);
  expect(output.trim()).toBe('done');
});

test('without colours a spinner has none', async () => {
  expect(await session(ONCE, ['Working'], { NO_COLOR: '1' })).not.toMatch(/\u001b\[[\d;]*m/);
});

test.each<[where: string, env: object, program: typeof ONCE]>([
  ['for a screen reader', { ACCESSIBLE: '1' }, ONCE],
  ['on a dumb terminal', { TERM: 'dumb' }, ONCE],
  ['in CI', { CI: 'true' }, ONCE],
  ['where nobody knows the columns', {}, WITHOUT_COLUMNS],
])('%s progress is one line of words', async (_where, env, program) => {
  expect(await session(program, ['Working'], env)).toBe('Working\r\n');
});

test.each(['json', 'quiet'])('with --%s there is no progress', async (flag) => {
  const run = onTerminal(
    await testScript(async ({ io, sleep }, flag) => {
      io.configure({ json: false, quiet: false, noInput: false, noColor: false, [flag]: true });
      const progress = io.progress('Working');
      await sleep(700);
      progress.stop();
      console.log('done');
    }, flag),
  );
  expect(await run.ended()).toBe(0);
  expect(run.output()).toBe('done\r\n');
});

test('the first and the later texts are redacted', async () => {
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

test('after ten seconds a spinner says how to stop, unless its words do', async () => {
  const output = await session(
    async ({ newIo, sleep, seen }) => {
      let now = 0;
      const slow = newIo({ clock: { now: () => now, monotonic: () => now, sleep } });
      const progress = slow.progress(() => `Working for ${now / 1000} s`);
      await seen();
      now = 9_999;
      await seen();
      now = 10_000;
      await seen();
      progress.update('Waiting. Ctrl-C to cancel');
      await seen();
      progress.stop();
    },
    ['Working for 0 s', 'Working for 9.999 s', 'Working for 10 s', 'Ctrl-C to cancel'],
  );
  const lines = output.split(/\u001b\[\?2026l/);
  expect(lines.filter((line) => line.includes('Working for 9.999 s')).join()).not.toContain('Ctrl-C');
  expect(output).toContain('Working for 10 s  Ctrl-C to stop');
  expect(output).not.toContain('cancel  Ctrl-C');
});

test('of two texts the later one shows, but a default one gives way until it is updated', async () => {
  const output = await session(
    async ({ io, seen }) => {
      const own = io.progress('Checking');
      const inner = io.progress('Asking', { byDefault: true });
      await seen();
      inner.update('Retrying');
      await seen();
      inner.stop();
      own.update('Checked');
      await seen();
      own.stop();
    },
    ['Checking', 'Retrying', 'Checked'],
  );
  expect(output).not.toContain('Asking');
});

/** Sets the title of the terminal, which no program draws by itself. */
const ENDED = '\u001b]0;work ended\u0007';

test.each([
  ['shown', true],
  ['due', false],
])('a question hides a spinner that is %s and keeps the keys when the work ends', async (_name, isShown) => {
  const run = onTerminal(
    await testScript(
      async ({ io, sleep, seen }, { isShown, ENDED }) => {
        const work = io.progress('Working', { byDefault: true });
        if (isShown) await seen();
        const asked = io.ask('Plan id');
        await seen();
        // Some frames of the spinner.
        await sleep(800);
        work.stop();
        process.stderr.write(ENDED);
        console.log(`answer: ${await asked}`);
      },
      { isShown, ENDED },
    ),
  );
  if (isShown) {
    await run.shows('Working');
    run.signal('SIGUSR2');
  }
  await run.shows('Plan id');
  const shown = run.output().length;
  run.signal('SIGUSR2');
  await run.shows(ENDED);
  expect(run.output().slice(shown)).not.toContain('Working');
  run.type('pro\r');
  expect(await run.ended(), run.output()).toBe(0);
  expect(run.output()).toContain('answer: pro');
});
