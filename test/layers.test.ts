import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** Leaves that every room may use. The table of fields is data without imports of its own. */
const LEAVES = ['errors', 'clock', 'environment', 'lazy', 'once', 'parse-url', 'runtime', 'shell-line', 'spec/fields'];

/** Folders inside a room that are rooms themselves. Any other folder inside a room is private to it. */
const INNER_ROOMS = ['kit/values', 'spec/fields'];

/** Which rooms a room may import, besides itself and the leaves. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  start: ['main', 'store', 'terminal', 'world'],
  world: ['store', 'terminal'],
  main: ['line', 'kit', 'commands', 'service', 'store', 'terminal', 'world'],
  line: ['each', 'kit', 'kit/values', 'http', 'json', 'service', 'sign-in', 'spec', 'store', 'terminal', 'world'],
  mcp: ['line', 'kit', 'kit/values', 'json', 'service', 'spec', 'terminal'],
  commands: [
    ...['mcp', 'orders', 'kit', 'kit/values', 'dns', 'http', 'json', 'metrics', 'service', 'sign-in', 'spec'],
    ...['store', 'terminal', 'zone'],
  ],
  orders: ['kit', 'kit/values', 'http', 'json', 'service', 'spec', 'store', 'terminal'],
  each: ['kit', 'kit/values', 'json', 'service', 'store', 'terminal'],
  kit: ['kit/values', 'http', 'json', 'service', 'sign-in', 'spec', 'store', 'terminal', 'world'],
  'kit/values': ['json', 'service', 'spec'],
  'sign-in': ['http', 'json', 'service', 'spec', 'store'],
  store: ['json'],
  service: ['http', 'json', 'spec'],
  http: ['spec'],
  dns: ['spec', 'zone'],
  zone: ['json', 'spec'],
  metrics: ['json', 'spec'],
  terminal: ['json'],
  spec: ['json'],
  sandbox: ['json', 'spec', 'store'],
};

/** Packages, and the rooms or files that may name them. */
const PACKAGE_DOORS: Readonly<Record<string, readonly string[]>> = {
  'fast-string-width': ['terminal'],
  commander: ['line'],
  '@modelcontextprotocol/server': ['mcp'],
  hono: ['sandbox'],
  '@hono/node-server': ['sandbox'],
};

/** A file and one that it imports. */
type Edge = readonly [from: string, to: string];

interface Import {
  readonly from: string;
  /** A file, or a package. */
  readonly to: string;
  readonly isFile: boolean;
  readonly isType: boolean;
  readonly isDynamic: boolean;
}

/** Each file as `room/file.ts`: a file of the client without its `src/`. */
const files = [
  ...readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }),
  ...readdirSync(join(ROOT, 'sandbox'), { recursive: true, encoding: 'utf8' }).map((file) => `sandbox/${file}`),
].filter((file) => file.endsWith('.ts'));
const imports = files.flatMap((file) => importsIn(file, textOf(file)));

