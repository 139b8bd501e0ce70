import { expect, test } from 'vitest';
import { type Entry, isGroup } from '../../../src/cli/define/define.ts';
import { readLine } from '../../../src/cli/read/read-line.ts';
import type { Arguments, Options } from '../../../src/cli/values/parameters.ts';
import { TREE } from '../../../src/commands/tree.ts';
import { svc } from '../../support/svc.ts';

/** The same commands, which take any text. */
function unread(entries: readonly Entry[]): readonly Entry[] {
  const any = <P extends Arguments | Options>(parameters: P) =>
    Object.fromEntries(
      Object.entries(parameters).map(([key, one]) => [key, { ...one, read: () => undefined }]),
    ) as P;
  return entries.map((entry) => {
    if (isGroup(entry)) return { ...entry, children: unread(entry.children) };
    const load = async () => {
      const command = await entry.load();
      return { ...command, args: any(command.args), options: any(command.options) };
    };
    return { ...entry, load };
  });
}

test.each([
  ['--json restart s1 --no-retry', 'restart s1', { json: [''], retry: [''] }],
  ['restart s1 s2', 'restart s1 s2', {}],
  [
    '--org=acme metrics --since 6h s1 --step=5m',
    'metrics s1',
    { org: ['acme'], since: ['6h'], step: ['5m'] },
  ],
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
  const found = await readLine(line.split(' ').filter(Boolean), unread(TREE));
  if (!('line' in found)) throw new Error('this is help');
  const { command, texts, globals, items } = found.line;
  const words = items ?? Object.keys(command.args).flatMap((key) => texts.get(key) ?? []);
  expect([command.path, ...words].join(' ')).toBe(expected);
  expect(Object.fromEntries([...texts, ...globals])).toMatchObject(options);
});

test.each([
  ['a letter less', '--label --dryrun', '--dry-run'],
  ['another hyphen', '--label --dry_run', '--dry-run'],
  ['one hyphen', '--label -dry-run', '--dry-run'],
  ['a cut name', '--label --idempotency', '--idempotency-key'],
  ['a cut name with a value', '--promo --quan=2', '--quantity'],
])('%s behind an option that wants a value is taken for an option', async (_what, line, meant) => {
  const run = await svc(['buy', '--plan', 'p1', ...line.split(' '), '--json']);

  expect(run.exitCode).toBe(2);
  expect(run.error['error']).toContain(`looks like ${meant}`);
  expect(run.error['hint']).toContain(`${line.replace(' ', '=')}`);
});
