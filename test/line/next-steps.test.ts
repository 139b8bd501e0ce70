import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TREE } from '../../src/commands/tree.ts';
import { stepOf } from '../../src/errors.ts';
import { readLine } from '../../src/line/commander.ts';
import { wordsOf } from '../support/command-line.ts';
import { svc } from '../support/svc.ts';

const SRC = join(import.meta.dirname, '../../src');

const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const SOURCES = FILES.map((name) => [name, readFileSync(join(SRC, name), 'utf8')] as const);

const LITERAL = String.raw`'((?:[^'\\\n]|\\.)*)'|${'`'}((?:[^${'`'}\\]|\\.)*)${'`'}`;

/** Returns the texts of the literals that follow a pattern, with `x` for what a template fills in. */
function literalsAfter(before: string): Array<readonly [place: string, text: string]> {
  const pattern = new RegExp(`(?:${before})(?:${LITERAL})`, 'g');
  return SOURCES.flatMap(([name, source]) =>
    [...source.matchAll(pattern)].map(([, plain, template]) => {
      const text = plain?.replace(/\\(.)/g, '$1') ?? (template ?? '').replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, 'x');
      return [name, text] as const;
    }),
  );
}

const SHELL = /^(?:export|unset|rm|chmod|sudo chown|cd)\b/;

const HINT = String.raw`\bhint(?:: string|: Hint)? ?[:=]\s+`;

test('what an error tells to run is a command line of svc or of the shell, and can be pasted', async () => {
  const given = literalsAfter(HINT);
  const commands = given.flatMap(([place, text]) => stepOf(text).run.map((line) => [place, line] as const));
  const inLists = literalsAfter(String.raw`\brun: \[`);
  expect(inLists.length).toBeGreaterThan(20);
  for (const [place, line] of [...commands, ...inLists]) {
    if (SHELL.test(line) || /^x(?:$|; | --)/.test(line)) continue;
    expect(line, place).toMatch(/^svc /);
    expect(line, place).not.toMatch(/[<>…]|, |; /);
    // What a template fills in may be anything.
    if (!line.includes('x')) await readLine(wordsOf(line).slice(1), TREE);
  }
});

test('a hint that is no command line is a sentence', () => {
  const given = literalsAfter(String.raw`\bsay: |\btwice: |${HINT}`);
  const sentences = given.filter(([, text]) => stepOf(text).say !== undefined && !/^(?:x|linked now)$/.test(text));
  expect(sentences.length).toBeGreaterThan(60);
  for (const [place, text] of sentences) {
    expect(text, place).toMatch(/^[A-Zx].*(?:[.?:…x)]|: \S.*)$/);
    expect(text, place).not.toMatch(/^(?:Svc|Try|The same command)\b/);
  }
});

test('a step has its sentence above its command; JSON carries both', async () => {
  const nobody = { url: 'http://127.0.0.1:9', token: null };
  const { stderr } = await svc(['whoami'], nobody);
  expect(stderr).toBe(`Error: Not signed in to ${nobody.url}.\n  Sign in, or set SVC_TOKEN.\nTry: svc login\n`);
  const { error } = await svc(['whoami', '--json'], nobody);
  expect(error).toMatchObject({ hint: 'Sign in, or set SVC_TOKEN.', next: ['svc login'] });
});
