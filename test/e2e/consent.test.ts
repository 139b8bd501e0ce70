import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { PASTE_IGNORED } from '../../src/terminal/prompts/listen.ts';
import { figure } from '../support/figure.ts';
import { builtProgram, type Program } from '../support/program.ts';
import { tries } from '../support/property.ts';
import { CANARY_TOKEN } from '../support/svc.ts';
import { TERMINAL_ENV, type TerminalRun } from '../terminal/script.ts';
import { newStage, type Stage } from './login/stage.ts';

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

const RECORD = { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 300 };
const SCAN = { apex: 'a.example', currentNameservers: ['ns1.old.example'], records: [RECORD], warnings: [] };

/** A command that asks, the request that a consent sends, and the answers that come before. */
interface Question {
  readonly line: string;
  readonly sends: string;
  readonly word: string;
  prepare?(stage: Stage): void;
}

const QUESTIONS: readonly Question[] = [
  {
    line: 'buy --plan plan_wp_pro --network mtn --phone +237670000042',
    sends: '/v1/checkout',
    word: 'yes',
    prepare: ({ wire }) => wire.on('GET', '/v1/user').maybe(200, { user: { email: 'marie@example.com' } }),
  },
  {
    line: 'domains add a.example --service s1 --import',
    sends: '/v1/services/s1/domains/a.example/import',
    word: 'yes',
    prepare: ({ wire }) => wire.on('POST', '/v1/domains/import/scan').reply(200, SCAN),
  },
  {
    line: 'api /v1/checkout --method POST --field items:=[]',
    sends: '/v1/checkout',
    word: 'yes',
    prepare: ({ wire }) => wire.on('GET', '/v1/user').maybe(200, { user: { email: 'marie@example.com' } }),
  },
  { line: 'restart s1 s2', sends: '/v1/services/s1/restart', word: 'y' },
  { line: 'wp run cache.flush --service s1 --service s2', sends: '/v1/services/s1/actions', word: 'y' },
];

/** How a question is drawn, and what its end looks like. */
const TERMINALS = [
  { name: 'that draws', env: TERMINAL_ENV, open: '└' },
  { name: 'without movement', env: { ...TERMINAL_ENV, TERM: 'dumb' }, open: ': ' },
];

const CASES = QUESTIONS.flatMap((question) => TERMINALS.map((terminal) => ({ ...question, ...terminal })));
type Case = (typeof CASES)[number];

const { numRuns, seed } = tries(500, 7_301);
const INPUTS = Math.ceil(numRuns / CASES.length);

/** Text that somebody may have in the clipboard, or roll on the keyboard; with an answer in it somewhere. */
const clipboard = fc
  .array(
    fc.oneof(
      fc.constantFrom('yes', 'y', 'Y', 'YES', 'yes\r', 'y\r', '\r', '\n', '\r\n', 'es\r', 'no\r', ' yes \n'),
      fc.constantFrom('my notes: do not buy\r', 'hey\r', 'hello\r', '\u001b[B', '\u001b[A\r', '\t', 'h', 'l', 'é漢'),
      fc.string({ unit: 'grapheme-ascii', maxLength: 12 }),
    ),
    { minLength: 2, maxLength: 6 },
  )
  .map((parts) => parts.join(''))
  // A whole word may come at once; its Enter may not.
  .filter((text) => text.length > 1 && !/^(?:yes|no?[\r\n]?)$/i.test(text));

/** What comes to a question, and whether svc has to refuse it. */
type Input = { readonly keys: string; readonly isPaste: boolean };
const anyInput: fc.Arbitrary<Input> = fc.oneof(
  clipboard.map((text) => ({ keys: `\u001b[200~${text}\u001b[201~`, isPaste: true })),
  clipboard.map((text) => ({ keys: text, isPaste: true })),
  // Kernels hand over long text in pieces.
  clipboard.map((text) => ({ keys: text.repeat(2_000).slice(0, 9_000), isPaste: true })),
  // Single keys that spell no consent.
  fc.constantFrom('q', 'z').map((keys) => ({ keys, isPaste: false })),
);

async function opened(context: Parameters<typeof newStage>[0], { line, env, open, prepare }: Case, ahead: string) {
  const stage = await newStage(context, program, null);
  prepare?.(stage);
  const run = stage.terminal(line.split(' '), { columns: 100, env: { ...env, SVC_TOKEN: CANARY_TOKEN } });
  if (ahead !== '') run.type(ahead);
  await isOpen(run, open, 0);
  return { ...stage, run };
}

async function isOpen(run: TerminalRun, open: string, from: number): Promise<void> {
  await Promise.any([run.shows('Type yes to confirm', from), run.shows('[y/N]', from)]);
  const asked = Math.max(run.output().lastIndexOf('Type yes'), run.output().lastIndexOf('[y/N]'));
  await run.shows(open, asked);
}

describe.concurrent('a question that spends, moves DNS or restarts', () => {
  test.for(CASES)('svc $line, on a terminal $name: no paste and no key typed ahead answers', async (one, context) => {
    const [inputs] = fc.sample(fc.array(anyInput, { minLength: INPUTS, maxLength: INPUTS }), {
      numRuns: 1,
      seed: seed + CASES.indexOf(one),
    });
    const { run, wire } = await opened(context, one, `${one.word}\r${one.word}\ryes\r`);
    for (const { keys, isPaste } of inputs ?? []) {
      // Ctrl-C and Ctrl-D leave the question, pasted or not.
      const harmless = keys.replaceAll(/[\u0003\u0004\u001a\u001c]/g, '');
      const from = run.output().length;
      run.type(harmless);
      if (isPaste) {
        await run.shows(PASTE_IGNORED, from);
        await isOpen(run, one.open, run.output().indexOf(PASTE_IGNORED, from));
      } else await run.shows(keys, from);
    }
    run.type('\u0003');
    expect(await run.ended()).toBe(130);
    expect(wire.requests.map(({ path }) => path)).not.toContain(one.sends);
    figure('Keys', INPUTS, `seed ${seed}`);
  });

  test.for(CASES.filter(({ env }) => env === TERMINAL_ENV))('svc $line: the typed word does', async (one, context) => {
    const { run, wire } = await opened(context, one, '');
    const path = one.sends;
    wire.on('POST', path).always(422, { error: 'no' });
    if (path.includes('/s1/') && one.word === 'y')
      wire.on('POST', path.replace('s1', 's2')).always(422, { error: 'no' });
    await run.answer(one.word);
    await run.ended();
    expect(wire.requests.map(({ path }) => path)).toContain(path);
  });
});