describe('the rooms', () => {
  test('imports point one way', () => {
    const wrong = imports
      .filter(({ isFile }) => isFile)
      .filter(({ from, to }) => !isAllowed(roomOf(from), roomOf(to)) && !isSandboxDoor(from, to))
      .map(({ from, to }) => `${from} -> ${to}`);
    expect(wrong).toEqual([]);
  });

  test('a folder inside a room is imported by that room alone', () => {
    const wrong = imports
      .filter(({ isFile }) => isFile)
      .filter(({ from, to }) => roomOf(from) !== roomOf(to) && to.slice(roomOf(to).length + 1).includes('/'))
      .map(({ from, to }) => `${from} -> ${to}`);
    expect(wrong).toEqual([]);
  });

  test('no file is longer than 250 lines, and no folder holds more than 20 files', () => {
    const long = files.filter((file) => textOf(file).split('\n').length > 251);
    expect(long, 'split these files').toEqual([]);
    const folders = [...new Set(files.map((file) => dirname(file)))];
    const full = folders.filter((folder) => files.filter((file) => dirname(file) === folder).length > 20);
    expect(full, 'group the files of these folders').toEqual([]);
  });

  test('a file under 15 lines is rare', () => {
    const short = files.filter((file) => textOf(file).split('\n').length < 16);
    expect(short.length, `move these into the files that use them: ${short.join(', ')}`).toBeLessThanOrEqual(6);
  });

  test('no files import each other in a circle, neither for a type nor by a dynamic import', () => {
    const edges = imports.filter(({ isFile }) => isFile).map(({ from, to }): Edge => [from, to]);
    expect(circledIn(edges), 'these import themselves over others').toEqual([]);
  });

  test('whoever reads restart.ts opens few files', () => {
    expect(drawnBy('commands/restart.ts', true).size, 'with those of its types').toBeLessThanOrEqual(52);
    expect(drawnBy('commands/restart.ts', false).size, 'without').toBeLessThanOrEqual(22);
  });

  test('heavy packages enter by their door', () => {
    const wrong = imports
      .filter(({ to, isFile }) => !isFile && !to.startsWith('node:'))
      .filter(({ from, to, isType }) => !isType && from !== 'lazy.ts' && !doorsOf(to).includes(roomOf(from)))
      .map(({ from, to }) => `${from} -> ${to}`);
    expect(wrong).toEqual([]);
  });

  test('the door loads nothing before it is asked', () => {
    expect(imports.filter(({ from, isDynamic, isType }) => from === 'lazy.ts' && !isDynamic && !isType)).toEqual([]);
  });

  test('limits are called MAX_ and MIN_', () => {
    expect(files.filter((file) => /\b(?:MOST|LONGEST|LARGEST|SHORTEST)_[A-Z]/.test(codeOf(file)))).toEqual([]);
  });

  test('built-in modules carry their prefix', () => {
    expect(imports.filter(({ to }) => builtinModules.includes(to))).toEqual([]);
  });

  test('only the entry reads the process', () => {
    const readers = files.filter((file) => file !== 'start.ts' && /(?<![\w.'])process\./.test(codeOf(file)));
    expect(readers).toEqual([]);
  });
});

test.each([
  ['a fixed import', "import { a } from './b.ts';", ['x/b.ts']],
  ['of several lines', "import {\n  a,\n  c,\n} from '../y/b.ts';", ['y/b.ts']],
  ['of a type', "import type { A } from './b.ts';", ['x/b.ts']],
  ['passed on', "export { a } from './b.ts';", ['x/b.ts']],
  ['a dynamic one', "async function f() {\n  const { a } = await import('./b.ts');\n}", ['x/b.ts']],
  ['a type inside of the text', "let a: typeof import('./b.ts');", ['x/b.ts']],
  ['a comment is none', "// import('./b.ts')\n/** import('./b.ts') */", []],
  ['a package is none', "import 'hono';", []],
])('an import counts: %s', (_title, text, targets) => {
  expect(importsIn('x/a.ts', text).flatMap(({ to, isFile }) => (isFile ? [to] : []))).toEqual(targets);
});

test.each([
  ['a>b a>c b>d c>d', ''],
  ['x>b b>a a>b a>y', 'a b'],
  ['c>a a>b b>c', 'a b c'],
  ['a>a', 'a'],
  ['a>b b>a b>c c>b', 'a b c'],
])('of %s these are in a circle: %s', (edges, circled) => {
  const pairs = edges.split(' ').map((edge): Edge => [edge.slice(0, 1), edge.slice(2)]);
  expect(circledIn(pairs).join(' ')).toBe(circled);
});

function isAllowed(from: string, to: string): boolean {
  return from === to || LEAVES.includes(to) || (MAY_IMPORT[from] ?? []).includes(to);
}

/** The sandbox is reached from its commands alone, by one file. */
function isSandboxDoor(from: string, to: string): boolean {
  const isType = imports.some((one) => one.from === from && one.to === 'sandbox/server.ts' && one.isType);
  return (
    to === 'sandbox/server.ts' && from.startsWith('commands/sandbox/') && (isType || from.endsWith('/with-sandbox.ts'))
  );
}

/** The file, and those that it needs before it runs. */
function drawnBy(file: string, withTypes: boolean): ReadonlySet<string> {
  const drawn = new Set([file]);
  const needed = imports.filter(({ isFile, isDynamic, isType }) => isFile && !isDynamic && (withTypes || !isType));
  for (const one of drawn) for (const { from, to } of needed) if (from === one) drawn.add(to);
  return drawn;
}

/** The files that reach themselves over imports. */
function circledIn(edges: readonly Edge[]): readonly string[] {
  const targets = new Map<string, string[]>();
  for (const [from, to] of edges) targets.set(from, [...(targets.get(from) ?? []), to]);
  const isCircled = (file: string) => {
    const reached = new Set(targets.get(file));
    for (const one of reached) for (const to of targets.get(one) ?? []) reached.add(to);
    return reached.has(file);
  };
  return [...targets.keys()].filter(isCircled).sort();
}

function doorsOf(name: string): readonly string[] {
  const door = Object.keys(PACKAGE_DOORS).find((known) => name === known || name.startsWith(`${known}/`));
  return door === undefined ? [] : (PACKAGE_DOORS[door] ?? []);
}

function roomOf(file: string): string {
  const inner = INNER_ROOMS.find((room) => file.startsWith(`${room}/`));
  if (inner !== undefined) return inner;
  const [first = '', ...rest] = file.split('/');
  if (rest.length > 0) return first;
  return first.replace(/\.ts$/, '');
}

/** The imports that a text of this file has. */
function importsIn(from: string, source: string): Import[] {
  const text = withoutComments(source);
  const fixed = [...text.matchAll(/^(?:import|export)\s+(type\s)?[^'";]*?from\s+'([^']+)'/gm)];
  const bare = [...text.matchAll(/^import\s+()'([^']+)'/gm)];
  const calls = [...text.matchAll(/(typeof )?import\(\s*'([^']+)'\s*\)(\.[A-Z])?/g)];
  return [
    ...[...fixed, ...bare].map(([, type, to = '']) => importOf(from, to, Boolean(type), false)),
    ...calls.map(([, typeOf, to = '', name]) => {
      const isType = typeOf !== undefined || name !== undefined;
      return importOf(from, to, isType, !isType);
    }),
  ];
}

function importOf(from: string, to: string, isType: boolean, isDynamic: boolean): Import {
  const isFile = to.startsWith('.');
  return { from, to: isFile ? join(dirname(pathOf(from)), to).replace(/^src\//, '') : to, isFile, isType, isDynamic };
}

function pathOf(file: string): string {
  return file.startsWith('sandbox/') ? file : `src/${file}`;
}

function textOf(file: string): string {
  return readFileSync(join(ROOT, pathOf(file)), 'utf8');
}

function codeOf(file: string): string {
  return withoutComments(textOf(file));
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}
