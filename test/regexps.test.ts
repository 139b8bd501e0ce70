import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from 'recheck';
import { expect, test } from 'vitest';
import { figure } from './support/figure.ts';
import { isSoak } from './support/property.ts';
import { nodesOf } from './support/syntax.ts';

// What the platform or a file says may be megabytes long and chosen to do harm.

const ROOT = join(import.meta.dirname, '..');
/** What people run. The files of `scripts/` read only what the build has made. */
const FOLDERS = ['bin', 'sandbox', 'src'];
/** A test that never ends has to fail; the analysis takes 20 seconds on a slow machine. */
const HANG_MS = 600_000;

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
const UNBOUNDED = /[*+]|\{\d+,\}/;

test('no expression repeats a group without a bound: its place on the stack for each would overflow it', () => {
  expect(literals.length).toBeGreaterThan(200);
  const repeating = long.filter(({ pattern }) =>
    /\)(?:[*+]|\{\d+,\})/.test(withoutClasses(pattern)),
  );
  expect(repeating.map(({ name }) => name)).toEqual([]);
});

test('expressions that are made while the program runs repeat nothing, or one class of characters alone', () => {
  expect(made.length).toBeGreaterThan(5);
  expect(made.filter((text) => UNBOUNDED.test(withoutClasses(text).replace("'[]+'", '')))).toEqual(
    [],
  );
});

// The analysis of all of them takes half a minute. The soak does that and writes this list; what is
// new is tried at once.
const PASSED = join(import.meta.dirname, 'regexps.txt');

test('the work of every expression grows in proportion to the text', {
  timeout: HANG_MS,
}, async () => {
  const passed = isSoak ? [] : readFileSync(PASSED, 'utf8').split('\n');
  const repeating = long.filter(({ pattern }) => UNBOUNDED.test(pattern));
  const slow: string[] = [];
  for (const found of repeating.filter(({ name }) => !passed.includes(lineOf(name)))) {
    const attack = await attackOn(found.pattern, found.flags);
    if (attack !== undefined) slow.push(`${found.name}: ${attack}`);
  }
  expect(slow).toEqual([]);
  figure('Regular expressions', repeating.length);
  const lines = repeating.map(({ name }) => `${lineOf(name)}\n`).toSorted();
  if (isSoak) writeFileSync(PASSED, lines.join(''));
});

function withoutClasses(pattern: string): string {
  return pattern.replaceAll(/\[(?:[^\]\\]|\\.)*\]/g, '[]').replaceAll(/\\./g, '.');
}

/**
 * What an expression needs much longer for the longer it is; `undefined` if there is no such text.
 * The answer is the same on every computer: steps are counted, with a seed that stays, and each
 * time limit is off.
 */
async function attackOn(pattern: string, flags: string): Promise<string | undefined> {
  const result = await check(pattern, flags, {
    timeout: null,
    attackTimeout: null,
    incubationTimeout: null,
    seedingTimeout: null,
    recallTimeout: -1,
    randomSeed: 1,
    maxIteration: 1,
  });
  if (result.status === 'safe') return undefined;
  if (result.status === 'unknown')
    throw new Error(`/${pattern}/ cannot be judged: ${JSON.stringify(result.error)}`);
  return `${result.complexity.summary} on ${JSON.stringify(result.attack.string.slice(0, 40))}`;
}

/** The literals of all files, and the calls that make expressions otherwise. */
function collect(): { literals: Found[]; made: string[] } {
  const literals = new Map<string, Found>();
  const made: string[] = [];
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      join(ROOT, folder, file),
    ),
  );
  for (const file of files.filter((name) => /\.c?[jt]s$/.test(name))) {
    const text = readFileSync(file, 'utf8');
    for (const node of nodesOf(text)) {
      if ('regex' in node) {
        const { pattern, flags } = node['regex'] as Omit<Found, 'name'>;
        literals.set(`/${pattern}/${flags}`, { name: `/${pattern}/${flags}`, pattern, flags });
      }
      const callee = node['callee'] as { name?: string } | undefined;
      if (callee?.name !== 'RegExp' && callee?.name !== 'unicodePattern') continue;
      made.push(text.slice(Number(node['start']), Number(node['end'])));
    }
  }
  return { literals: [...literals.values()], made };
}

function lineOf(name: string): string {
  return name.replaceAll('\n', '\\n');
}
