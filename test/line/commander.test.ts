import { expect, test } from 'vitest';
import { TREE } from '../../src/commands/tree.ts';
import { mayMiss, optionsOf } from '../../src/kit/command.ts';
import { type Entry, isGroup } from '../../src/kit/define.ts';
import { GLOBAL_OPTIONS } from '../../src/kit/globals.ts';
import type { Arguments, Options } from '../../src/kit/parameters.ts';
import { longName } from '../../src/kit/read-values.ts';
import { readLine } from '../../src/line/commander.ts';
import { allCommands } from '../support/commands.ts';

async function read(argv: readonly string[]) {
  const found = await readLine(argv, unread(TREE));
  if (!('line' in found)) throw new Error(`svc ${argv.join(' ')} is help`);
  return found.line;
}

/** The same commands, which take any text. */
function unread(entries: readonly Entry[]): readonly Entry[] {
  const any = <P extends Arguments | Options>(parameters: P) =>
    Object.fromEntries(Object.entries(parameters).map(([key, one]) => [key, { ...one, read: () => undefined }])) as P;
  return entries.map((entry) => {
    if (isGroup(entry)) return { ...entry, children: unread(entry.children) };
    const load = async () => {
      const command = (await entry.load()).default;
      return { default: { ...command, args: any(command.args), options: any(command.options) } };
    };
    return { ...entry, load };
  });
}

test.each([
  ['--json restart s1 --no-retry', 'restart s1', { json: [''], retry: [''] }],
  ['restart s1 s2', 'restart s1 s2', {}],
  ['wp run a --param a=b --param=c=d', 'wp run a', { param: ['a=b', 'c=d'] }],
  ['api /v1/user -Xget -qy', 'api /v1/user', { method: ['get'], quiet: [''], yes: [''] }],
  ['buy --resume', 'buy', { resume: [''] }],
  ['buy --resume key', 'buy', { resume: ['key'] }],
  ['db connect db_1 -- -c', 'db connect db_1 -c', {}],
  ['whoami --timeout -1', 'whoami', { timeout: ['-1'] }],
  ['config', 'config list', {}],
  ['', 'home', {}],
  ['--version --json', 'version', { json: [''] }],
  ['-v', 'version', {}],
  ['--help domains add', 'help domains add', {}],
])('svc %s', async (line, expected, options) => {
  const { command, texts, globals, items } = await read(line.split(' ').filter((word) => word !== ''));
  const words = items ?? Object.keys(command.args).flatMap((key) => texts.get(key) ?? []);
  expect([command.path, ...words].join(' ')).toBe(expected);
  expect(Object.fromEntries([...texts, ...globals])).toMatchObject(options);
});

test.each([...(await allCommands())])(
  'each option of svc %s is read before and behind the arguments, with a space and with an equals sign',
  async (path, command) => {
    const words = path.split(' ');
    const operands = Object.entries(command.args).flatMap(([key, one]) => (mayMiss(command, key, one) ? [] : [key]));
    for (const [key, option] of Object.entries({ ...optionsOf(command), ...GLOBAL_OPTIONS })) {
      const [name, text] = [longName(key, option), option.value === '' ? '' : 'x'];
      const ways = text === '' ? [[name]] : [[name, text], [`${name}=${text}`]];
      const lines = ways.flatMap((typed) => [
        [...words, ...typed, ...operands],
        [...words, ...operands, ...typed],
        ...(Object.hasOwn(GLOBAL_OPTIONS, key) ? [[...typed, ...words, ...operands]] : []),
      ]);
      for (const line of lines) {
        const { texts, globals } = await read(line);
        const given = [...texts].filter(([one]) => !operands.includes(one) || one === key);
        expect([...given, ...globals], line.join(' ')).toEqual([[key, [text]]]);
      }
    }
  },
);
