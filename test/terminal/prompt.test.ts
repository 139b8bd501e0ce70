import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { mayConfirm, PASTE_IGNORED } from '../../src/terminal/prompts/listen.ts';
import { emulate } from './emulate.ts';
import { onTerminal, type Scope, TERMINAL_ENV, type TerminalRun, testScript } from './script.ts';

const [ENTER, CTRL_C, CTRL_Z, ESCAPE, DOWN] = ['\r', '\u0003', '\u001a', '\u001b', '\u001b[B'];
const SCREEN_READER = { ...TERMINAL_ENV, ACCESSIBLE: '1' };
const ASK = '[y/N]';

type Kind = 'question' | 'word' | 'choice' | 'text' | 'secret';

/** Asks, and prints the answer, or of a secret its length. */
function asks(kind: Kind): Promise<string> {
  return testScript(async ({ newIo, job, fail }: Scope, kind) => {
    const stop = new AbortController();
    process.once('SIGTERM', () =>
      stop.abort(Object.assign(new Error('told to end'), { exitCode: 143 })),
    );
    const io = newIo({ job, signal: stop.signal });
    const choices = [
      { value: 'small', label: 'Small' },
      { value: 'large', hint: '5 USD' },
      { value: 'hjkl' },
    ];
    const validate = (text: string) =>
      /^[\d +]+$/.test(text) ? undefined : 'Digits only, please.';
    const questions = {
      question: () => io.confirm('Buy it \u202e for 5 USD?'),
      word: () => io.confirm('Buy it?', { word: true }),
      choice: () => io.select('Which?', choices),
      text: () => io.ask('Phone?', { validate }),
      secret: () => io.askSecret('Token').then(({ length }) => length),
    };
    await questions[kind]().then((answer) => console.log(`answer ${answer}`), fail);
  }, kind);
}

/**
 * What somebody does when a text is shown: keys at once, or `type`d one after the other, with
 * Enter.
 */
type Step = readonly [shown: string, does: string | { readonly type: string }];

async function take(run: TerminalRun, steps: readonly Step[]): Promise<void> {
  let from = 0;
  for (const [shown, does] of steps) {
    await run.shows(shown, from);
    from = run.output().indexOf(shown, from) + shown.length;
    if (typeof does === 'string') run.type(does);
    else await run.answer(does.type);
  }
}

type Env = Readonly<Record<string, string>>;

test.each<
  [
    what: string,
    kind: Kind,
    steps: readonly Step[],
    ends: number,
    shows: string,
    never?: RegExp | undefined,
    env?: Env,
  ]
