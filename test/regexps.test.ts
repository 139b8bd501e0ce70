import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';
import { cpuTimeOf } from './support/cpu.ts';

/*
 * What the service or a file says may be megabytes long and chosen to do harm. These tests collect every regular
 * expression of the program and attack it, so that a new one cannot be forgotten.
 */

const SRC = join(import.meta.dirname, '../src');

/** Expressions that only meet text that is short for another reason. */
const SHORT_TEXT: ReadonlyMap<string, string> = new Map([
  ['/\\B(?=(\\d{3})+$)/g', 'the digits of a JavaScript number'],
  [
    '/^(?:\\*|[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)(?:\\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$|^$/i',
    'a field in the sandbox, which takes bodies up to 1 MiB',
  ],
]);

interface Found {
  readonly name: string;
  readonly pattern: string;
  readonly flags: string;
}

const { literals, made } = collect();
const long = literals.filter(({ name }) => !SHORT_TEXT.has(name));

test('the expressions are found, and every exception is one of them', () => {
  expect(literals.length).toBeGreaterThan(200);
  const names = literals.map(({ name }) => name);
  expect([...SHORT_TEXT.keys()].filter((name) => !names.includes(name))).toEqual([]);
});

test('no expression repeats a group without a bound: its place on the stack for each would overflow it', () => {
  const repeating = long.filter(({ pattern }) => /\)(?:[*+]|\{\d+,\})/.test(withoutClasses(pattern)));
  expect(repeating.map(({ name }) => name)).toEqual([]);
});

test('expressions that are made while the program runs repeat nothing, or one class of characters alone', () => {
  expect(made.length).toBeGreaterThan(5);
  expect(made.filter((text) => /[*+]|\{\d+,\}/.test(withoutClasses(text).replace("'[]+'", '')))).toEqual([]);
});

test('the time of every expression grows in proportion to the text', { timeout: 120_000 }, () => {
  const slow = long
    .filter(({ pattern }) => /[*+]|\{\d+,\d*\}/.test(pattern))
    .flatMap((found) => {
      const attack = attacksOn(found.pattern).find((make) => isSlow(found, make));
      return attack === undefined ? [] : [`${found.name} on ${JSON.stringify(attack(24))}`];
    });
  expect(slow).toEqual([]);
});

test.each(['a+b', '[<[](.+)>$', ' +$', '"(?:[^"\\\\]|\\\\.)*x'])('the attacks find what is slow in %s', (pattern) => {
  expect(attacksOn(pattern).some((make) => isSlow({ name: '', pattern, flags: '' }, make))).toBe(true);
});

function withoutClasses(pattern: string): string {
  return pattern.replaceAll(/\[(?:[^\]\\]|\\.)*\]/g, '[]').replaceAll(/\\./g, '.');
}

/** Makes a text of about so many characters. */
type Attack = (length: number) => string;

/** Texts that repeat what an expression speaks of: each piece, each two of them, and each piece behind another. */
function attacksOn(pattern: string): Attack[] {
  const pieces = piecesOf(pattern);
  const pairs = pieces.flatMap((one) => pieces.filter((other) => other !== one).map((other) => one + other));
  const repeated = (head: string, pump: string) => (length: number) =>
    `${head}${pump.repeat(Math.ceil(length / pump.length))}\u0000\n!`;
  return [
    ...[...pieces, ...pairs].map((pump) => repeated('', pump)),
    ...pieces.flatMap((head) => pieces.map((pump) => repeated(head, pump))),
  ];
}

const MOST_PIECES = 24;

/** The words and the characters of an expression, and one character of each common class. */
function piecesOf(pattern: string): string[] {
  const plain = pattern
    .replaceAll(/\\[bBdDsSwW]|\\p\{[^}]*\}|\\x[\da-f]{2}|\\u[\da-f]{4}|\\[nrt]|\(\?(?:<?[=!]|:)/gi, '\u0001')
    .replaceAll(/\\(.)/g, '$1');
  const words = plain.match(/[a-z]{2,}/gi) ?? [];
  const marks = plain.match(/[^\w\s\u0001]/g) ?? [];
  const runs = pattern.includes('\\/\\/') ? ['://'] : [];
  return [...new Set(['a', 'A', '0', ' ', '"', ...words, ...marks, ...runs])].slice(0, MOST_PIECES);
}

const SHORT = 1_000;
const TIMES = 4;

/** Whether four times the text takes far more than four times the time; most are done before that is asked. */
function isSlow({ pattern, flags }: Found, attack: Attack): boolean {
  const expression = new RegExp(pattern, `${flags.replaceAll(/[gy]/g, '')}g`);
  const short = attack(SHORT);
  const started = performance.now();
  short.replace(expression, '');
  if (performance.now() - started < 0.5) return false;
  const timeOf = (text: string) => cpuTimeOf(() => text.replace(expression, ''));
  const time = timeOf(short);
  return time > 0.3 && timeOf(attack(SHORT * TIMES)) / time > 2.5 * TIMES;
}

/** The literals of all files, and the calls that make expressions otherwise. */
function collect(): { literals: Found[]; made: string[] } {
  const literals = new Map<string, Found>();
  const made: string[] = [];
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  for (const file of files) {
    const text = readFileSync(join(SRC, file), 'utf8');
    visit(parseAst(text, { lang: 'ts' }), (node) => {
      if ('regex' in node) {
        const { pattern, flags } = node['regex'] as { pattern: string; flags: string };
        const name = `/${pattern}/${flags}`;
        literals.set(name, { name, pattern, flags });
      }
      const callee = node['callee'] as { name?: string } | undefined;
      if (callee?.name !== 'RegExp' && callee?.name !== 'unicodePattern') return;
      made.push(text.slice(Number(node['start']), Number(node['end'])));
    });
  }
  return { literals: [...literals.values()], made };
}

function visit(node: unknown, see: (node: Record<string, unknown>) => void): void {
  if (typeof node !== 'object' || node === null) return;
  see(node as Record<string, unknown>);
  for (const child of Object.values(node)) visit(child, see);
}
