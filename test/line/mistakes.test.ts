import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TREE } from '../../src/commands/tree.ts';
import { type Command, type Entry, isGroup } from '../../src/kit/define.ts';
import { entriesBelow } from '../../src/kit/describe.ts';
import { MEANT } from '../../src/line/meant.ts';
import { tries } from '../support/property.ts';
import { shownHint } from '../support/refusal.ts';
import { svc } from '../support/svc.ts';

describe('an unknown command', () => {
  test.each([
    [
      ['domain', 'import', 'a.example'],
      'There is no command "svc domain". Did you mean "svc domains import"?',
      'svc domains import a.example',
    ],
    [
      ['domains', 'imprt', 'a b'],
      'There is no command "svc domains imprt". Did you mean "svc domains import"?',
      "svc domains import 'a b'",
    ],
    [
      ['import', 'a.example'],
      'There is no command "svc import". Did you mean "svc domains import"?',
      'svc domains import a.example',
    ],
    [
      ['inspect'],
      'There is no command "svc inspect". Did you mean "svc deployments inspect" or "svc db inspect"?',
      'svc deployments inspect',
    ],
    [
      ['domains', 'ad', 'a.example', '--import'],
      'There is no command "svc domains ad". Did you mean "svc domains add"?',
      'svc domains add --help',
    ],
    [['restrat', 's1'], 'There is no command "svc restrat". Did you mean "svc restart"?', 'svc restart --help'],
    [['wpp', 'run', 'cache.flush'], 'There is no command "svc wpp". Did you mean "svc wp run"?', 'svc wp run --help'],
    [['nonsense'], 'There is no command "svc nonsense".', 'svc --help'],
    [['nonsense', '--help'], 'There is no command "svc nonsense".', 'svc --help'],
    [['config', 'lst'], 'There is no command "svc config lst". Did you mean "svc config list"?', 'svc config list'],
    [['--org', 'a', 'domains', 'nonsense'], 'There is no command "svc domains nonsense".', 'svc domains --help'],
    [[''], 'There is no command "svc ".', 'svc --help'],
    [['help', 'nonsense'], 'There is no help on "nonsense".', 'svc help'],
    [['help', 'domians'], 'There is no help on "domians".', 'svc help domains'],
    [['help', 'domains', 'adx'], 'There is no help on "domains adx".', 'svc help domains add'],
    [['help', 'domains', 'add', 'xyzzy'], 'There is no help on "domains add xyzzy".', 'svc help domains add'],
  ])('%j', async (argv, error, hint) => {
    const human = await svc(argv);
    expect(human).toMatchObject({ exitCode: 2, stdout: '', stderr: `Error: ${error}\n${shownHint(hint)}` });
    const typed = hint.startsWith('svc help') || hint.endsWith('--help') ? hint : `${hint} --json`;
    const run = await svc([...argv, '--json']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '', error: { error, hint: typed, code: 'usage', exitCode: 2 } });
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
  ['signin', 'svc login --help'],
  ['auth login', 'svc login --help'],
  ['me', 'svc whoami'],
  ['switch', 'svc orgs'],
  ['databases', 'svc db --help'],
  ['orgs ls', 'svc orgs list'],
  ['logs', 'svc metrics --help'],
  ['apps', 'svc link --help'],
  ['deployments list', 'svc deployments --help'],
  ['upgrade', 'svc help upgrading'],
  ['changelog', 'svc help changelog'],
  ['restore', 'svc open --help'],
  ['start', 'svc open --help'],
  ['stop', 'svc open --help'],
  ['scale', 'svc open --help'],
  ['signout', 'svc logout --help'],
])('svc %s tells what svc has instead: %s', async (words, command) => {
  const { exitCode, error } = await svc([...words.split(' '), '--json']);
  expect({ exitCode, error }).toMatchObject({
    exitCode: 2,
    error: { code: 'usage', next: expect.arrayContaining([command]) },
  });
});

test.each([
  ['whoami -o json', '--json'],
  ['orgs list --format json', '--json'],
  ['restart svc_1 --wait', 'svc wp run'],
  ['metrics --limit 5', '--jq'],
  ['restart svc_1 --force', '--yes'],
  ['whoami --token x', 'SVC_TOKEN'],
  ['status --site x', '--service <id>'],
])('svc %s tells which option svc has instead: %s', async (line, meant) => {
  const { exitCode, stderr } = await svc(line.split(' '));
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(meant) });
});

