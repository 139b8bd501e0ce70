import { describe, expect, test } from 'vitest';
import { MEANT } from '../../src/cli/meant.ts';
import { entriesBelow } from '../../src/command/describe.ts';
import { TREE } from '../../src/commands/tree.ts';
import { stepOf } from '../../src/errors.ts';
import { shownHint } from '../support/refusal.ts';
import { svc } from '../support/svc.ts';

describe('an unknown command', () => {
  test.each([
    [
      ['domain', 'import', 'a.example'],
      'There is no command "svc domain". Did you mean "svc domains"?',
      'svc domains --help',
    ],
    [
      ['domains', 'ad'],
      'There is no command "svc domains ad". Did you mean "svc domains add"?',
      'svc domains add --help',
    ],
    [
      ['import', 'a.example'],
      'There is no command "svc import". Did you mean "svc domains import"?',
      'svc domains import --help',
    ],
    [
      ['inspect'],
      'There is no command "svc inspect". Did you mean "svc deployments inspect" or "svc db inspect"?',
      'svc deployments inspect --help',
    ],
    [['nonsense'], 'There is no command "svc nonsense".', 'svc --help'],
    [['nonsense', '--help'], 'There is no command "svc nonsense".', 'svc --help'],
    [
      ['config', 'lst'],
      'There is no command "svc config lst". Did you mean "svc config list"?',
      'svc config list --help',
    ],
    [['--org', 'a', 'domains', 'nonsense'], 'There is no command "svc domains nonsense".', 'svc domains --help'],
    [[''], 'There is no command "svc ".', 'svc --help'],
    [['help', 'nonsense'], 'There is no help on "nonsense".', 'svc help'],
    [['help', 'domains', 'ad'], 'There is no help on "domains ad".', 'svc help domains add'],
    [['help', 'exit-code'], 'There is no help on "exit-code".', 'svc help exit-codes'],
    [['help', 'domains', 'add', 'x'], 'There is no help on "domains add x".', 'svc help domains add'],
  ])('%j', async (argv, error, hint) => {
    const human = await svc(argv);
    expect(human).toMatchObject({ exitCode: 2, stdout: '', stderr: `Error: ${error}\n${shownHint(hint)}` });
    const run = await svc([...argv, '--json']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '', error: { error, hint, code: 'usage', exitCode: 2 } });
  });
});

test('a group alone is its help, on stderr', async () => {
  const { stdout: help } = await svc(['domains', '--help']);
  expect(await svc(['domains'])).toMatchObject({ exitCode: 2, stdout: '', stderr: help });
  const { error } = await svc(['domains', '--json']);
  expect(error).toMatchObject({ code: 'usage', error: '"svc domains" needs a subcommand: import, add, status.' });
});

test.each([['version'], ['-v']])('svc %s prints the version', async (word) => {
  const { stdout } = await svc(['--version']);
  expect(await svc([word])).toMatchObject({ exitCode: 0, stdout, stderr: '' });
});

test.each([
  ['signin', 'svc login'],
  ['auth login', 'svc login'],
  ['me', 'svc whoami'],
  ['switch', 'svc orgs'],
  ['databases', 'svc db --help'],
  ['orgs ls', 'svc orgs list'],
  ['logs', 'svc metrics --help'],
  ['apps', 'svc link --help'],
  ['deployments list', 'svc deployments --help'],
  ['upgrade', 'svc --version'],
])('svc %s tells what svc has instead: %s', async (words, command) => {
  const { exitCode, error } = await svc([...words.split(' '), '--json']);
  expect({ exitCode, error }).toMatchObject({
    exitCode: 2,
    error: { code: 'usage', next: expect.arrayContaining([command]) },
  });
});

test('every command that a foreign word leads to is one, and no word of the table is a command', async () => {
  for (const [words, hint] of MEANT) {
    const { say, run } = stepOf(hint);
    if (say !== undefined) expect(say).toMatch(/^[A-Zs].*\.$/);
    for (const line of run) expect((await svc([...line.split(' ').slice(1, -1), '--help'])).exitCode, line).toBe(0);
    for (const word of words.split(' ')) {
      const names = word
        .split('.')
        .slice(0, -1)
        .reduce((entries, name) => entriesBelow(entries, [name]), TREE);
      const isCommand = names.some(({ name }) => name === word.split('.').at(-1));
      expect(isCommand, `"${word}" is a command now: take it out of MEANT`).toBe(false);
    }
  }
});

