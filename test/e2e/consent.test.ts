import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { KEY_PATTERN } from '../../src/terminal/keys.ts';
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
const SCAN = {
  apex: 'a.example',
  currentNameservers: ['ns1.old.example'],
  records: [RECORD],
  warnings: [],
};

/**
 * A command that asks, the request that a consent sends, its word, and the answers that come
 * before.
 */
type Question = readonly [
  line: string,
  sends: string,
  word: string,
  prepare: (wire: Stage['wire']) => unknown,
];

const ofAccount: Question[3] = (wire) =>
  wire.on('GET', '/v1/user').maybe(200, { user: { email: 'marie@example.com' } });
const ofZone: Question[3] = (wire) => wire.on('POST', '/v1/domains/import/scan').reply(200, SCAN);
const none = () => {};
const IMPORT = '/v1/services/s1/domains/a.example/import';
const QUESTIONS: readonly Question[] = [
  ['buy --plan plan_wp_pro --network mtn --phone +237670000042', '/v1/checkout', 'yes', ofAccount],
  ['domains add a.example --service s1 --import', IMPORT, 'yes', ofZone],
  ['api /v1/checkout --method POST --field items:=[]', '/v1/checkout', 'yes', ofAccount],
  ['restart s1 s2', '/v1/services/s1/restart', 'y', none],
  ['wp run cache.flush --service s1 --service s2', '/v1/services/s1/actions', 'y', none],
];

/** How a question is drawn, and what its end looks like. */
const TERMINALS = [
  ['that draws', TERMINAL_ENV, '└'],
  ['without movement', { ...TERMINAL_ENV, TERM: 'dumb' }, ': '],
] as const;
const CASES = QUESTIONS.flatMap(([line, sends, word, prepare]) =>
  TERMINALS.map(([name, env, open]) => ({ line, sends, word, prepare, name, env, open })),
);

const { numRuns, seed } = tries(500, 7_301);
const INPUTS = Math.ceil(numRuns / CASES.length);

/**
 * Text that somebody may have in the clipboard, or roll on the keyboard; with an answer in it
 * somewhere.
 */
const clipboard = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'yes',
        'y',
        'Y',
        'YES',
        'yes\r',
        'y\r',
        '\r',
        '\n',
        '\r\n',
        'es\r',
        'no\r',
        ' yes \n',
      ),
      fc.constantFrom(
        'my notes: do not buy\r',
        'hey\r',
        '\u001b[B',
        '\u001b[A\r',
        '\t',
        'h',
        'é漢',
      ),
      fc.string({ unit: 'grapheme-ascii', maxLength: 12 }),
    ),
    { minLength: 2, maxLength: 6 },
  )
  // Ctrl-C and Ctrl-D leave the question, pasted or not.
  .map((parts) => parts.join('').replaceAll(/[\u0003\u0004\u001a\u001c]/g, ''))
  // A whole word may come at once; its Enter may not. One key is no paste, however many characters
  // a terminal sends for it.
  .filter(
    (text) => (text.match(KEY_PATTERN) ?? []).length > 1 && !/^(?:yes|no?[\r\n]?)$/i.test(text),
  );

const anyPaste = fc.oneof(
  clipboard.map((text) => `\u001b[200~${text}\u001b[201~`),
  clipboard,
  // Kernels hand over long text in pieces.
  clipboard.map((text) => text.repeat(2_000).slice(0, 9_000)),
);
/** What comes to a question: a paste, or a single key that spells no consent. */
const anyInput = fc.oneof({ weight: 3, arbitrary: anyPaste }, fc.constantFrom('q', 'z'));

async function opened(
  context: Parameters<typeof newStage>[0],
  one: (typeof CASES)[number],
  ahead: string,
) {
  const { wire, terminal } = await newStage(context, program, null);
  one.prepare(wire);
  const run = terminal(one.line.split(' '), {
    columns: 100,
    env: { ...one.env, SVC_TOKEN: CANARY_TOKEN },
  });
  run.type(ahead);
  await isOpen(run, one.open);
  return { wire, run };
}

async function isOpen(run: TerminalRun, open: string): Promise<void> {
  await Promise.any([run.shows('Type yes to confirm'), run.shows('[y/N]')]);
  const asked = Math.max(run.output().lastIndexOf('Type yes'), run.output().lastIndexOf('[y/N]'));
  await run.shows(open, asked);
}

/**
 * Presses a key until it is seen: svc may take it for the end of a long paste before it, whose last
 * piece came late.
 */
async function pressed(run: TerminalRun, key: string): Promise<void> {
  const from = run.output().length;
  run.type(key);
  await Promise.any([run.shows(key, from), run.shows(PASTE_IGNORED, from)]);
  if (!run.output().includes(key, from)) await pressed(run, key);
}

describe.concurrent('a question that spends, moves DNS or restarts', () => {
  test.for(CASES)(
    'svc $line, on a terminal $name: no paste and no key typed ahead answers',
    async (one, context) => {
      const inputs = fc.sample(anyInput, { numRuns: INPUTS, seed: seed + CASES.indexOf(one) });
      const { run, wire } = await opened(context, one, `${one.word}\r${one.word}\ryes\r`);
      for (const keys of inputs) {
        if (keys.length === 1) await pressed(run, keys);
        else {
          const from = run.output().length;
          run.type(keys);
          await run.shows(PASTE_IGNORED, from);
          await run.shows(one.open, run.output().indexOf(PASTE_IGNORED, from));
        }
      }
      run.type('\u0003');
      expect(await run.ended()).toBe(130);
      expect(wire.requests.map(({ path }) => path)).not.toContain(one.sends);
      figure('Keys', INPUTS, `seed ${seed}`);
    },
  );

  test.for(CASES.filter(({ env }) => env === TERMINAL_ENV))(
    'svc $line: the typed word does',
    async (one, context) => {
      const { run, wire } = await opened(context, one, '');
      const paths = one.word === 'y' ? [one.sends, one.sends.replace('s1', 's2')] : [one.sends];
      for (const path of paths) wire.on('POST', path).always(422, { error: 'no' });
      await run.answer(one.word);
      await run.ended();
      expect(wire.requests.map(({ path }) => path)).toContain(one.sends);
    },
  );
});
