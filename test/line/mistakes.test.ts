import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TREE } from '../../src/commands/tree.ts';
import type { Command } from '../../src/kit/define.ts';
import { entriesBelow } from '../../src/kit/describe.ts';
import { MEANT } from '../../src/line/meant.ts';
import { allCommands } from '../support/commands.ts';
import { tries } from '../support/property.ts';
import { shownHint } from '../support/refusal.ts';
import { svc } from '../support/svc.ts';

test.each([
  ['domain import a.example', 'domain', 'domains import', 'svc domains import a.example'],
  ['domains imprt a~b', 'domains imprt', 'domains import', "svc domains import 'a b'"],
  ['import a.example', 'import', 'domains import', 'svc domains import a.example'],
  ['inspect', 'inspect', 'deployments inspect" or "svc db inspect', 'svc deployments inspect'],
  ['domains ad a.example --import', 'domains ad', 'domains add', 'svc domains add --help'],
  ['restrat s1', 'restrat', 'restart', 'svc restart --help'],
  ['wpp run cache.flush', 'wpp', 'wp run', 'svc wp run --help'],
  ['nonsense --help', 'nonsense', '', 'svc --help'],
  ['config lst', 'config lst', 'config list', 'svc config list'],
  ['--org a domains nonsense', 'domains nonsense', '', 'svc domains --help'],
])('svc %s: there is no command "svc %s", but %j', async (line, unknown, meant, hint) => {
  const question = meant === '' ? '' : ` Did you mean "svc ${meant}"?`;
  await isAnswered(line, `There is no command "svc ${unknown}".${question}`, hint);
});

test.each([
  ['help nonsense', 'nonsense', 'svc help'],
  ['help domians', 'domians', 'svc help domains'],
  ['help domains adx', 'domains adx', 'svc help domains add'],
  ['help domains add xyzzy', 'domains add xyzzy', 'svc help domains add'],
])('svc %s: there is no help on %j', async (line, about, hint) => {
  await isAnswered(line, `There is no help on "${about}".`, hint);
});

/** `~` stands for a space in a word. */
async function isAnswered(line: string, error: string, hint: string) {
  const argv = line.split(' ').map((word) => word.replace('~', ' '));
  const human = await svc(argv);
  expect(human).toMatchObject({ exitCode: 2, stdout: '', stderr: `Error: ${error}\n${shownHint(hint)}` });
  const typed = hint.startsWith('svc help') || hint.endsWith('--help') ? hint : `${hint} --json`;
  const run = await svc([...argv, '--json']);
  expect(run).toMatchObject({ exitCode: 2, stdout: '', error: { error, hint: typed, code: 'usage', exitCode: 2 } });
}

test('a group alone is its help, on stderr', async () => {
  const { stdout: help } = await svc(['domains', '--help']);
  expect(await svc(['domains'])).toMatchObject({ exitCode: 2, stdout: '', stderr: help });
  const { error } = await svc(['domains', '--json']);
  expect(error).toMatchObject({ code: 'usage', error: '"svc domains" needs a subcommand: import, add, status.' });
});

test.each(['version', '-v'])('svc %s prints the version', async (word) => {
  const { stdout } = await svc(['--version']);
  expect(await svc([word])).toMatchObject({ exitCode: 0, stdout, stderr: '' });
});

test.each([
  ['auth login', 'svc login --help'],
  ['switch', 'svc orgs'],
  ['orgs ls', 'svc orgs list'],
  ['apps', 'svc link --help'],
  ['deployments list', 'svc deployments --help'],
])('svc %s tells what svc has instead: %s', async (words, command) => {
  const { exitCode, error } = await svc([...words.split(' '), '--json']);
  expect([exitCode, error['next']]).toEqual([2, expect.arrayContaining([command])]);
});

test.each([
  ['whoami -o json', '--json'],
  ['orgs list --format json', '--json'],
  ['restart svc_1 --wait', 'svc wp run'],
  ['status --site x', '--service <id>'],
])('svc %s tells which option svc has instead: %s', async (line, meant) => {
  const { exitCode, stderr } = await svc(line.split(' '));
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(meant) });
});

const COMMANDS = await allCommands();
const isHarmful = ({ effect, forgets }: Command) => forgets === true || (effect !== 'reads' && effect !== 'local');

/** The words of a line that name commands: those before an option or a placeholder. */
const named = (line: string) =>
  line
    .replace(/^svc ?/, '')
    .replace(/^help .*/, 'help')
    .replace(/ ?(?:--|<).*/, '');

const namesBelow = (path: readonly string[]) => entriesBelow(TREE, path).map(({ name }) => name);

test('no word of other command lines is a command of svc', () => {
  const paths = MEANT.flatMap(([words]) => words.split(' ')).map((word) => word.split('.'));
  expect(paths.filter((path) => namesBelow(path.slice(0, -1)).includes(path.at(-1) ?? ''))).toEqual([]);
});

