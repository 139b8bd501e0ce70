import { expect, test } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { compileFilter } from '../../src/terminal/jq.ts';
import type { Sink } from '../../src/terminal/terminal.ts';

/** Returns the output of a filter and its messages on stderr. */
async function filtered(filter: string, json: string, { isTty = false } = {}) {
  const said: string[] = [];
  const sink = (isTty: boolean) => ({ isTty, write: async (text: string) => void said.push(text) }) as unknown as Sink;
  const apply = await compileFilter(filter, { out: sink(isTty), err: sink(false), unguarded: (work) => work() });
  return { text: await apply(json), said: said.join('') };
}

const textOf = async (filter: string, json: string, options = {}) => (await filtered(filter, json, options)).text;

async function errorOf(filter: string, json = 'null'): Promise<CliError> {
  return filtered(filter, json).then(
    () => expect.fail('no error'),
    (error: unknown) => (error instanceof CliError ? error : expect.fail(String(error))),
  );
}

/* biome-ignore format: a row a line */
test.each([
  ['strings print raw, other values as JSON, one output a line', '.a, .b, .c', '{"a":"x y","b":[1,{"d":null}],"c":true}', 'x y\n[1,{"d":null}]\ntrue\n'],
  ['raw strings keep their white space, even if empty', '.[]', '["  a ","","line\\nline\\n","\\ttab"]', '  a \n\nline\nline\n\n\ttab\n'],
  ['numbers stay as the API wrote them', '., .a, .big', '{"a":5.00,"big":12345678901234567890123}', '{"a":5.00,"big":12345678901234567890123}\n5.00\n12345678901234567890123\n'],
  ['a filter without output prints nothing', 'empty', '{}', ''],
  ['a filter that looks like an option or ends in a comment is a filter', '-.n # the opposite', '{"n":3}', '-3\n'],
  ['a filter does not see the environment of svc', 'env | has("SVC_TOKEN"), .USER', '{}', 'false\nweb_user\n'],
  ['in a pipe strings are exact and JSON is escaped', '.a, .', '{"a":"\\u001b[31m\\u009b"}', '\u001b[31m\u009b\n{"a":"\\u001b[31m\\u009b"}\n'],
])('%s', async (_rule, filter, json, text) => {
  expect(await textOf(filter, json)).toBe(text);
});

test('a filter that does not compile is refused in the words of jq', async () => {
  const error = await errorOf('.foo | bar');
  expect(error.code).toBe('usage');
  expect(error.message).toBe(
    'The --jq filter does not compile: bar/0 is not defined at <top-level>, line 1, column 8.',
  );
  expect(error.details.lines).toEqual(['    .foo | bar', '           ^^^']);
});

test.each(['.a) | (.b', '', '-h'])('the filter %j is refused', async (filter) => {
  expect(await errorOf(filter)).toMatchObject({ code: 'usage' });
});

test('a filter that fails on the data prints none of its outputs', async () => {
  const error = await errorOf('1, .a + 1', '{"a":"x"}');
  expect(error.code).toBe('unexpected');
  expect(error.message).toBe('The --jq filter failed on the answer: string ("x") and number (1) cannot be added');
});

test.each([
  ['halt_error without a message', '"" | halt_error', 'it gave no reason'],
  ['halt_error', '"stop here" | halt_error(7)', 'stop here'],
  ['error', 'error("no")', 'no'],
])('%s is a failure', async (_name, filter, words) => {
  expect((await errorOf(filter)).message).toBe(`The --jq filter failed on the answer: ${words}`);
});

test('messages of debug go to stderr, escaped', async () => {
  const { text, said } = await filtered('debug | .a', '{"a":1,"b":"\\u009b31m"}');
  expect(text).toBe('1\n');
  expect(said).toBe('["DEBUG:",{"a":1,"b":"\\u{9b}31m"}]\n');
});

test('on a terminal strings are escaped except for tabs and newlines, and JSON is indented', async () => {
  const json = '{"a":"\\u001b]0;x\\u0007\\tb\\n\\u202ec","b":{"c":5.00}}';
  expect(await textOf('.a, .b', json, { isTty: true })).toBe('\\u{1b}]0;x\\u{7}\tb\n\\u{202e}c\n{\n  "c": 5.00\n}\n');
});

test('an answer too large for the built-in jq is an error that suggests --json', async () => {
  // jq reserves hundreds of bytes for each object, even an empty one, and has 256 MB.
  const json = `[${'{},'.repeat(800_000)}{}]`;
  const error = await errorOf('length', json);
  expect(error.code).toBe('unexpected');
  expect(error.message).toContain('memory');
  expect(error.details.hint).toContain('--json');
});

test('a filter can be used again', async () => {
  const sink = { isTty: false } as unknown as Sink;
  const apply = await compileFilter('.n', { out: sink, err: sink, unguarded: (work) => work() });
  expect([await apply('{"n":1}'), await apply('{"n":2}')]).toEqual(['1\n', '2\n']);
});
