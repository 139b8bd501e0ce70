import { expect, test } from 'vitest';
import { planWindowsCommand } from '../../../src/commands/sandbox/exec.ts';

const ENV = {
  PATH: 'C:\\one;relative;C:\\two',
  PATHEXT: '.COM;.EXE;.BAT;.CMD;.JS',
  COMSPEC: 'C:\\cmd.exe',
};

/** Finds a command on a machine with these files. */
function found(files: readonly string[], ...command: readonly string[]) {
  return planWindowsCommand(command, ENV, 'C:\\here', (path) => files.includes(path));
}

const ran = (...words: readonly string[]) => ({ words, isVerbatim: false });
const batch = (line: string) => ({
  words: ['C:\\cmd.exe', '/d', '/s', '/c', `"${line}"`],
  isVerbatim: true,
});

test('the first folder of the PATH wins, then the order of PATHEXT', () => {
  expect(found(['C:\\two\\a.exe', 'C:\\one\\a.cmd'], 'a')).toEqual(batch('"C:\\one\\a.cmd"'));
  expect(found(['C:\\one\\a.cmd', 'C:\\one\\a.exe'], 'a', '"x"')).toEqual(
    ran('C:\\one\\a.exe', '"x"'),
  );
  expect(found(['C:\\one\\a.js', 'C:\\two\\a.exe'], 'a')).toEqual(ran('C:\\two\\a.exe'));
});

test('the current folder and relative entries are not searched, but a path is', () => {
  const files = ['C:\\here\\a.exe', 'C:\\here\\relative\\a.exe'];
  expect(found(files, 'a')).toEqual(ran('a'));
  expect(found(files, '.\\a')).toEqual(ran('C:\\here\\a.exe'));
  expect(found(files, 'relative/a.exe')).toEqual(ran('C:\\here\\relative\\a.exe'));
});

test.each([
  ['--x=1', '--x=1'],
  ['two words', '^^^"two^^^ words^^^"'],
  ['a&b', '^^^"a^^^&b^^^"'],
  ['b c\\', '^^^"b^^^ c\\\\^^^"'],
  ['\\"', '^^^"\\\\\\^^^"^^^"'],
  ['%PATH%', '^^^"^^^%PATH^^^%^^^"'],
])(
  'the argument %s of a batch file is quoted for the program, for cmd, and for cmd in the file',
  (given, quoted) => {
    const file = 'C:\\my tools\\a.bat';
    expect(found([file], 'C:\\my tools\\a', given)).toEqual(batch(`"${file}" ${quoted}`));
  },
);
