import { expect, test } from 'vitest';
import type { Env } from '../../src/environment.ts';
import { compileFilter } from '../../src/terminal/jq.ts';
import type { Output } from '../../src/terminal/output.ts';

/** Returns the output of a filter and its messages on stderr. */
async function filtered(filter: string, json = 'null', isTty = false, env: Env = {}) {
  const said: string[] = [];
  const sink = (isTty: boolean) =>
    ({ isTty, write: async (text: string) => void said.push(text) }) as unknown as Output;
  const io = {
    out: sink(isTty),
    err: sink(false),
    withDefaultSignals: <T>(work: () => T) => work(),
  };
  const apply = await compileFilter(filter, io, env);
  return { text: await apply(json), said: said.join('') };
}

test.each([
  [
    'strings print raw, other values as JSON, one output a line',
    '.a, .b, .c',
    '{"a":"x y","b":[1,{"d":null}],"c":true}',
    'x y\n[1,{"d":null}]\ntrue\n',
  ],
  [
    'raw strings keep their white space, even if empty',
    '.[]',
    '["  a ","","line\\nline\\n"]',
    '  a \n\nline\nline\n\n',
  ],
  [
    'numbers stay as the API wrote them',
    '., .a',
    '{"a":5.00,"big":12345678901234567890123}',
    '{"a":5.00,"big":12345678901234567890123}\n5.00\n',
  ],
  ['a filter without output prints nothing', 'empty', '{}', ''],
  [
    'a filter that looks like an option or ends in a comment is a filter',
    '-.n # the opposite',
    '{"n":3}',
    '-3\n',
  ],
  [
    'in a pipe strings are exact and JSON is escaped',
    '.a, .',
    '{"a":"\\u001b[31m\\u009b"}',
    '\u001b[31m\u009b\n{"a":"\\u001b[31m\\u009b"}\n',
  ],
])('%s', async (_rule, filter, json, text) => {
  expect((await filtered(filter, json)).text).toBe(text);
});

const OWN = {
  HOME: '/home/ann',
  WANT: 'a"\\(1+1)',
  EMPTY: '',
  UNSET: undefined,
  SVC_TOKEN: 'svc_1',
  SVC_TOKEN_FILE: '/t',
  SVC_SESSION_TOKEN: 's',
};

test.each([
  ['$ENV.HOME', '/home/ann\n'],
  ['env.WANT', 'a"\\(1+1)\n'],
  ['$ENV.WANT, env.EMPTY, env.UNSET # all', 'a"\\(1+1)\n\nnull\n'],
  ['def home: env.HOME; home', '/home/ann\n'],
  ['env | keys', '["EMPTY","HOME","WANT"]\n'],
  ['env | has("SVC_TOKEN"), has("SVC_TOKEN_FILE"), has("SVC_SESSION_TOKEN")', 'false\n'.repeat(3)],
  ['.env', 'null\n'],
])('%s is that of the user, without what signs in', async (filter, text) => {
  expect((await filtered(filter, '{}', false, OWN)).text).toBe(text);
});

test.each([
  ['0 | strftime("%H:%M %Z")', '00:00 UTC\n'],
  ['0 | strftime("%%Z %Z%Z")', '%Z UTCUTC\n'],
  ['0 | strflocaltime("%H:%M %Z")', '00:00 UTC\n'],
  ['0 | localtime | strflocaltime("%H:%M %Z")', '00:00 UTC\n'],
  ['0 | localtime | mktime', '0\n'],
  ['"10:00 2020" | strptime("%H:%M %Y") | strftime("%H %Z")', '10 UTC\n'],
  ['0 | todate', '1970-01-01T00:00:00Z\n'],
])('%s is in UTC', async (filter, text) => {
  expect((await filtered(filter)).text).toBe(text);
});

test('a format of time that is no text is the error of jq', async () => {
  await expect(filtered('0 | strftime(1)')).rejects.toMatchObject({
    message: expect.stringContaining('strftime/1 requires a string format'),
  });
});

test('on a terminal strings are escaped except for tabs and newlines, and JSON is indented', async () => {
  const json = '{"a":"\\u001b]0;x\\u0007\\tb\\n\\u202ec","b":{"c":5.00}}';
  const { text } = await filtered('.a, .b', json, true);
  expect(text).toBe('\\u{1b}]0;x\\u{7}\tb\n\\u{202e}c\n{\n  "c": 5.00\n}\n');
});

// jq reserves hundreds of bytes for each object, even an empty one, and has 256 MB.
const TOO_LARGE = `[${'{},'.repeat(800_000)}{}]`;

test.each([
  ['does not compile', '.foo | bar', 'null', 'usage', 'bar/0 is not defined'],
  ['is two', '.a) | (.b', 'null', 'usage', ''],
  ['is empty', '', 'null', 'usage', ''],
  ['fails on the data after an output', '1, .a + 1', '{"a":"x"}', 'unexpected', 'cannot be added'],
  ['halts', '"stop here" | halt_error(7)', 'null', 'unexpected', 'stop here'],
  ['halts without a message', '"" | halt_error', 'null', 'unexpected', 'it gave no reason'],
  ['has too little memory', 'length', TOO_LARGE, 'unexpected', 'memory'],
])('a filter that %s is an error', async (_what, filter, json, code, words) => {
  await expect(filtered(filter, json)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(words),
  });
});

test('messages of debug go to stderr, escaped', async () => {
  expect(await filtered('debug | .a', '{"a":1,"b":"\\u009b31m"}')).toEqual({
    text: '1\n',
    said: '["DEBUG:",{"a":1,"b":"\\u{9b}31m"}]\n',
  });
});
