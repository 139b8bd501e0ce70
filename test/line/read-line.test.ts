import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TREE } from '../../src/commands/tree.ts';
import { type Entry, isGroup, optionsOf, type TypedLine } from '../../src/kit/define.ts';
import { flagsOf } from '../../src/kit/describe.ts';
import { GLOBAL_OPTIONS } from '../../src/kit/globals.ts';
import type { Options } from '../../src/kit/parameters.ts';
import { longName } from '../../src/kit/read-values.ts';
import { readWithCommander } from '../../src/line/commander.ts';
import { readLine } from '../../src/line/read-line.ts';
import { tries } from '../support/property.ts';

/** How commander understands a line; undefined if it shows help or refuses. */
async function commanderReads(argv: readonly string[]): Promise<TypedLine | undefined> {
  const read = await readWithCommander(argv, TREE, 80).catch(() => undefined);
  return read !== undefined && 'line' in read ? read.line : undefined;
}

function pathsOf(entries: readonly Entry[]): string[][] {
  return entries.flatMap((entry) =>
    isGroup(entry) ? pathsOf(entry.children).map((path) => [entry.name, ...path]) : [[entry.name]],
  );
}

async function definitionOf(path: readonly string[]) {
  const entry = path.reduce((entries: readonly Entry[], word): readonly Entry[] => {
    const found = entries.find(({ name }) => name === word);
    if (found === undefined) throw new Error(`no command ${path.join(' ')}`);
    return isGroup(found) ? found.children : [found];
  }, TREE)[0];
  if (entry === undefined || isGroup(entry)) throw new Error(`no command ${path.join(' ')}`);
  return (await entry.load()).default;
}

const COMMANDS = await Promise.all(
  pathsOf(TREE).map(async (path) => ({ path, options: optionsOf(await definitionOf(path)) })),
);

/** Texts that some options take and others refuse, and words that look like something else. */
const VALUES = ['x', '5s', '60', 'a=b', 'soon', '', '-', '--', '-1', '--json', 'plan=a,domain=b.example'];
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
  'zsh',
];

/** The ways to type one of these options. */
function anyOption(options: Options): fc.Arbitrary<readonly string[]> {
  const entries = Object.entries(options);
  if (entries.length === 0) return fc.constant([]);
  return fc
    .tuple(fc.constantFrom(...entries), fc.constantFrom(...VALUES), fc.nat(3))
    .map(([[key, option], value, way]) => {
      const long = longName(key, option);
      const short = option.short === undefined ? long : `-${option.short}`;
      if (option.value === '') return [way === 0 ? short : long];
      if (way === 0) return [short, value];
      if (way === 1) return [`${long}=${value}`];
      return option.form === 'optional' && way === 2 ? [long] : [long, value];
    });
}

const anyLine = fc.constantFrom(...COMMANDS).chain(({ path, options }) =>
  fc
    .tuple(
      fc.array(anyOption(GLOBAL_OPTIONS), { maxLength: 1 }),
      fc.array(fc.oneof(anyOption(options), anyOption(GLOBAL_OPTIONS)), { maxLength: 3 }),
      fc.array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom('x', 'example.com') }, fc.constantFrom(...WORDS)), {
        maxLength: 2,
      }),
      fc.nat(3),
    )
    .map(([before, after, words, at]) => {
      const parts: (readonly string[])[] = [...after];
      parts.splice(Math.min(at, parts.length), 0, words);
      return [...before.flat(), ...path, ...parts.flat()];
    }),
);

test('a plain line is understood as commander understands it', async () => {
  const settings = tries(2_000, 20261121);
  let plain = 0;
  await fc.assert(
    fc.asyncProperty(anyLine, async (argv) => {
      const line = await readLine(argv, TREE);
      if (line === undefined) return;
      plain += 1;
      expect(await commanderReads(argv)).toEqual(line);
    }),
    settings,
  );
  expect(plain).toBeGreaterThan(settings.numRuns / 10);
});

test.each(COMMANDS.map(({ path, options }) => [path.join(' '), options] as const))(
  'svc %s: each of its options alone is understood alike',
  async (path, options) => {
    for (const [key, option] of Object.entries({ ...options, ...GLOBAL_OPTIONS })) {
      for (const words of [[], ['x'], ['x', 'y']]) {
        const given = option.value === '' ? [longName(key, option)] : [longName(key, option), 'x'];
        const argv = [...path.split(' '), ...words, ...given];
        const line = await readLine(argv, TREE);
        if (line !== undefined) expect(await commanderReads(argv), flagsOf(key, option)).toEqual(line);
      }
    }
  },
);

test.each([
  [['whoami']],
  [['whoami', '--json']],
  [['--json', 'restart', 's1', '--no-retry']],
  [['metrics', 's1', '--history', '--since', '6h', '--step', '60']],
  [['restart', '--service', 's2', 's1']],
  [['deployments', 'inspect', 'd1', '--service', 's1']],
  [['wp', 'run', 'cache-flush', '--param', 'a=b', '--param', 'c=d', '--wait']],
  [['domains', 'add', 'example.com', '--import', '-y']],
  [['buy', '--plan', 'starter', '--yes', '--lang', 'fr']],
  [['api', '/v1/user', '-X', 'get']],
  [['whoami', '--timeout', 'soon']],
  [['help', 'domains', 'add']],
  [['db', 'inspect']],
  [['restart', 's1', 's2']],
])('%j needs no commander', async (argv) => {
  const line = await readLine(argv, TREE);
  expect(line).toBeDefined();
  expect(await commanderReads(argv)).toEqual(line);
});

test.each([
  [[]],
  [['nonsense']],
  [['domains']],
  [['whoami', '--help']],
  [['whoami', 'x']],
  [['--reveal', 'db', 'inspect', 'db_1']],
  [['db', 'inspect', 'db_1', '--revea']],
  [['db', 'connect', 'db_1', '--', '-c']],
  [['whoami', '--org', '--json']],
  [['whoami', '--org=']],
  [['whoami', '--json=1']],
  [['buy', '--resume', 'key']],
])('%j is for commander', async (argv) => {
  expect(await readLine(argv, TREE)).toBeUndefined();
});
