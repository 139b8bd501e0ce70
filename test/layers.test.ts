import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '../src');

/** Leaves that every room may use. */
const LEAVES = ['errors', 'clock', 'environment', 'lazy', 'once'];

/** Which rooms a room may import from, beside itself and the leaves. Everything else is a wrong edge. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  start: ['main', 'store'],
  main: ['cli', 'command', 'commands', 'http', 'io', 'login', 'spec', 'store'],
  cli: ['command', 'io'],
  commands: ['command', 'api', 'login', 'purchase', 'dns', 'domains', 'metrics', 'http', 'io', 'spec', 'store'],
  command: ['http', 'io', 'login', 'spec', 'store'],
  api: ['http', 'spec'],
  login: ['http', 'spec', 'store'],
  purchase: ['spec', 'store'],
  dns: ['spec'],
  domains: ['spec'],
  metrics: ['spec'],
  http: ['spec'],
  io: ['spec'],
  store: [],
  sandbox: ['spec'],
  spec: [],
  errors: [],
  clock: [],
  environment: [],
  lazy: [],
  once: [],
};

/** Packages, and the rooms or files that may name them. */
const PACKAGE_DOORS: Readonly<Record<string, readonly string[]>> = {
  commander: ['cli'],
  hono: ['sandbox'],
  '@hono/node-server': ['sandbox'],
};

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
  readonly isDynamic: boolean;
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const imports = files.flatMap(importsOf);

describe('the rooms of src', () => {
  test('imports point one way', () => {
    const wrong = imports
      .filter(({ to }) => to.startsWith('.'))
      .map(({ from, to }) => ({ from, to: relative(SRC, join(SRC, dirname(from), to)) }))
      .filter(({ from, to }) => !isAllowed(roomOf(from), roomOf(to)) && !isSandboxDoor(from, to))
      .map(({ from, to }) => `${from} -> ${to}`);
    expect(wrong).toEqual([]);
  });

  test('heavy packages enter by their door', () => {
    const wrong = imports
      .filter(({ to }) => !to.startsWith('.') && !to.startsWith('node:'))
      .filter(({ from, to, isType }) => !isType && from !== 'lazy.ts' && !doorsOf(to).includes(roomOf(from)))
      .map(({ from, to }) => `${from} -> ${to}`);
    expect(wrong).toEqual([]);
  });

  test('the door loads nothing before it is asked', () => {
    expect(imports.filter(({ from, isDynamic, isType }) => from === 'lazy.ts' && !isDynamic && !isType)).toEqual([]);
  });

  test('built-in modules carry their prefix', () => {
    expect(imports.filter(({ to }) => builtinModules.includes(to))).toEqual([]);
  });

  test('only the entry reads the process', () => {
    const readers = files.filter((file) => file !== 'start.ts' && /(?<![\w.'])process\./.test(codeOf(file)));
    expect(readers).toEqual([]);
  });
});

function isAllowed(from: string, to: string): boolean {
  return from === to || LEAVES.includes(to) || (MAY_IMPORT[from] ?? []).includes(to);
}

/** The sandbox is reached from its commands alone, by one file. */
function isSandboxDoor(from: string, to: string): boolean {
  const isType = imports.some((one) => one.from === from && one.to.endsWith('/sandbox/server.ts') && one.isType);
  return to === 'sandbox/server.ts' && from.startsWith('commands/sandbox/') && (isType || from.endsWith('/load.ts'));
}

function doorsOf(name: string): readonly string[] {
  const door = Object.keys(PACKAGE_DOORS).find((known) => name === known || name.startsWith(`${known}/`));
  return door === undefined ? [] : (PACKAGE_DOORS[door] ?? []);
}

function roomOf(file: string): string {
  const [first = '', ...rest] = file.split('/');
  if (rest.length > 0) return first;
  const name = first.replace(/\.ts$/, '');
  return ['world', 'wiring', 'clients', 'run-context', 'signals'].includes(name) ? 'main' : name;
}

function importsOf(from: string): Import[] {
  const text = codeOf(from);
  const fixed = [...text.matchAll(/^(?:import|export)\s+(type\s)?[^'";]*?from\s+'([^']+)'/gm)];
  const bare = [...text.matchAll(/^import\s+()'([^']+)'/gm)];
  const dynamic = [...text.matchAll(/(?<!typeof )import\(\s*'([^']+)'\s*\)/g)];
  return [
    ...[...fixed, ...bare].map(([, type, to = '']) => ({ from, to, isType: Boolean(type), isDynamic: false })),
    ...dynamic.map(([, to = '']) => ({ from, to, isType: false, isDynamic: true })),
  ];
}

function codeOf(file: string): string {
  return readFileSync(join(SRC, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}
