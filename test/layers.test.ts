import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** Leaves that every room may use. The table of fields is data without imports of its own. */
const LEAVES = [
  'errors',
  'clock',
  'collect',
  'environment',
  'group-by',
  'lazy',
  'once',
  'parse-url',
  'runtime',
  'shell-line',
  'split-name',
  'contract/fields',
];

/** Folders that are rooms themselves. Any other folder inside a room is private to it. */
const INNER_ROOMS = [
  'cli/run',
  'cli/read',
  'cli/help',
  'cli/define',
  'cli/settings',
  'cli/values',
  'contract/fields',
];

/** The rooms from top to bottom, each with those that it may import, besides the leaves. */
const MAY_IMPORT: Readonly<Record<string, string>> = {
  start: 'main world terminal store',
  main: 'commands batch cli/run cli/read cli/define cli/settings world api terminal',
  commands:
    'mcp orders cli/read cli/help cli/define cli/settings sign-in dns metrics cli/values api http terminal store contract json',
  mcp: 'cli/read cli/define cli/settings cli/values api terminal json',
  batch: 'cli/define cli/settings cli/values api terminal store json',
  orders: 'cli/define cli/settings cli/values api http terminal store contract json',
  'cli/run':
    'cli/read cli/define cli/settings sign-in world cli/values api http terminal store contract',
  'cli/read': 'cli/help cli/define cli/settings cli/values http terminal',
  'cli/help': 'cli/define cli/settings cli/values terminal',
  'cli/define': 'cli/settings sign-in world cli/values api http terminal store contract json',
  'cli/settings': 'sign-in world cli/values http store contract json',
  'sign-in': 'api http store contract json',
  dns: 'contract json',
  metrics: 'json',
  world: 'terminal store',
  'cli/values': 'api contract json',
  api: 'http contract json',
  http: '',
  terminal: 'json',
  sandbox: 'store contract json',
  store: 'json',
  contract: '',
  json: '',
};

/** Packages, and the room that may name them. */
const PACKAGE_DOORS: Readonly<Record<string, string>> = {
  'fast-string-width': 'terminal',
  commander: 'cli/read',
  '@modelcontextprotocol/server': 'mcp',
  hono: 'sandbox',
  '@hono/node-server': 'sandbox',
};

interface Import {
  readonly from: string;
  /** A file, or a package. */
  readonly to: string;
  readonly isFile: boolean;
  readonly isType: boolean;
  readonly isDynamic: boolean;
}

/** The text of each `room/file.ts`, without comments: a file of the client without its `src/`. */
const TEXTS = new Map(
  ['src', 'sandbox'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file): [string, string] => [
        join(folder, file).replace(/^src\//, ''),
        readFileSync(join(ROOT, folder, file), 'utf8'),
      ]),
  ),
);
const FILES = [...TEXTS.keys()];
const IMPORTS = FILES.flatMap(importsIn);
const OF_FILES = IMPORTS.filter(({ isFile }) => isFile);
const shown = (wrong: readonly Import[]) => wrong.map(({ from, to }) => `${from} -> ${to}`);

test('imports point one way, and a folder inside a room is imported by that room alone', () => {
  expect(OF_FILES.length).toBeGreaterThan(1_000);
  expect(shown(OF_FILES.filter((one) => !isAllowed(one)))).toEqual([]);
});

test('the table of rooms reads downwards', () => {
  const rooms = Object.keys(MAY_IMPORT);
  const upwards = rooms.flatMap((room, at) =>
    (MAY_IMPORT[room] ?? '')
      .split(' ')
      .filter((other) => other !== '' && rooms.indexOf(other) <= at)
      .map((other) => `${room} -> ${other}`),
  );
  expect(upwards).toEqual([]);
});

test('no file is longer than 300 lines', () => {
  const long = FILES.filter((file) => linesOf(file) > 300);
  expect(long, 'split it by idea: give the new file a name that a stranger would look for').toEqual(
    [],
  );
});

test('no folder but that of the commands holds more than 25 files', () => {
  const folders = [...new Set(FILES.map((file) => dirname(file)))];
  const large = folders.filter(
    (folder) =>
      folder !== 'commands' && FILES.filter((file) => dirname(file) === folder).length > 25,
  );
  expect(large, 'group what people look for together in a folder').toEqual([]);
});

/** Signatures and fields with the whole context; `all` of a literal and who calls them need it. */
const MAX_WHOLE_CONTEXTS = 40;

