import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** A doc comment that begins in the middle of a sentence. */
const MID_SENTENCE =
  /\/\*\*\s*(?:\*\s*)?((?:Of|For|In|With|Without|At|By|To|From|On|As|After|Before|Behind|Beside|Beyond|Between|Only|Also|Undefined|Empty|Set|Absent|Else|Up to|See|Such as|Apart from|Instead of|Like|Until|Since|Where|Who|What|Which|And|Or|Not|Surely|Still|Nobody's|Their|Its|It) [^\n]*)/g;

/** A function that is declared, or a constant that holds one. */
const FUNCTIONS =
  /(?:\bfunction\*? |\bconst )([a-z]\w*)(?: = (?:async )?(?:\([^()]*\)|\w+)(?:: [^=]+)? =>|(?:<[^>]*>)?\()/g;

/** The verbs with which a function may begin whose name ends in a preposition. */
const VERBS = new Set(
  `add agree allow append apply ask attach await begin build call can cancel cap carry change check choose claim classify close
  collect compare compile complete concat confirm connect convert copy count create cut deliver describe divide draw drop
  emit encode end enter escape expand explain fetch fill filter find finish fit follow forget format get go group guard halt
  handle has hide hold include insert is join judge keep leave let limit list listen load log look lose make map mark mask
  match may measure merge move name note open pack parse pass pause pick place plan poll prepare print put quote read record
  redact refuse release remove render repeat replace report require resolve rest restore resume retry return run save say
  search see seek send serve set should show sign shrink skip sort split start stay stop store strip substitute suggest switch
  take tell test throw to trim try turn unwrap update use verify wait walk warn was watch will wrap write`
    .split(/\s+/)
    .filter(Boolean),
);

interface Rule {
  readonly what: string;
  /** What to do about a place that breaks it. */
  readonly cure: string;
  find(text: string): readonly string[];
  /** The rooms that still break it. A list may only shrink. */
  readonly notYet: string;
}

const RULES: readonly Rule[] = [
  {
    what: 'a doc comment is a sentence with its subject',
    cure: 'begin with a noun, or with a verb such as "Returns"; or write none',
    find: (text) => Array.from(text.matchAll(MID_SENTENCE), ([, first = '']) => first),
    notYet: '',
  },
  {
    what: 'a function is a verb and a noun',
    cure: 'put the verb in front: getRule, findPlace, readOrder',
    find: (text) => {
      const names = Array.from(withoutComments(text).matchAll(FUNCTIONS), ([, name = '']) => name);
      return names.filter((name) => /[a-z](?:Of|In|For|From|By)$/.test(name) && !hasVerb(name));
    },
    notYet: '',
  },
  {
    what: 'no literal is spread to save lines',
    cure: 'write one property a line',
    find: (text) => findAll(withoutComments(text), /\.\.\.\{/g),
    notYet: '',
  },
  {
    what: 'two names are two statements',
    cure: 'write a const for each',
    find: (text) =>
      findAll(
        withoutComments(text),
        /(?:const|let) \[[\w$]+(?:,\s*[\w$]+)+,?\](?:: \[[^\n=]*)? =\s*\[/g,
      ),
    notYet: '',
  },
  {
    what: 'a template holds no choice',
    cure: 'choose first, in a statement of its own',
    find: (text) => findAll(withoutComments(text), /\$\{[^{}`]*\s\?\s[^{}`]*/g),
    notYet: '',
  },
  {
    what: 'a statement that does not fit behind its `if` has braces',
    cure: 'add the braces, or make the guard short enough for one line',
    find: (text) =>
      findAll(
        withoutComments(text),
        /^(\s*)(?:(?:if|else if|\} else if) \([^\n]*\)|else)\n\1 {2}(?![.?:&|])\S[^\n]*/gm,
      ),
    notYet: '',
  },
];

/** The text of each room: a folder of src, a folder of cli, or the sandbox. */
const ROOMS = readRooms();

/** The most files that each list of biome.jsonc holds, by the rule that is off for them. */
const MAX_EXCEPTIONS: Readonly<Record<string, number>> = {
  noExcessiveCognitiveComplexity: 5,
  useMaxParams: 34,
  noExcessiveLinesPerFunction: 0,
};

test.each(RULES)('$what', ({ cure, find, notYet }) => {
  const pending = notYet.split(' ').filter(Boolean);
  const broken = new Map([...ROOMS].map(([room, texts]) => [room, texts.flatMap(find)]));
  const isBroken = (room: string) => (broken.get(room) ?? []).length > 0;

  const places = [...broken].filter(([room]) => !pending.includes(room)).flatMap(([, all]) => all);
  expect(places, cure).toEqual([]);
  const clean = pending.filter((room) => !isBroken(room));
  expect(clean, 'these rooms keep the rule now: take them out of its list').toEqual([]);
});

test('the lists of what still breaks a limit of size only shrink', () => {
  const lists = readExceptions();

  expect([...lists.keys()].sort()).toEqual(Object.keys(MAX_EXCEPTIONS).sort());
  for (const [rule, files] of lists) {
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    expect(
      files.length,
      `${rule}: a function that is too long, or takes too much, does two things: split it`,
    ).toBeLessThanOrEqual(MAX_EXCEPTIONS[rule] ?? 0);
  }
});

/** The files of each list in biome.jsonc, by the rule of size that is off for them. */
function readExceptions(): ReadonlyMap<string, readonly string[]> {
  const text = readFileSync(join(ROOT, 'biome.jsonc'), 'utf8');
  const lists = new Map<string, string[]>();
  const blocks = text.matchAll(
    /"includes": \[([^\]]*)\],\s*"linter": \{ "rules": \{ "complexity": \{ "(\w+)": "off"/g,
  );
  for (const [, files = '', rule = ''] of blocks) {
    const names = Array.from(files.matchAll(/"([^"*]+)"/g), ([, name = '']) => name);
    lists.set(rule, [...(lists.get(rule) ?? []), ...names]);
  }
  return lists;
}

function hasVerb(name: string): boolean {
  return VERBS.has(/^[a-z]+/.exec(name)?.[0] ?? '');
}

function findAll(text: string, pattern: RegExp): readonly string[] {
  return Array.from(text.matchAll(pattern), ([found]) => found.trim());
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

function readRooms(): ReadonlyMap<string, readonly string[]> {
  const rooms = new Map<string, string[]>();
  for (const folder of ['src', 'sandbox']) {
    const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => /(?<!\.d)\.ts$/.test(name))) {
      const room = roomOf(folder, file);
      const text = readFileSync(join(ROOT, folder, file), 'utf8');
      rooms.set(room, [...(rooms.get(room) ?? []), text]);
    }
  }
  return rooms;
}

function roomOf(folder: string, file: string): string {
  if (folder === 'sandbox') return 'sandbox';
  const [first = '', second = ''] = file.split('/');
  if (!file.includes('/')) return 'src';
  return first === 'cli' ? `cli/${second}` : first;
}
