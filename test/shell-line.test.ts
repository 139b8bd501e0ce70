import { expect, test } from 'vitest';
import {
  commandLine,
  posixWord,
  repeatLine,
  setVariable,
  shellWord,
  splitLine,
  unsetVariable,
} from '../src/shell-line.ts';

test.each([
  ['a@b.example', 'a@b.example', '"a@b.example"'],
  ['one,two', 'one,two', '"one,two"'],
  ['two words', "'two words'", '"two words"'],
  ["it's", "'it'\\''s'", '"it\'s"'],
  ['C:\\my files\\x', "'C:\\my files\\x'", '"C:\\my files\\x"'],
  ['C:\\Users\\x', "'C:\\Users\\x'", 'C:\\Users\\x'],
  ['my folder\\', "'my folder\\'", "'my folder\\'"],
  ['$HOME', "'$HOME'", "'$HOME'"],
  ['say "it\'s"', `'say "it'\\''s"'`, `'say "it''s"'`],
  ['‘quoted’', "'‘quoted’'", "'‘‘quoted’’'"],
  ['', "''", "''"],
  // These stand for other words in a shell.
  ['~/x', "'~/x'", '"~/x"'],
  ['{a,b}', "'{a,b}'", '"{a,b}"'],
])('a word of a line to type: %j', (word, onLinux, onWindows) => {
  expect([shellWord(word, 'linux'), shellWord(word, 'win32')]).toEqual([onLinux, onWindows]);
});

test('what is quoted for a POSIX shell is split into the same words', () => {
  const words = ['svc', '', "it's", "'", 'a b', '--param=a=b c', '$HOME', '"', '\\'];
  expect(splitLine(words.map(posixWord).join(' '))).toEqual(words);
  expect(splitLine('svc --param "a=b c" plain')).toEqual(['svc', '--param', 'a=b c', 'plain']);
});

test('variables are set and unset by lines of PowerShell on Windows', () => {
  expect(setVariable('SVC_ORG', 'a b', 'linux')).toBe("export SVC_ORG='a b'");
  expect(setVariable('SVC_ORG', "a'b", 'win32')).toBe("$env:SVC_ORG = 'a''b'");
  expect(unsetVariable('SVC_ORG', 'win32')).toBe('Remove-Item Env:SVC_ORG');
});

test.each([
  ['an option without a value is left out', { wait: false, service: undefined }, 'svc wp status j'],
  ['a switch stands alone', { wait: true }, 'svc wp status j --wait'],
  ['a list is typed once for each text', { ns: ['a', 'b'] }, 'svc wp status j --ns a --ns b'],
  ['a text like an option is no option', { resume: '-x' }, 'svc wp status j --resume=-x'],
])('in a command line %s', (_case, options, line) => {
  expect(commandLine(['wp', 'status', 'j'], options)).toBe(line);
});

test('a command line leads to the same account, and an id like an option comes last', () => {
  const target = { org: 'acme', apiUrl: 'http://127.0.0.1:9', profile: undefined };
  const line = commandLine(['orders', 'settle', '-key'], { placed: 'ord_1' }, target);

  expect(line).toBe(
    'svc orders settle --placed ord_1 --api-url http://127.0.0.1:9 --org acme -- -key',
  );
});

test('words are added to a typed line in front of its --', () => {
  expect(repeatLine(['buy', '--', '-x'], '--yes')).toBe('svc buy --yes -- -x');
});