test('few functions take the whole context', () => {
  const places = FILES.flatMap((file) =>
    [...withoutComments(file).matchAll(/(?::|=>) Context\b(?!\[)/g)].map(() => file),
  );
  expect(
    places.length,
    `take the parts that are used, with Needs<…>: ${places}`,
  ).toBeLessThanOrEqual(MAX_WHOLE_CONTEXTS);
});

test('no files import each other in a circle, neither for a type nor by a dynamic import', () => {
  const reached = (file: string) =>
    drawnBy(
      OF_FILES.flatMap(({ from, to }) => (from === file ? [to] : [])),
      OF_FILES,
    );
  expect(FILES.filter((file) => reached(file).has(file))).toEqual([]);
});

/** The most names that the file of a command imports. */
const MAX_IMPORTED_NAMES = 25;

/** The number that half of the commands import at most; the goal is 12. It may only fall. */
const MEDIAN_OF_IMPORTED_NAMES = 14;

/** Commands that still import more, each with their number. A number may only fall. */
const IMPORTS_MORE: Readonly<Record<string, number>> = {};

test('a command imports few names', () => {
  const commands = FILES.filter((file) =>
    TEXTS.get(file)?.includes('export default defineCommand'),
  );
  const counts = new Map(commands.map((file) => [file, countImportedNames(file)]));
  const tooMany = [...counts].filter(
    ([file, count]) => count > (IMPORTS_MORE[file] ?? MAX_IMPORTED_NAMES),
  );
  const cured = Object.keys(IMPORTS_MORE).filter(
    (file) => (counts.get(file) ?? 0) <= MAX_IMPORTED_NAMES,
  );

  expect(commands.length).toBeGreaterThan(35);
  expect(findMedian([...counts.values()])).toBeLessThanOrEqual(MEDIAN_OF_IMPORTED_NAMES);
  expect(
    tooMany,
    'move what one step needs into a file of its own in the folder beside it',
  ).toEqual([]);
  expect(cured, 'these import few names now: take them out of the list').toEqual([]);
});

test('heavy packages enter by their door, which loads nothing before it is asked', () => {
  const packages = IMPORTS.filter(
    ({ to, isFile, isType }) => !isFile && !isType && !to.startsWith('node:'),
  );
  const doorOf = (to: string) => PACKAGE_DOORS[/^(?:@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? ''];
  const wrong = packages.filter(({ from, to, isDynamic }) =>
    from === 'lazy.ts' ? !isDynamic : doorOf(to) !== roomOf(from),
  );
  expect(shown(wrong)).toEqual([]);
  expect(shown(IMPORTS.filter(({ to }) => builtinModules.includes(to)))).toEqual([]);
});

test('only the entry reads the process', () => {
  expect(FILES.filter((file) => /(?<![\w.'-])process\./.test(withoutComments(file)))).toEqual([
    'start.ts',
  ]);
});

function findMedian(counts: readonly number[]): number | undefined {
  return counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)];
}

function countImportedNames(file: string): number {
  const lists = withoutComments(file).matchAll(/^import (?:type )?\{([^}]*)\} from '/gm);
  return [...lists].flatMap(([, names = '']) => names.split(',').filter((name) => name.trim()))
    .length;
}

function linesOf(file: string): number {
  return (TEXTS.get(file) ?? '').split('\n').length - 1;
}

function isAllowed({ from, to, isType }: Import): boolean {
  const [own, other] = [roomOf(from), roomOf(to)];
  if (own === other) return true;
  // The sandbox is reached from its commands alone, by one file.
  const isSandbox =
    from.startsWith('commands/sandbox/') && (isType || from.endsWith('/with-sandbox.ts'));
  if (to === 'sandbox/server.ts' && isSandbox) return true;
  const isPrivate = to.slice(other.length + 1).includes('/');
  return (
    !isPrivate && (LEAVES.includes(other) || (MAY_IMPORT[own] ?? '').split(' ').includes(other))
  );
}

function roomOf(file: string): string {
  const inner = INNER_ROOMS.find((room) => file.startsWith(`${room}/`));
  return inner ?? file.replace(/(?:\.ts$|\/.*)/, '');
}

/** The files, and those that they need. */
function drawnBy(files: readonly string[], imports: readonly Import[]): ReadonlySet<string> {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
  const drawn = new Set(files);
  for (const one of drawn) for (const to of targets.get(one) ?? []) drawn.add(to);
  return drawn;
}

function importsIn(from: string): Import[] {
  const text = withoutComments(from);
  const fixed = [...text.matchAll(/^(?:import|export)\s+(?:(type\s)?[^'";]*?from\s+)?'([^']+)'/gm)];
  const calls = [...text.matchAll(/(typeof )?import\(\s*'([^']+)'\s*\)(\.[A-Z])?/g)];
  const importOf = (to: string, isType: boolean, isDynamic: boolean): Import => {
    const isFile = to.startsWith('.');
    return { from, to: isFile ? fileAt(from, to) : to, isFile, isType, isDynamic };
  };
  return [
    ...fixed.map(([, type, to = '']) => importOf(to, type !== undefined, false)),
    ...calls.map(([, typeOf, to = '', name]) => {
      const isType = typeOf !== undefined || name !== undefined;
      return importOf(to, isType, !isType);
    }),
  ];
}

function fileAt(from: string, to: string): string {
  const folder = dirname(from.startsWith('sandbox/') ? from : `src/${from}`);
  return join(folder, to).replace(/^src\//, '');
}

function withoutComments(file: string): string {
  return (TEXTS.get(file) ?? '').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}