/** The commands of all files, by their words, with what they do. */
async function commandsOf(entries: readonly Entry[], before: readonly string[] = []): Promise<[string, Command][]> {
  const found = entries.map(async (entry): Promise<[string, Command][]> => {
    const path = [...before, entry.name];
    if (isGroup(entry)) return commandsOf(entry.children, path);
    return [[path.join(' '), (await entry.load()).default]];
  });
  return (await Promise.all(found)).flat();
}

const isHarmful = ({ effect, forgets }: Command) => forgets === true || (effect !== 'reads' && effect !== 'local');

/** The words of a line that name commands: those before an option or a placeholder. */
const named = (line: string) =>
  line
    .split(' ')
    .slice(1)
    .join(' ')
    .replace(/^help .*/, 'help')
    .replace(/ ?(?:--|<).*/, '');

describe('words of other command lines', () => {
  test('none is a command of svc', () => {
    for (const word of MEANT.flatMap(([words]) => words.split(' '))) {
      const path = word.split('.');
      expect(
        entriesBelow(TREE, path.slice(0, -1)).map(({ name }) => name),
        word,
      ).not.toContain(path.at(-1));
    }
  });

  test('what they lead to exists, also in the middle of a sentence, and changes nothing', async () => {
    const commands = new Map(await commandsOf(TREE));
    const isGroupOf = (path: string) => entriesBelow(TREE, path.split(' ')).length > 0;
    for (const [words, lines, say = ''] of MEANT) {
      const run = lines.split(', ');
      if (say !== '') expect(say).toMatch(/^[A-Zs].*\.$/);
      expect(run.length, words).toBeGreaterThan(0);
      const inSentence = [...say.matchAll(/\bsvc (?:(?:[a-z]+(?: (?=[a-z]))?)+)/g)].map(([line]) => line);
      for (const line of run) {
        const command = commands.get(named(line));
        expect(command !== undefined || named(line) === '' || isGroupOf(named(line)), line).toBe(true);
        if (command !== undefined && !/ --(?:help|pending)$/.test(line)) expect(isHarmful(command), line).toBe(false);
      }
      for (const line of inSentence) {
        const first = line.split(' ')[1] ?? '';
        const isVerb = /^(?:cannot|does|shows|lists)$/.test(first);
        expect(isVerb || TREE.some(({ name }) => name === first), line).toBe(true);
      }
    }
  });
});

test('a mistyped command is answered with the whole line, or with the help of one that changes or forgets something', async () => {
  const commands = await commandsOf(TREE);
  const paths = commands.map(([path]) => path);
  const edit = fc.record({
    path: fc.constantFrom(...paths),
    at: fc.nat(20),
    letter: fc.constantFrom('', 'a', 'e', 'x', 's'),
    more: fc.array(
      fc.stringMatching(/^[a-z0-9.-]{1,8}$/).filter((word) => !word.startsWith('-')),
      { maxLength: 2 },
    ),
  });
  await fc.assert(
    fc.asyncProperty(edit, async ({ path, at, letter, more }) => {
      const words = path.split(' ');
      const index = at % words.length;
      const word = words[index] ?? '';
      const place = at % word.length;
      words[index] = word.slice(0, place) + letter + word.slice(place + 1);
      const isCommand = words.some((_, end) => paths.includes(words.slice(0, end + 1).join(' ')));
      fc.pre(!isCommand && words.every((one) => one !== ''));
      const { error } = await svc([...words, ...more, '--json']);
      const next = (error['next'] ?? []) as readonly string[];
      const [line = ''] = next.filter((one) => one.endsWith(' --json'));
      for (const [harmful, command] of commands) {
        if (isHarmful(command)) expect(line.startsWith(`svc ${harmful} `), line).toBe(false);
      }
      if (line !== '') for (const one of more) expect(line.split(' ')).toContain(one);
    }),
    tries(600, 61),
  );
});

describe('a mistake on the command line', () => {
  test.each([
    [['whoami', '--jsno'], '"svc whoami" has no option "--jsno". Did you mean --json?', 'svc whoami --json'],
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
