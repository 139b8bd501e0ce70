import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { mayConfirm, PASTE_IGNORED } from '../../src/terminal/prompts/listen.ts';
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

/** What somebody does when a text is shown: keys at once, or `type`d one after the other, with Enter. */
type Step = readonly [shown: string, does: string | { readonly type: string }];
type Env = Readonly<Record<string, string>>;

const DUMB = { ...TERMINAL_ENV, TERM: 'dumb' };
const PHONE: Program = ({ io, fail }) => io.ask('Phone?').then((answer) => console.log(`answer ${answer}`), fail);
const DIGITS: Program = ({ io, fail }) => {
  const validate = (text: string) => (/^\d+$/.test(text) ? undefined : 'Digits only, please.');
  return io.ask('Phone?', { validate }).then((answer) => console.log(`answer ${answer}`), fail);
};
const SECRET: Program = ({ io, fail }) =>
  io.askSecret('Token').then(({ length }) => console.log(`answer ${length}`), fail);
const LONG: Program = ({ io, fail }) =>
  io.confirm('Replace the file that is there already and that somebody may need?').then(() => undefined, fail);
const NO_COLUMNS: Program = ({ io, fail }) => {
  Object.defineProperty(process.stderr, 'columns', { value: 0 });
  return io.confirm('Sure?').then((answer) => console.log(`answer ${answer}`), fail);
};
const NAMES: Program = ({ io, fail }) => {
  const names = ['client-1', 'client-42', 'hjkl'].map((value) => ({ value }));
  return io.select('Which?', names).then((answer) => console.log(`answer ${answer}`), fail);
};

/* biome-ignore format: a row a line */
test.each<[what: string, program: Program, steps: readonly Step[], ends: number, shows: string, never?: RegExp | undefined, env?: Env]>([
  ['Enter alone is No', CONFIRM, [[ASK, ENTER]], 0, 'answer false'],
  ['y is Yes', CONFIRM, [[ASK, { type: 'y' }]], 0, 'answer true'],
  ['YES is Yes', CONFIRM, [[ASK, { type: 'YES' }]], 0, 'answer true'],
  ['bidirectional controls in a question are escaped', CONFIRM, [[ASK, ENTER]], 0, 'Buy it \\u{202e} for 5 USD?', /\u202e/],
  ['Ctrl-C cancels', CONFIRM, [[ASK, CTRL_C]], 130, 'Cancelled.', /answer|Yes/],
  ['Esc cancels', CONFIRM, [[ASK, ESCAPE]], 130, 'Cancelled.', /answer|Yes/],
  ['an arrow chooses one of several', SELECT, [['large', DOWN + ENTER]], 0, 'answer large'],
  ['typing narrows a list, and no letter moves the choice', NAMES, [['└', { type: 'hjk' }]], 0, 'answer hjkl'],
  ['where nothing matches, Enter chooses nothing', SELECT, [['└', { type: 'xyz' }], ['Nothing matches.', CTRL_C]], 130, ''],
  ['an invalid text is asked for again', DIGITS, [['Phone?', `12a${ENTER}`], ['Digits only, please.', `\u007f3${ENTER}`]], 0, 'answer 123'],
  ['a secret is not shown while it is typed', SECRET, [['Token', `svc_CANARY${ENTER}`]], 0, 'answer 10', /CANARY/],
  ['nor for a screen reader', SECRET, [['Token', `svc_CANARY${ENTER}`]], 0, 'answer 10', /CANARY/, SCREEN_READER],
  ['a question has no colours with NO_COLOR', CONFIRM, [[ASK, CTRL_C]], 130, '', /\u001b\[[\d;]*m/, { ...TERMINAL_ENV, NO_COLOR: '1' }],
  ['a question is one plain line for a screen reader', CONFIRM, [['[y/N]: ', { type: 'yes' }]], 0, 'answer true', /\u001b(?!\[\?2004[hl])/, SCREEN_READER],
  ['a question is one line where nobody knows the columns', NO_COLUMNS, [['[y/N]: ', ENTER]], 0, 'answer false'],
  ['a choice is a number for a screen reader', SELECT, [['  2. large (5 USD)', ''], ['Number from 1 to 2: ', { type: '7' }], ['Please type a number from 1 to 2.', ''], ['Number from 1 to 2: ', { type: '2' }]], 0, 'answer large', undefined, SCREEN_READER],
  ['the end of the input cancels, and the next text begins a line', CONFIRM, [['[y/N]: ', '\u0004']], 130, '[y/N]: \r\nCancelled.', undefined, DUMB],
  ['a paste fills a text, and its Enter does not send it', PHONE, [['└', '\u001b[200~+237 670\r\n000 042\r\u001b[201~'], ['+237 670  000 042', ENTER]], 0, 'answer +237 670  000 042'],
  ['nobody is asked in CI', CONFIRM, [], 2, 'cannot ask questions here', undefined, { ...TERMINAL_ENV, CI: 'true' }],
])('%s', async (_what, program, steps, ends, shows, never = /undefined/, env = TERMINAL_ENV) => {
  const run = onTerminal(await testScript(program), { env });
  let from = 0;
  for (const [shown, does] of steps) {
    await run.shows(shown, from);
    from = run.output().indexOf(shown, from) + shown.length;
    if (typeof does === 'string') run.type(does);
    else await run.answer(does.type);
  }
  expect(await run.ended()).toBe(ends);
  expect(run.output()).toContain(shows);
  expect(run.output()).not.toMatch(never);
  // The cursor is there again.
  expect(run.output().lastIndexOf(SHOW_CURSOR)).toBeGreaterThanOrEqual(run.output().lastIndexOf(HIDE_CURSOR));
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

test('a question that is longer than a line goes on below its beginning', async () => {
  const run = onTerminal(await testScript(LONG), { columns: 50 });
  await run.shows(ASK);
  run.type(ENTER);
  expect(await run.ended()).toBe(0);
  const shown = stripVTControlCharacters(run.output()).replaceAll('\r', '');
  expect(shown).toContain('\n◆  Replace the file that is there already and that\n│  somebody may need? [y/N]\n');
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
    { env: DUMB },
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

const ASKED: readonly (readonly [where: string, env: Env])[] = [
  ['on a modern terminal', TERMINAL_ENV],
  ['for a screen reader', SCREEN_READER],
];

describe.each(ASKED)('a question that takes the word, %s', (_where, env) => {
  const ask = async () => {
    const run = onTerminal(await testScript(CONFIRM_BY_WORD), { env });
    await run.shows('Type yes to confirm');
    await run.shows(env === TERMINAL_ENV ? '└' : 'confirm: ');
    return run;
  };

  test.each([
    ['yes', true],
    [' YES ', true],
    ['ye', false],
    ['yess', false],
    ['', false],
  ])('takes "%s" for a Yes: %s', async (typed, isYes) => {
    const run = await ask();
    await run.answer(typed);
    await run.ended();
    expect(run.output()).toContain(`answer ${isYes}`);
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
    expect(run.output()).not.toContain(PASTE_IGNORED);
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

test('the terminal marks pasted text only while a question is open', async () => {
  const run = onTerminal(await testScript(CONFIRM));
  await run.shows(ASK);
  await run.answer('n');
  await run.ended();
  expect(run.output().match(PASTE_MARKS)).toEqual(['\u001b[?2004h', '\u001b[?2004l']);
});
