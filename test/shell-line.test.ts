import { expect, test } from 'vitest';
import { posixWord, setVariable, shellWord, unsetVariable, wordsIn } from '../src/shell-line.ts';

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
  expect(wordsIn(words.map(posixWord).join(' '))).toEqual(words);
  expect(wordsIn('svc --param "a=b c" plain')).toEqual(['svc', '--param', 'a=b c', 'plain']);
});

test('variables are set and unset by lines of PowerShell on Windows', () => {
  expect(setVariable('SVC_ORG', 'a b', 'linux')).toBe("export SVC_ORG='a b'");
  expect(setVariable('SVC_ORG', "a'b", 'win32')).toBe("$env:SVC_ORG = 'a''b'");
  expect(unsetVariable('SVC_ORG', 'win32')).toBe('Remove-Item Env:SVC_ORG');
});
