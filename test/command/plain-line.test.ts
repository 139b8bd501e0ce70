import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Entry, isGroup } from '../../src/command/declaration.ts';
import type { Perform } from '../../src/command/perform.ts';
import { readPlainLine } from '../../src/command/plain-line.ts';
import { TREE } from '../../src/commands/tree.ts';
import { runProgram } from '../../src/program.ts';
import { tries } from '../support/property.ts';

/** What a command line is understood as: what the command is, and what it is given. */
interface Understood {
  readonly run: unknown;
  readonly flags: object;
  readonly options: object;
}

/** How commander understands a command line; `undefined` where it shows help or refuses. */
async function commanderReads(argv: readonly string[]): Promise<Understood | undefined> {
  let understood: Understood | undefined;
  const perform: Perform = async ({ run }, flags, options) => {
    understood = { run, flags, options };
  };
  await runProgram(argv, { perform, version: '0', columns: 80, color: false }).catch(() => undefined);
  return understood;
}

async function plainlyRead(argv: readonly string[]): Promise<Understood | undefined> {
  const line = await readPlainLine(argv, TREE);
  return line && { run: line.spec.run, flags: line.flags, options: line.options };
}

function pathsOf(entries: readonly Entry[]): string[][] {
  return entries.flatMap((entry) =>
    isGroup(entry) ? pathsOf(entry.children).map((path) => [entry.name, ...path]) : [[entry.name]],
  );
}

const PATHS = pathsOf(TREE).filter(([name]) => name !== 'help');
/** Of each command some, and of all commands the global ones; with a value that most options take. */
const OPTIONS = [
  ['--json'],
  ['-y'],
  ['-q'],
  ['--yes'],
  ['--no-color'],
  ['--no-input'],
  ['--no-retry'],
  ['--debug'],
  ['--jq', '.a'],
  ['--org', 'acme'],
  ['--org=acme'],
  ['--profile', 'p'],
  ['--timeout', '5s'],
  ['--timeout', 'soon'],
  ['--api-url', 'http://127.0.0.1:1'],
  ['--csv'],
  ['--history'],
  ['--since', '6h'],
  ['--step', '60'],
  ['--step=1m'],
  ['--series', 'cpu, memory'],
  ['--service', 's1'],
  ['--param', 'a=b'],
  ['--param', 'c=d'],
  ['--wait'],
  ['--wait-timeout', '5m'],
  ['--reveal'],
  ['--env'],
  ['--all'],
  ['--import'],
  ['--format', 'zone'],
  ['--format', 'tree'],
  ['--records', '-'],
  ['--output', 'a.json'],
  ['--plan', 'starter'],
  ['--quantity', '2'],
  ['--item', 'plan=a'],
  ['--item', 'plan=b,domain=c.example'],
  ['--payment', 'credit_card'],
  ['--lang', 'fr'],
  ['--no-browser'],
  ['--resume'],
  ['--resume', 'key'],
  ['-X', 'post'],
  ['-XPOST'],
  ['--field', 'a=b'],
  ['-H', 'A: b'],
  ['--port', '0'],
  ['--port', 'x'],
  ['--fault', 'restart:503'],
  ['--name', 'laptop'],
  ['--with-token'],
];
const WORDS = [
  'x',
  'svc_1',
  'example.com',
  '',
  '-',
  '--',
  '-1',
  '--js',
  '--nope',
  '-h',
  '--help',
  '-V',
  '--json=1',
  '--org',
  'zsh',
];

const anyLine = fc
  .tuple(
    fc.constantFrom(...PATHS),
    fc.array(fc.constantFrom(...OPTIONS), { maxLength: 3 }),
    fc.array(fc.constantFrom(...OPTIONS.slice(0, 15)), { maxLength: 1 }),
    fc.array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom('x', 'example.com') }, fc.constantFrom(...WORDS)), {
      maxLength: 2,
    }),
    fc.nat(3),
  )
  .map(([path, after, before, words, at]) => {
    const parts = [...after];
    parts.splice(Math.min(at, parts.length), 0, words);
    return [...before.flat(), ...path, ...parts.flat()];
  });

test('a plain line is understood as commander understands it', async () => {
  let plain = 0;
  await fc.assert(
    fc.asyncProperty(anyLine, async (argv) => {
      const understood = await plainlyRead(argv);
      if (understood === undefined) return;
      plain += 1;
      expect(await commanderReads(argv)).toEqual(understood);
    }),
    tries(2_000, 20261121),
  );
  expect(plain).toBeGreaterThan(200);
});

test.each(PATHS.map((path) => path.join(' ')))(
  'svc %s: each of its options alone is understood alike',
  async (path) => {
    for (const option of OPTIONS) {
      for (const words of [[], ['x'], ['x', 'y']]) {
        const argv = [...path.split(' '), ...words, ...option];
        const understood = await plainlyRead(argv);
        if (understood !== undefined) expect(await commanderReads(argv)).toEqual(understood);
      }
    }
  },
);

test.each([
  ['whoami'],
  ['whoami', '--json'],
  ['--json', 'restart', 's1', '--no-retry'],
  ['restart'],
  ['metrics', 's1', '--history', '--since', '6h', '--step', '60'],
  ['deployments', 'inspect', 'd1', '--service', 's1'],
  ['db', 'inspect', 'db_1', '--reveal'],
  ['wp', 'run', 'cache-flush', '--param', 'a=b', '--param', 'c=d', '--wait'],
  ['domains', 'add', 'example.com', '--import', '-y'],
  ['billing', 'autopay'],
  ['buy', '--plan', 'starter', '--yes', '--lang', 'fr'],
  ['api', '/v1/user', '-X', 'get'],
])('%j needs no commander', async (...argv) => {
  const understood = await plainlyRead(argv);
  expect(understood).toBeDefined();
  expect(await commanderReads(argv)).toEqual(understood);
});

test.each([
  [],
  ['help', 'whoami'],
  ['nonsense'],
  ['domains'],
  ['whoami', '--help'],
  ['whoami', 'x'],
  ['--reveal', 'db', 'inspect', 'db_1'],
  ['db', 'inspect'],
  ['db', 'inspect', 'db_1', '--revea'],
  ['db', 'connect', 'db_1', '--', '-c'],
  ['whoami', '--org', '--json'],
  ['whoami', '--org='],
  ['whoami', '--json=1'],
  ['whoami', '--org', 'a', '--org', 'b'],
  ['buy', '--plan', 'a', '--plan', 'b'],
  ['buy', '--resume', 'key'],
  ['whoami', '--timeout', 'soon'],
  ['completion', 'tcsh'],
])('%j is for commander', async (...argv) => {
  expect(await plainlyRead(argv)).toBeUndefined();
});
