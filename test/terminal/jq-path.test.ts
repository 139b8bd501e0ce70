import fc from 'fast-check';
import { expect, test } from 'vitest';
import { followPath, parsePath } from '../../src/json/path.ts';
import { compileFilter } from '../../src/terminal/jq.ts';
import type { Output } from '../../src/terminal/output.ts';
import { tries } from '../support/property.ts';

/** Applies a filter, and returns what it prints or the message of its error. */
async function apply(filter: string, json: string, isTty = false): Promise<string> {
  const sink = { isTty, write: async () => undefined } as unknown as Output;
  const io = { out: sink, err: sink, withDefaultSignals: <T>(work: () => T) => work() };
  const run = await compileFilter(filter, io, {});
  return run(json).catch((error: Error) => error.message);
}

/** A filter in parentheses is none that svc follows itself. */
const applyWithJq = (filter: string, json: string, isTty: boolean) =>
  apply(`(${filter})`, json, isTty);

const NAMES = ['a', 'b', 'user', 'e_mail', 'x1', 'constructor', '__proto__', 'if'];
const NAME = fc.constantFrom(...NAMES);
/** JavaScript sorts names that are numbers. */
const FIELD_NAME = fc.constantFrom(...NAMES, '10', '2');
/** Numbers as programs write them; jq writes exponents in a way of its own. */
const NUMBER = fc.oneof(
  fc.integer().map(String),
  fc.bigInt().map(String),
  fc.tuple(fc.integer(), fc.nat()).map(([whole, digits]) => `${whole}.${digits}`),
);
const CHARACTER = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: 'grapheme', maxLength: 4 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '\u007f',
      '\0',
      '\u001b[31m',
      '\u202e',
      '\u2028',
      '"',
      '\\',
      '/',
      '\t\n',
    ),
  },
);
const STRING = fc.array(CHARACTER, { maxLength: 3 }).map((parts) => JSON.stringify(parts.join('')));
const SPACE = fc.constantFrom('', ' ', '\n  ', '\t');

/** JSON texts, with white space, and with the same name twice now and then. */
const { json: JSON_TEXT } = fc.letrec<{
  json: string;
  scalar: string;
  list: string;
  object: string;
}>((tie) => ({
  scalar: fc.oneof(NUMBER, STRING, fc.constantFrom('true', 'false', 'null')),
  list: fc.array(tie('json'), { maxLength: 3 }).map((values) => `[${values.join(' ,')}]`),
  object: fc.array(fc.tuple(FIELD_NAME, SPACE, tie('json')), { maxLength: 4 }).map((fields) => {
    const written = fields.map(
      ([name, space, value]) => `${JSON.stringify(name)}${space}:${space}${value}`,
    );
    return `{${written.join(',')}}`;
  }),
  json: fc.oneof(
    { maxDepth: 4 },
    { weight: 2, arbitrary: tie('scalar') },
    { weight: 1, arbitrary: tie('list') },
    { weight: 4, arbitrary: tie('object') },
  ),
}));
const PATH = fc.array(NAME, { minLength: 1, maxLength: 3 }).map((names) => `.${names.join('.')}`);

test('a plain path prints what jq prints, of any answer', async () => {
  const property = fc.asyncProperty(JSON_TEXT, PATH, fc.boolean(), async (json, path, isTty) => {
    expect(await apply(path, json, isTty)).toBe(await applyWithJq(path, json, isTty));
  });
  await fc.assert(property, tries(2_000, 20_261_128));
});

test.each([
  ['a field of a text', '.a.b', '{"a":"x"}', 'Cannot index string with string ("b")'],
  ['a field of a number', '.a.b', '{"a":1}', 'Cannot index number with string ("b")'],
  ['a field of true', '.a', 'true', 'Cannot index boolean with string ("a")'],
  ['a field of a list', '.a.b', '{"a":[]}', 'Cannot index array with string ("b")'],
])('%s is the error of jq', async (_what, filter, json, reason) => {
  const message = `The --jq filter failed on the answer: ${reason}`;

  expect(await apply(filter, json)).toBe(message);
  expect(await applyWithJq(filter, json, false)).toBe(message);
});

test.each([
  ['5.00', '5.00\n'],
  ['1E2', '1E2\n'],
  ['-0.0', '-0.0\n'],
  ['12345678901234567890123', '12345678901234567890123\n'],
])('the number %s keeps its bytes', async (number, printed) => {
  expect(await apply('.a', `{"a": ${number}}`)).toBe(printed);
  expect(await apply('.a', `{"a": {"n": ${number}}}`)).toBe(`{"n":${number}}\n`);
});

test.each(['\\ud800', '\\udc00'])(
  'half of a character, %s, is left to jq, which replaces it',
  async (half) => {
    const json = `{"a":"x${half}y","b":{"c":"${half}"}}`;

    for (const path of ['.a', '.b', '.b.c']) {
      expect(await apply(path, json)).toBe(await applyWithJq(path, json, false));
      expect(followPath(json, path.slice(1).split('.'))).toBeUndefined();
    }
  },
);

test('svc follows the paths of names itself, and leaves any other filter to jq', () => {
  expect(parsePath('.user.email')).toEqual(['user', 'email']);
  for (const filter of ['.', '.[0]', '.a[]', '.a?', '.a-b', '.1', ' .a', '.a|.b', '..a', '."a"']) {
    expect(parsePath(filter), filter).toBeUndefined();
  }
  expect(followPath('{"a": 1', ['a'])).toBeUndefined();
  expect(followPath('{"a": 01}', ['a'])).toBeUndefined();
  expect(followPath('{"a":{"b":1,"b":2}}', ['a'])).toBeUndefined();
  expect(followPath('{"a":{"2":1,"10":2}}', ['a'])).toBeUndefined();
  expect(followPath('{"a":"\\u00005"}', ['a'])).toBeUndefined();
  expect(followPath('{"a":{"b":1.0}}', ['a', 'b'])).toEqual({ kind: 'value', text: '1.0' });
});