>([
  ['Enter alone is No', 'question', [[ASK, ENTER]], 0, 'answer false'],
  ['YES is Yes', 'question', [[ASK, { type: 'YES' }]], 0, 'answer true'],
  [
    'bidirectional controls are escaped',
    'question',
    [[ASK, { type: 'y' }]],
    0,
    'Buy it \\u{202e} for',
    /\u202e|answer false/,
  ],
  ['Ctrl-C cancels', 'question', [[ASK, CTRL_C]], 130, 'Cancelled.', /answer|Yes/],
  ['Esc cancels', 'question', [[ASK, ESCAPE]], 130, 'Cancelled.', /answer|Yes/],
  ['an arrow chooses one of several', 'choice', [['large', DOWN + ENTER]], 0, 'answer large'],
  [
    'typing narrows a list, and no letter moves the choice',
    'choice',
    [['└', { type: 'hjk' }]],
    0,
    'answer hjkl',
  ],
  [
    'an invalid text is asked for again',
    'text',
    [
      ['Phone?', `12a${ENTER}`],
      ['only, please.', `\u007f3${ENTER}`],
    ],
    0,
    'answer 123',
  ],
  ['a secret is not shown', 'secret', [['Token', `svc_CANARY${ENTER}`]], 0, 'answer 10', /CANARY/],
  [
    'a secret is not shown for a screen reader',
    'secret',
    [['Token', `svc_CANARY${ENTER}`]],
    0,
    'answer 10',
    /CANARY/,
    SCREEN_READER,
  ],
  [
    'nothing has colours with NO_COLOR',
    'question',
    [[ASK, CTRL_C]],
    130,
    '',
    /\u001b\[[\d;]*m/,
    { ...TERMINAL_ENV, NO_COLOR: '1' },
  ],
  [
    'a question is one plain line for a screen reader',
    'question',
    [['[y/N]: ', { type: 'yes' }]],
    0,
    'answer true',
    /\u001b(?!\[\?2004[hl])/,
    SCREEN_READER,
  ],
  [
    'a choice is a number for a screen reader',
    'choice',
    [
      ['1 to 3: ', { type: '7' }],
      ['1 to 3: ', { type: '2' }],
    ],
    0,
    'answer large',
    undefined,
    SCREEN_READER,
  ],
  [
    'the end of the input cancels',
    'question',
    [['[y/N]: ', '\u0004']],
    130,
    '[y/N]: \r\nCancelled.',
    undefined,
    { ...TERMINAL_ENV, TERM: 'dumb' },
  ],
  [
    'a paste fills a text, and its Enter does not send it',
    'text',
    [
      ['└', '\u001b[200~+2\r\n04\r\u001b[201~'],
      ['+2  04', ENTER],
    ],
    0,
    'answer +2  04',
  ],
  [
    'Ctrl-C leaves a paste whose end is missing',
    'text',
    [['└', `\u001b[200~+2${CTRL_C}`]],
    130,
    'Cancelled.',
    /answer/,
  ],
  [
    'nobody is asked in CI',
    'question',
    [],
    2,
    'cannot ask questions here',
    undefined,
    { ...TERMINAL_ENV, CI: 'true' },
  ],
])('%s', async (_what, kind, steps, ends, shows, never = /undefined/, env = TERMINAL_ENV) => {
  const run = onTerminal(await asks(kind), { env });
  await take(run, steps);
  expect(await run.ended()).toBe(ends);
  expect(run.output()).toContain(shows);
  expect(run.output()).not.toMatch(never);
  isRestored(run);
});

/** The cursor is there again, and pastes are not marked any more. */
function isRestored(run: TerminalRun): void {
  for (const mode of [/\u001b\[\?25[lh]/g, /\u001b\[\?2004[hl]/g]) {
    const [first, last] = [run.output().match(mode)?.[0], run.output().match(mode)?.at(-1)];
    expect(last === undefined || last !== first, run.output()).toBe(true);
  }
}

test('a signal ends a question, and the terminal is as before', async () => {
  const run = onTerminal(await asks('question'));
  await run.shows(ASK);
  run.signal('SIGTERM');
  expect(await run.ended()).toBe(143);
  expect(stripVTControlCharacters(run.output())).toContain('told to end');
  isRestored(run);
});

test.each<[Kind, shown: string, keys: string, answer: string, env: Env]>([
  ['question', ASK, 'y', 'true', TERMINAL_ENV],
  ['question', ASK, 'y', 'true', SCREEN_READER],
  ['choice', 'Which?', 'large', 'large', TERMINAL_ENV],
  ['secret', 'Token', '42', '2', TERMINAL_ENV],
])(
  'after Ctrl-Z and fg, a %s is shown again and answered (%#)',
  async (kind, shown, keys, answer, env) => {
    const run = onTerminal(await asks(kind), { jobs: true, env });
    await run.shows(shown);
    run.type(CTRL_Z);
    await run.shows('<stopped>');
    const stopped = run.output().length;
    run.type('\n');
    await run.shows(shown, stopped);
    const again = run.output().length;
    if (kind === 'secret') run.type(`${keys}${ENTER}`);
    else await run.answer(keys);
    const ended = run.ended();
    // Keys that arrive before the terminal gives them one by one count as a paste, which a question
    // refuses.
    const refused = run.shows(PASTE_IGNORED, again).then(
      () => run.answer(keys),
      () => undefined,
    );
    await Promise.race([ended, refused]);
    expect(await ended).toBe(0);
    expect(run.output()).toContain(`answer ${answer}`);
  },
);

describe.each([
  ['on a modern terminal', TERMINAL_ENV, '└', '└'],
  ['for a screen reader', SCREEN_READER, 'confirm: ', 'confirm: '],
])('a question that takes the word, %s', (_where, env, open, openAgain) => {
  test.each<[what: string, steps: readonly Step[], isYes: boolean]>([
    ['takes the word', [[open, { type: ' YES ' }]], true],
    ['takes Enter alone for No', [[open, ENTER]], false],
    [
      'takes the word after "y"',
      [
        [open, { type: 'y' }],
        ['Type yes, or press Esc.', ''],
        [openAgain, { type: 'yes' }],
      ],
      true,
    ],
    [
      'takes "no" after "y" and a word that is neither',
      [
        [open, { type: 'y' }],
        ['Type yes, or press Esc.', ''],
        [openAgain, { type: 'yyes' }],
        ['Type yes, or press Esc.', ''],
        [openAgain, { type: 'no' }],
      ],
      false,
    ],
    ['takes "no" with its Enter', [[open, `no${ENTER}`]], false],
    [
      'ignores a marked paste',
      [
        [open, '\u001b[200~yes\r\u001b[201~'],
        [PASTE_IGNORED, ''],
        [open, { type: 'no' }],
      ],
      false,
    ],
    [
      'ignores another paste',
      [
        [open, 'yes\r'],
        [PASTE_IGNORED, ''],
        [open, { type: 'yes' }],
      ],
      true,
    ],
  ])('%s', async (_what, steps, isYes) => {
    const run = onTerminal(await asks('word'), { env });
    await take(run, steps);
    await run.ended();
    expect(run.output().match(/answer \w+/g)).toEqual([`answer ${isYes}`]);
  });
});

/** The lines of a question that are on the terminal, each with its number of fields. */
function boxesOn(run: TerminalRun) {
  const lines = emulate(run.output());
  return {
    headings: lines.filter((line) => line.includes('Buy it?')).length,
    cursors: run
      .output()
      .match(/\u001b\[\?25[lh]/g)
      ?.at(-1),
    lines,
  };
}

const PASTE = '\u001b[200~yes\r\u001b[201~';

test.each<[what: string, steps: readonly Step[], note: string]>([
  [
    'three pastes, one of them in pieces',
    [
      ['└', PASTE],
      [PASTE_IGNORED, PASTE.slice(0, 9)],
      ['', PASTE.slice(9)],
      [PASTE_IGNORED, 'yes\r'],
      [PASTE_IGNORED, ''],
    ],
    PASTE_IGNORED,
  ],
  [
    'two answers that are neither yes nor no',
    [
      ['└', { type: 'y' }],
      ['press Esc.', ''],
      ['└', { type: 'ok' }],
      ['press Esc.', ''],
    ],
    'Type yes, or press Esc.',
  ],
])(
  'after %s there is one question, with one note and an empty field',
  async (_what, steps, note) => {
    const run = onTerminal(await asks('word'));
    await take(run, [...steps, ['└', '']]);

    const { headings, lines } = boxesOn(run);
    expect(headings).toBe(1);
    expect(lines.slice(-5).map((line) => line.trim())).toEqual([
      '◆  Buy it? Type yes to confirm',
      `│  ${note}`,
      '│  _',
      '└',
      '',
    ]);

    await run.answer('yes');
    await run.ended();
    expect(run.output()).toContain('answer true');
    expect(boxesOn(run).headings).toBe(1);
  },
);

test.each<[Kind, shown: string]>([
  ['word', 'Buy it?'],
  ['choice', 'Which?'],
  ['text', 'Phone?'],
])(
  'Ctrl-Z takes a %s away, and fg shows it once, below what the shell said',
  async (kind, shown) => {
    const run = onTerminal(await asks(kind), { jobs: true });
    await run.shows('└');
    run.type(CTRL_Z);
    await run.shows('<stopped>');
    expect(emulate(run.output()).join('\n')).not.toMatch(/[◆│└]/);

    const stopped = run.output().length;
    run.type('\n');
    await run.shows('└', stopped);
    const lines = emulate(run.output());
    expect(lines.filter((line) => line.includes(shown))).toHaveLength(1);
    expect(lines.indexOf(lines.find((line) => line.includes(shown)) ?? '')).toBeGreaterThan(
      lines.findIndex((line) => line.includes('<stopped>')),
    );
  },
);

test('a terminal of no columns is drawn for as one of 80, and resizing leaves one question', async () => {
  const run = onTerminal(await asks('word'));
  await run.shows('└');
  for (const columns of [120, 0, 80]) {
    const before = run.output().length;
    if (columns === 0) run.loseSize();
    else run.resize(columns, 30);
    await run.answer('yy');
    await run.shows('press Esc.', before);
    await run.shows('└', run.output().lastIndexOf('press Esc.'));
  }
  expect(boxesOn(run).headings).toBe(1);
  await run.answer('no');
  await run.ended();
  expect(run.output()).toContain('answer false');
});

test('a question is not answered by what was typed before it was shown', async () => {
  const script = await testScript(async ({ io, seen, fail }) => {
    const told = seen();
    console.log('ready');
    await told;
    await io
      .confirm('Buy it?', { word: true })
      .then((answer) => console.log(`answer ${answer}`), fail);
  });
  const run = onTerminal(script);
  await run.shows('ready');
  run.type('yes\ryes\r');
  await run.shows('yes');
  run.signal('SIGUSR2');
  await run.shows('Type yes to confirm');
  await run.shows('└');
  await run.answer('no');
  await run.ended();
  expect(run.output()).toContain('answer false');
  expect(run.output()).not.toContain(PASTE_IGNORED);
});

test.each([
  ['YES', true, true],
  ['yes', false, false],
  ['yes\r', true, false],
  ['yess', true, false],
  ['N\r', false, true],
  ['now\r', true, false],
  ['y', false, true],
])(
  'keys that come together as %j, with the question in sight: %s, may answer it: %s',
  (text, isInSight, may) => {
    expect(mayConfirm([...text], isInSight)).toBe(may);
  },
);