test('what they lead to exists, also in the middle of a sentence, and changes nothing', () => {
  for (const [words, lines, say = 'A.'] of MEANT) {
    expect(say, words).toMatch(/^[A-Zs].*\.$/);
    for (const line of lines.split(', ')) {
      const command = COMMANDS.get(named(line));
      const hasCommands = namesBelow(named(line).split(' ')).length > 0;
      expect(command !== undefined || named(line) === '' || hasCommands, line).toBe(true);
      if (command !== undefined && !line.endsWith(' --help')) expect(isHarmful(command), line).toBe(false);
    }
    for (const [line, first = ''] of say.matchAll(/\bsvc ([a-z]+)/g)) {
      expect(/^(?:cannot|does|shows|lists)$/.test(first) || namesBelow([]).includes(first), line).toBe(true);
    }
  }
});

test('a mistyped command is answered with the whole line, or with the help of one that changes or forgets something', async () => {
  const paths = [...COMMANDS.keys()];
  const letter = fc.constantFrom('', 'a', 'e', 'x', 's');
  const more = fc.array(fc.stringMatching(/^[a-z0-9.][a-z0-9.-]{0,7}$/), { maxLength: 2 });
  const edit = fc.record({ path: fc.constantFrom(...paths), at: fc.nat(20), letter, more });
  await fc.assert(
    fc.asyncProperty(edit, async ({ path, at, ...typed }) => {
      const words = path.split(' ');
      const index = at % words.length;
      const word = words[index] ?? '';
      const place = at % word.length;
      words[index] = word.slice(0, place) + typed.letter + word.slice(place + 1);
      const isCommand = words.some((_, end) => paths.includes(words.slice(0, end + 1).join(' ')));
      fc.pre(!isCommand && words.every((one) => one !== ''));
      const { error } = await svc([...words, ...typed.more, '--json']);
      const next = (error['next'] ?? []) as readonly string[];
      const [line = ''] = next.filter((one) => one.endsWith(' --json'));
      for (const [harmful, command] of COMMANDS) {
        if (isHarmful(command)) expect(line.startsWith(`svc ${harmful} `), line).toBe(false);
      }
      if (line !== '') for (const one of typed.more) expect(line.split(' ')).toContain(one);
    }),
    tries(600, 61),
  );
});

test.each([
  ['whoami --jsno', '"svc whoami" has no option "--jsno". Did you mean --json?', 'svc whoami --json'],
  ['-Z', '"svc" has no option "-Z".', 'svc --help'],
  ['wp run --flush', '"svc wp run" has no option "--flush".', 'svc wp run --help'],
  ['whoami --quiet=1', '--quiet takes no value.', 'Write --quiet alone.'],
  ['--plan x buy', '--plan goes after its command.', 'For example: svc buy --plan …'],
  ['whoami --org', '--org needs a value: --org <id|slug>.', 'svc whoami --help'],
  ['buy --label -y', '--label needs a value, and -y is an option.', 'If that is the value: --label=-y'],
  ['buy --label -- x', '--label needs a value, and -- is an option.', 'If that is the value: --label=--'],
  ['buy --resume=', '--resume is empty.', 'Give --resume with a value, or alone.'],
  ['whoami extra', '"svc whoami" takes no argument, but was given "extra".', 'svc whoami --help'],
  ['link a b', '"svc link" takes one argument, but was given "a", "b".', 'svc link --help'],
  ['config set a b c', '"svc config set" takes 2 arguments, but was given "a", "b", "c".', 'svc config set --help'],
  ['--org a restart --org=b', '--org is given twice.', 'Give --org once.'],
])('svc %s: %s', async (line, error, hint) => {
  const stderr = `Error: ${error}\n${shownHint(hint)}`;
  expect(await svc(line.split(' '))).toMatchObject({ exitCode: 2, stdout: '', stderr });
});

test('an option is no value of the option before it, with --json either', async () => {
  const error = { error: '--org needs a value, and --json is an option.', hint: 'If that is the value: --org=--json' };
  expect(await svc(['whoami', '--org', '--json'])).toMatchObject({ exitCode: 2, stdout: '', error });
});

test.each([
  ['domains import', '"svc domains import" needs <domain>.\n  Usage: svc domains import <domain...> [options]\n'],
  ['sandbox exec', '  Usage: svc sandbox exec [options] -- <command...>\n'],
])('svc %s: a missing argument is shown in its place', async (line, said) => {
  expect(await svc(line.split(' '))).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(said) });
});

test('an argument that looks like an option goes after --, and the same value may be given twice', async () => {
  const env = { SVC_API_URL: 'http://127.0.0.1:1' };
  const flags = ['--service', 'svc_1', '--org', 'a', '--org', 'a'];
  const { json } = await svc(['wp', 'run', ...flags, '--dry-run', '--json', '--', '--flush'], { env });
  expect(json).toMatchObject({ body: { action: '--flush' } });
});