describe('a mistake on the command line', () => {
  test.each([
    [['whoami', '--jsno'], '"svc whoami" has no option "--jsno". Did you mean --json?', 'svc whoami --help'],
    [['-Z'], '"svc" has no option "-Z".', 'svc --help'],
    [['whoami', '--quiet=1'], '--quiet takes no value.', 'Write --quiet alone.'],
    [['--plan', 'x', 'buy'], '--plan goes after its command.', 'For example: svc buy --plan …'],
    [['whoami', '--org'], '--org needs a value: --org <id|slug>.', 'svc whoami --help'],
    [
      ['whoami', '--org', '--json'],
      '--org needs a value, and --json is an option.',
      'If that is the value: --org=--json',
    ],
    [
      ['whoami', '--org', '--jq=.'],
      '--org needs a value, and --jq=. is an option.',
      'If that is the value: --org=--jq=.',
    ],
    [['buy', '--label', '-y'], '--label needs a value, and -y is an option.', 'If that is the value: --label=-y'],
    [['buy', '--label', '--', 'x'], '--label needs a value, and -- is an option.', 'If that is the value: --label=--'],
    [['buy', '--resume='], '--resume is empty.', 'Give --resume with a value, or alone.'],
    [['buy', '--resume', '', '--yes'], '--resume is empty.', 'Give --resume with a value, or alone.'],
    [['whoami', 'extra'], '"svc whoami" takes no argument, but was given "extra".', 'svc whoami --help'],
    [['link', 'a', 'b'], '"svc link" takes one argument, but was given "a", "b".', 'svc link --help'],
    [
      ['config', 'set', 'a', 'b', 'c'],
      '"svc config set" takes 2 arguments, but was given "a", "b", "c".',
      'svc config set --help',
    ],
    [['restart', '--org', 'a', '--org', 'b'], '--org is given twice.', 'Give --org once.'],
    [['--org', 'a', 'restart', '--org=b'], '--org is given twice.', 'Give --org once.'],
    [
      ['wp', 'run', 'x', '--wait-timeout', '1m', '--wait-timeout', '2m'],
      '--wait-timeout is given twice.',
      'Give --wait-timeout once.',
    ],
  ])('%j', async (argv, error, hint) => {
    const { exitCode, stdout, stderr } = await svc(argv);
    const written = stderr.startsWith('{')
      ? `${JSON.stringify({ error, code: 'usage', exitCode: 2, hint })}\n`
      : `Error: ${error}\n${shownHint(hint)}`;
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 2, stdout: '', stderr: written });
  });

  test('a missing argument is shown in its place', async () => {
    const { exitCode, stderr } = await svc(['domains', 'import']);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: [
        'Error: "svc domains import" needs <domain>.',
        '  Usage: svc domains import <domain...> [options]',
        'Try: svc domains import --help',
        '',
      ].join('\n'),
    });
  });

  test('the error shows the usage line of the help', async () => {
    const { exitCode, stderr } = await svc(['sandbox', 'exec']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('  Usage: svc sandbox exec [options] -- <command...>\n');
  });

  test('a path that looks like an option is not proposed as an argument', async () => {
    const { exitCode, stderr } = await svc(['api', '--list']);
    const error = ['Error: "svc api" has no option "--list".', 'Try: svc api --help', ''].join('\n');
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: error });
  });

  test('an argument that looks like an option goes after --', async () => {
    const { exitCode, stderr } = await svc(['wp', 'run', '--flush']);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: ['Error: "svc wp run" has no option "--flush".', 'Try: svc wp run --help', ''].join('\n'),
    });
    const { json } = await svc(['wp', 'run', '--service', 'svc_1', '--dry-run', '--json', '--', '--flush'], {
      env: { SVC_API_URL: 'http://127.0.0.1:1' },
    });
    expect(json).toMatchObject({ body: { action: '--flush' } });
  });

  test('the same value may be given twice', async () => {
    const { error } = await svc(['restart', '--org', 'a', '--org', 'a', '--json']);
    expect(error['error']).toContain('This command needs a service');
  });

  test('global options count on both sides of a command', async () => {
    const argv = ['--jq', '.method', 'wp', '--org', 'acme', 'run', 'x', '--dry-run', '--service', 'svc_1'];
    const run = await svc(argv, { env: { SVC_API_URL: 'http://127.0.0.1:1' } });
    expect(run).toMatchObject({ exitCode: 0, stdout: 'POST\n', stderr: '' });
  });
});
