import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { mayConfirm, PASTE_IGNORED } from '../../src/terminal/prompts/prompts.ts';
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
const CONFIRM_BY_WORD: Program = ({ io, fail }) =>
  io.confirm('Buy it?', { word: true }).then((answer) => console.log(`answer ${answer}`), fail);
const ASK = '[y/N]';
const SCREEN_READER = { ...TERMINAL_ENV, ACCESSIBLE: '1' };
const PASTE_MARKS = /\u001b\[\?2004[hl]/g;

test('a question is answered with No when only Enter is pressed', async () => {
  const run = onTerminal(await testScript(CONFIRM));
  await run.shows(ASK);
  run.type(ENTER);
  expect(await run.ended()).toBe(0);
  expect(run.output()).toContain('answer false');
});

test.each(['y', 'Y', 'yes'])(
  'a question is answered with Yes by %s and Enter, and the cursor comes back',
  async (typed) => {
    const run = onTerminal(await testScript(CONFIRM));
    await run.shows(ASK);
    await run.answer(typed);
    expect(await run.ended()).toBe(0);
    expect(run.output()).toContain('answer true');
    expect(run.output().lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(run.output().lastIndexOf(HIDE_CURSOR));
  },
);

test('bidirectional controls in a question are escaped', async () => {
  const run = onTerminal(await testScript(CONFIRM));
  await run.shows(ASK);
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
  await run.shows(ASK);
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
  ['a question', 'confirm', ASK, 'y', 'true', {}],
  ['a question for a screen reader', 'confirm', ASK, 'y', 'true', { ACCESSIBLE: '1' }],
  ['a choice', 'select', 'Plan?', 'large', 'large', {}],
  ['a text', 'ask', 'Phone?', '42', '42', {}],
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
  if (shown === 'Token') run.type(keys);
  else await run.answer(keys);
  const ended = run.ended();
  // Keys that arrive before the terminal gives them one by one count as a paste, which a question refuses.
  const refused = run.shows(PASTE_IGNORED, again).then(
    () => run.answer(keys),
    () => undefined,
  );
  await Promise.race([ended, refused]);
  expect(await ended).toBe(0);
  expect(run.output()).toContain(`answer ${answer}`);
  expect(run.output().slice(again)).not.toContain('◆  Plan');
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
  await run.shows(ASK);
  run.type(CTRL_C);
  expect(await run.ended()).toBe(130);
  expect(run.output()).not.toMatch(/\u001b\[[\d;]*m/);
});

test('a question that is longer than a line goes on below its beginning', async () => {
  const program: Program = ({ io, fail }) =>
    io.confirm('Replace the file that is there already and that somebody may need?').then(() => undefined, fail);
  const run = onTerminal(await testScript(program), { columns: 50 });
  await run.shows(ASK);
  run.type(ENTER);
  expect(await run.ended()).toBe(0);
  const shown = stripVTControlCharacters(run.output()).replaceAll('\r', '');
  expect(shown).toContain('\n◆  Replace the file that is there already and that\n│  somebody may need? [y/N]\n');
});

test('for a screen reader a question is one plain line', async () => {
  const run = onTerminal(await testScript(CONFIRM), { env: { ...TERMINAL_ENV, ACCESSIBLE: '1' } });
  await run.shows('[y/N]: ');
  await run.answer('yes');
  expect(await run.ended()).toBe(0);
  expect(run.output()).toContain('answer true');
  expect(run.output().replace(PASTE_MARKS, '')).not.toContain('\u001b');
});

test('a question is one line if the terminal does not report its columns', async () => {
  const run = onTerminal(
    await testScript(({ io, fail }) => {
      Object.defineProperty(process.stderr, 'columns', { value: 0 });
      return io.confirm('Sure?').then((answer) => console.log(`answer ${answer}`), fail);
    }),
  );
  await run.shows('[y/N]: ');
  run.type(ENTER);
  expect(await run.ended()).toBe(0);
  expect(run.output()).toContain('answer false');
});

test('for a screen reader a choice is a number', async () => {
  const run = onTerminal(await testScript(SELECT), { env: { ...TERMINAL_ENV, ACCESSIBLE: '1' } });
  await run.shows('  2. large (5 USD)');
  await run.shows('Number from 1 to 2: ');
  await run.answer('7');
  await run.shows('Please type a number from 1 to 2.');
  await run.shows('Number from 1 to 2: ', run.output().indexOf('Please'));
  await run.answer('2');
  expect(await run.ended()).toBe(0);
  expect(run.output()).toContain('answer large');
});

test('the end of the input cancels a one-line question, and the next text begins a line', async () => {
  const run = onTerminal(await testScript(CONFIRM), { env: { ...TERMINAL_ENV, TERM: 'dumb' } });
  await run.shows('[y/N]: ');
  run.type('\u0004');
  expect(await run.ended()).toBe(130);
  expect(run.output()).toContain('[y/N]: \r\nCancelled.');
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
  await run.shows(ASK);
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

const ASKED: readonly (readonly [where: string, env: Readonly<Record<string, string>>])[] = [
  ['on a modern terminal', TERMINAL_ENV],
  ['for a screen reader', SCREEN_READER],
  ['on a terminal without movement', { ...TERMINAL_ENV, TERM: 'dumb' }],
];

describe.each(ASKED)('a question that takes the word, %s', (_where, env) => {
  const ask = async (...options: Parameters<typeof onTerminal>[1][]) => {
    const run = onTerminal(await testScript(CONFIRM_BY_WORD), { env, ...options[0] });
    await run.shows('Type yes to confirm');
    await run.shows(env === TERMINAL_ENV ? '└' : 'confirm: ');
    return run;
  };

  test.each(['yes', 'YES', ' Yes '])('takes "%s"', async (typed) => {
    const run = await ask();
    await run.answer(typed);
    await run.ended();
    expect(run.output()).toContain('answer true');
  });

  test.each(['ye', 'yess', 'oui', 'hjkl', 'n', ''])('takes "%s" for No', async (typed) => {
    const run = await ask();
    await run.answer(typed);
    await run.ended();
    expect(run.output()).toContain('answer false');
  });

  test.each([
    ['marked', `\u001b[200~yes\r\u001b[201~`],
    ['not marked', 'yes\r'],
    ['marked, in the middle of a word', `\u001b[200~es\u001b[201~`],
  ])('ignores pasted text (%s), says so, and takes what is typed after it', async (_name, paste) => {
    const run = await ask();
    const from = run.output().length;
    run.type(paste);
    await run.shows(PASTE_IGNORED, from);
    expect(run.output()).not.toMatch(/answer (?:true|false)/);
    await run.shows(env === TERMINAL_ENV ? '└' : 'confirm: ', run.output().indexOf(PASTE_IGNORED));
    await run.answer('yes');
    await run.ended();
    expect(run.output()).toContain('answer true');
  });

  test('asks once more after "y", and takes a second one for No', async () => {
    const run = await ask();
    await run.answer('y');
    await run.shows('Type yes, or press Esc.');
    if (env !== TERMINAL_ENV) await run.shows('confirm: ', run.output().indexOf('Type yes, or press Esc.'));
    run.type(ENTER);
    await run.ended();
    expect(run.output()).toContain('answer false');
  });

  test('"no" and its Enter may come at once', async () => {
    const run = await ask();
    run.type(`no${ENTER}`);
    await run.ended();
    expect(run.output()).toContain('answer false');
  });

  test('is not answered by what was typed before it was shown', async () => {
    const script = await testScript(async ({ io, seen, fail }) => {
      const told = seen();
      console.log('ready');
      await told;
      await io.confirm('Buy it?', { word: true }).then((answer) => console.log(`answer ${answer}`), fail);
    });
    const run = onTerminal(script, { env });
    await run.shows('ready');
    run.type('yes\ryes\r');
    await run.shows('yes');
    run.signal('SIGUSR2');
    await run.shows('Type yes to confirm');
    await run.shows(env === TERMINAL_ENV ? '└' : 'confirm: ');
    await run.answer('no');
    await run.ended();
    expect(run.output()).toContain('answer false');
  });
});

test.each([
  ['yes', true, true],
  ['YES', true, true],
  ['yes', false, false],
  ['yes\r', true, false],
  ['yes\n', true, false],
  ['yess', true, false],
  [' yes', true, false],
  ['no\r', false, true],
  ['N\r', false, true],
  ['now\r', true, false],
  ['y', false, true],
])('keys that come together as %j, with the question in sight: %s, may answer it: %s', (text, isInSight, may) => {
  expect(mayConfirm([...text], isInSight)).toBe(may);
});

test('a paste fills a text, and its Enter does not send it', async () => {
  const run = onTerminal(
    await testScript(({ io, fail }) => io.ask('Phone?').then((answer) => console.log(`answer ${answer}`), fail)),
  );
  await run.shows('└');
  run.type('\u001b[200~+237 670\r\n000 042\r\u001b[201~');
  await run.shows('+237 670  000 042');
  expect(run.output()).not.toContain('answer');
  run.type(ENTER);
  expect(await run.ended()).toBe(0);
  expect(run.output()).toContain('answer +237 670  000 042');
});

test('typing narrows a list, and no letter moves the choice', async () => {
  const run = onTerminal(
    await testScript(({ io, fail }) => {
      const names = ['client-1', 'client-42', 'hjkl'].map((value) => ({ value }));
      return io.select('Which?', names).then((answer) => console.log(`answer ${answer}`), fail);
    }),
  );
  await run.shows('└');
  await run.answer('hjk');
  expect(await run.ended()).toBe(0);
  expect(run.output()).toContain('answer hjkl');
});

test('where nothing matches, Enter chooses nothing', async () => {
  const run = onTerminal(await testScript(SELECT));
  await run.shows('└');
  await run.answer('xyz');
  await run.shows('Nothing matches.');
  run.type(CTRL_C);
  expect(await run.ended()).toBe(130);
});

test('the terminal marks pasted text only while a question is open', async () => {
  const run = onTerminal(await testScript(CONFIRM));
  await run.shows(ASK);
  await run.answer('n');
  await run.ended();
  expect(run.output().match(PASTE_MARKS)).toEqual(['\u001b[?2004h', '\u001b[?2004l']);
});
