import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT_CODE_MEANINGS, TOPICS } from '../../src/commands/help/topics.ts';
import { TREE } from '../../src/commands/tree.ts';
import { EXIT_CODES } from '../../src/errors.ts';
import { type Entry, isGroup } from '../../src/kit/define.ts';
import { helpOnProgram } from '../../src/kit/help-text.ts';
import { createScreen } from '../../src/terminal/screen.ts';
import { svc, temporaryFolder } from '../support/svc.ts';

/** The words of every command and group below `svc`. */
const PATHS = pathsOf(TREE);
const GROUPS = PATHS.filter((path) => PATHS.some((other) => other.startsWith(`${path} `)));
const LEAVES = PATHS.filter((path) => !GROUPS.includes(path));

function pathsOf(entries: readonly Entry[], before = ''): string[] {
  return entries.flatMap((entry) => {
    if (!isGroup(entry) && entry.hidden === true) return [];
    const path = `${before}${entry.name}`;
    return isGroup(entry) ? [path, ...pathsOf(entry.children, `${path} `)] : [path];
  });
}

/** What a terminal of 80 columns shows. */
async function textOf(...argv: string[]): Promise<string> {
  const terminal = { columns: 80, rows: 500 };
  const { exitCode, stdout, stderr } = await svc(argv, { terminal, env: { NO_COLOR: '1' } });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout;
}

describe('svc --help', () => {
  test('lists the commands by purpose, what to do first, and how to get more help, on 24 rows', async () => {
    const text = await textOf('--help');
    expect(text).toMatchSnapshot();
    expect(text.split('\n').length).toBeLessThanOrEqual(24);
  });

  test('is printed by -h and svc help', async () => {
    const text = await textOf('--help');
    expect([await textOf('-h'), await textOf('help')]).toEqual([text, text]);
  });

  test('is data with svc --json, like svc help --json', async () => {
    expect(JSON.parse(await textOf('--json'))).toEqual(JSON.parse(await textOf('help', '--json')));
    expect(await textOf('--jq', '.name')).toBe('svc\n');
  });

  test('loads no command', async () => {
    const entries: Entry[] = [{ name: 'broken', load: () => Promise.reject(new Error('loaded')) }];
    const screen = createScreen();
    helpOnProgram(entries, [])(screen);
    expect(JSON.stringify(screen.blocks)).toContain('broken');
  });
});

test('svc help all has a sentence for each command', async () => {
  const text = await textOf('help', 'all');
  const shown = [...text.matchAll(/^ {2}(\S+(?: \S+)?) {2,}[A-Z]/gm)].map(([, path]) => path);
  expect(shown).toEqual(LEAVES);
});

describe('svc help <word>', () => {
  test.each([
    ['not_found', '6', 'The id is mistyped'],
    ['130', 'interrupted', 'Ctrl-C'],
  ])('%s is an exit code or an error code', async (word, ...shown) => {
    const text = await textOf('help', word);
    for (const part of shown) expect(text).toContain(part);
    expect((await svc(['help', word, '--json'])).json).toMatchObject({ topic: word, exitCodes: [{}] });
  });

  const page = readFileSync(join(import.meta.dirname, '../../docs/troubleshooting.md'), 'utf8');

  test.each(Object.keys(EXIT_CODES))('%s shows its entry of docs/troubleshooting.md', async (errorCode) => {
    const [, entry = ''] = page.split(new RegExp(`### \`${errorCode}\` .*\\n\\n`));
    const { text } = (await svc(['help', errorCode, '--json'])).json as { text: string };
    expect(text.length).toBeGreaterThan(50);
    expect(entry.split(/^#/m)[0]?.trim()).toBe(text);
    const words = (all: string) => all.replaceAll(/\s+/g, ' ');
    const plain = text.replaceAll(/\s\(\[[^)]*\)\)|`/g, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    expect(words(await textOf('help', errorCode))).toContain(words(plain));
  });

  test('9 shows what each of its error codes means', async () => {
    const text = await textOf('help', '9');
    expect(text).toContain('Error code  failed');
    expect(text).toContain('Error code  alert');
    expect(text).toContain('That is no fault of svc');
    expect(await textOf('help', '0')).toBe(
      '  Exit code  0\n  Meaning    done, or accepted and continuing on its own\n\nAll of them: svc help exit-codes\n',
    );
  });

  test.each([
    ['changelog', 'CHANGELOG.md'],
    ['upgrading', 'docs/upgrading.md'],
  ])('%s is a page of the package', async (topic, path) => {
    const { json } = await svc(['help', topic, '--json']);
    expect(json).toMatchObject({ topic, text: readFileSync(join(import.meta.dirname, '../..', path), 'utf8') });
    const { stdout } = await svc(['help', topic]);
    expect(stdout.split('\n').filter((line) => /^#|\*\*|\]\(|`/.test(line))).toEqual([]);
    const shown = await textOf('help', topic);
    expect(shown.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(shown.replaceAll(/\s+/g, ' ')).toBe(stdout.replaceAll(/\s+/g, ' '));
  });

  test('a page that somebody removed is said to be missing, and the entry of a code is left out', async () => {
    const packageFolder = await temporaryFolder();
    expect(await svc(['help', 'changelog'], { packageFolder })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^Error: svc cannot read its own CHANGELOG\.md: .*\n {2}Install svc again\.\n$/),
    });
    expect((await svc(['help', 'not_found'], { packageFolder })).stdout).toContain('Meaning     it does not exist');
  });

  test.each([
    ['nameservers', 'svc help domains add'],
    ['Backup', 'svc help wp run'],
    ['SVC_TOKEN_FILE', 'svc help environment'],
    ['exit-code', 'svc help exit-codes'],
    ['domains ad', 'svc help domains add'],
  ])('%s, which is none of these, is looked for: %s', async (words, command) => {
    expect(await textOf('help', ...words.split(' '))).toContain(`  ${command} `);
    const { json } = await svc(['help', ...words.split(' '), '--json']);
    expect(json).toMatchObject({ query: words, found: expect.arrayContaining([expect.objectContaining({ command })]) });
  });

  test('shows pages with the word in their title first', async () => {
    const { found } = (await svc(['help', 'dns', '--json'])).json as { found: { command: string }[] };
    expect(found.map(({ command }) => command).slice(0, 2)).toEqual([
      'svc help domains import',
      'svc help domains status',
    ]);
  });
});

describe('the help of a command', () => {
  test('has its arguments and options, those of every command, examples and exit codes', async () => {
    expect(await textOf('domains', 'add', '--help')).toMatchInlineSnapshot(`
      "Usage: svc domains add <domain...> [options]

      Move a domain's DNS to a service: stage its records there, then switch
      nameservers at the registrar.

      Examples:
        svc domains add kola-studio.example --import  scan the domain and stage its
                                                      records
        svc domains add kola-studio.example --import --records plan.json
          stage a plan of svc domains import that you have edited
        svc domains add --domains moves.csv --import  many domains, from a list with
                                                      the columns domain, service and
                                                      records

      Arguments and options:
        domain                     apex domain, such as example.com (no www)
        --service <id>             id of the service (default: SVC_SERVICE, or the
                                   linked one)
        --import                   scan the domain's current DNS, save it as a zone
                                   file, and stage it
        --records <file>           stage these records instead: a plan, a JSON array
                                   or a zone file; - for stdin
        --skip-invalid             leave out records that the platform does not
                                   support
        --wait                     wait until the nameservers are switched and serve
                                   the records
        --wait-timeout <duration>  wait at most this long (default: 1h)
        --dry-run                  show the request without sending it
        --domains <file|->         several domains at once (svc help many)
        --csv                      as a table (svc help many)

      Exit codes:
        2   a record cannot be staged, or nobody confirmed; nothing was staged
        8   with outcome "unknown": no answer said whether the records were staged
        9   the platform refused the records or confirmed only some, --wait found that
            the move is broken, or of several domains one has DNSSEC
        10  --wait gave up before the move was complete

      Global options: svc help options
      "
    `);
  });

  test('of a group with a default shows the options of that', async () => {
    const text = await textOf('sandbox', '--help');
    expect(text).toContain('  start           Serve the sandbox on this machine until Ctrl-C (default)\n');
    expect(text).toMatch(/\n\nOptions of "svc sandbox start":\n {2}--port <number> /);
  });

  test.each(PATHS)(
    'svc %s: within 80 columns, and in a pipe a line for each option, where grep looks for it',
    async (path) => {
      const words = path.split(' ');
      const text = await textOf(...words, '--help');
      expect(text).toMatch(new RegExp(`^Usage: svc ${path}( |\n)`));
      expect(text.split('\n').filter((line) => [...line].length > 80)).toEqual([]);
      const { stdout } = await svc(['help', ...words]);
      expect(stdout.replace(/\s+/g, ' ')).toBe(text.replace(/\s+/g, ' '));
      // Text that was broken goes on below a meaning, at the column where that begins.
      expect(stdout.split('\n').filter((line) => /^ {5,}/.test(line) && !/^ {6}--/.test(line))).toEqual([]);
    },
  );

  test.each(['domains add', 'domains'])('svc %s: the same by three ways', async (path) => {
    const words = path.split(' ');
    const text = await textOf(...words, '--help');
    expect([await textOf('help', ...words), await textOf('--help', ...words)]).toEqual([text, text]);
  });

  test('has two examples', async () => {
    const below = ({ commands }: Described): Described[] => commands.flatMap((one) => [one, ...below(one)]);
    const found = below((await svc(['help', '--json'])).json as Described);
    const leaves = found.filter(({ path }) => LEAVES.includes(path.replace('svc ', '')));
    expect(leaves).toHaveLength(LEAVES.length);
    const few = leaves.filter(({ examples = [] }) => examples.length < 2).map(({ path }) => path);
    expect(few).toEqual([]);
  });

  test('every command has a line of its own in the list of its group', async () => {
    for (const group of GROUPS) {
      const text = await textOf('help', ...group.split(' '));
      const children = PATHS.filter((path) => path.replace(/ ?[^ ]+$/, '') === group).map((path) =>
        path.split(' ').at(-1),
      );
      const [, list = ''] = /^Commands:\n((?: .*\n)+)/m.exec(text) ?? [];
      const names = [...list.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name);
      expect(names).toEqual(children);
    }
    const [, all = ''] = /^Commands:\n((?: .*\n)+)/m.exec(await textOf('--help')) ?? [];
    expect(all.match(/[a-z-]+/g)).toEqual(expect.arrayContaining(PATHS.filter((path) => !path.includes(' '))));
  });

  test('goes under its term on a narrow terminal', async () => {
    const { stdout } = await svc(['restart', '--help', '--no-color'], { terminal: { columns: 40, rows: 20 } });
    expect(stdout).toContain(
      '  service, --service <id>\n    id of the service (default:\n    SVC_SERVICE, or the linked one)\n',
    );
  });

  test('sets titles, commands, options and comments apart on a terminal, by every way, unless --no-color is given', async () => {
    const terminal = { columns: 80, rows: 24 };
    const env = { TERM: 'xterm' };
    const run = async (...argv: string[]) => (await svc(argv, { terminal, env })).stdout;
    const text = await run('db', 'inspect', '--help');
    expect(text).toContain('\u001B[1mExamples:\u001B[22m\n  \u001B[1msvc db inspect db_pg_5t9w2kqe\u001B[22m ');
    expect(text).toMatch(/\n {2}\u001B\[1m--reveal\u001B\[22m +show the password\n/);
    expect(await run('help', 'db', 'inspect')).toBe(text);
    expect(await run('db', 'inspect', '--help', '--no-color')).toBe(await textOf('db', 'inspect', '--help'));
  });
});

test.each(['--version', '-V', 'whoami --version', '--version domains add'])(
  'svc %s prints the version',
  async (line) => {
    expect(await textOf(...line.split(' '))).toBe('0.0.0-test\n');
  },
);

test.each(['--version --json', '--json -V', 'version --json'])('svc %s names the build', async (line) => {
  const runtime = expect.stringMatching(/^node\//);
  const which = { version: '0.0.0-test', commit: '0123456789ab', built: '2026-11-17T09:00:00Z', runtime };
  expect((await svc(line.split(' '))).json).toMatchObject({ schemaVersion: 1, ...which });
});

describe('topics', () => {
  test.each(TOPICS.filter(({ page }) => page === undefined))('svc help $name', async ({ name, title }) => {
    const text = await textOf('help', name);
    expect(text.split('\n')[0]).toBe(title);
    expect(text.split('\n').filter((line) => [...line].length > 80)).toEqual([]);
  });

  test('the exit codes are those that commands end with', () => {
    const own = EXIT_CODE_MEANINGS.map(([exit, code]) => [code, exit]);
    expect(own).toEqual(expect.arrayContaining(Object.entries(EXIT_CODES).map(([code, { exit }]) => [code, exit])));
    const others = own.filter(([code]) => !(String(code) in EXIT_CODES));
    expect(others).toEqual([['', 0]]);
  });

  test('as data', async () => {
    const { json } = await svc(['help', 'exit-codes', '--json']);
    expect(json).toEqual({
      schemaVersion: 1,
      topic: 'exit-codes',
      exitCodes: EXIT_CODE_MEANINGS.map(([exit, code, meaning]) => ({ exit, code, meaning })),
    });
  });
});

describe('svc help --json', () => {
  test('has the whole tree, and the tables that tools need', async () => {
    const { json } = await svc(['help', '--json']);
    expect(json).toMatchObject({
      schemaVersion: 1,
      name: 'svc',
      version: '0.0.0-test',
      topics: TOPICS.map(({ name, title }) => ({ name, title })),
      exitCodes: expect.arrayContaining([{ exit: 2, code: 'usage', meaning: expect.any(String) }]),
      environment: expect.arrayContaining([{ name: 'SVC_TOKEN', meaning: expect.any(String) }]),
      assumptions: expect.arrayContaining([expect.objectContaining({ name: 'job.path' })]),
    });
    const paths = (commands: Described[]): string[] => commands.flatMap((one) => [one.path, ...paths(one.commands)]);
    expect(paths((json as Described).commands)).toEqual(PATHS.map((path) => `svc ${path}`));
  });

  test('of one command is its part of that tree', async () => {
    const whole = (await svc(['help', '--json'])).json as Described;
    const { json } = await svc(['help', 'domains', 'import', '--json']);
    const part = whole.commands.find(({ path }) => path === 'svc domains')?.commands[0];
    expect(json).toEqual({ schemaVersion: 1, ...part });
    expect(part).toMatchObject({
      path: 'svc domains import',
      usage: 'svc domains import <domain...> [options]',
      arguments: [{ name: 'domain', required: true, variadic: true, choices: [] }],
      options: expect.arrayContaining([
        expect.objectContaining({ flags: '--output <file>', long: '--output', value: 'file', repeatable: false }),
        expect.objectContaining({ flags: '--accept <code>', choices: ['not_found'], group: 'Several domains' }),
      ]),
    });
  });

  test.each([
    ['domains import --help --json', 'help domains import --json'],
    ['--json domains import example.com --output x --help', 'help domains import --json'],
    ['buy --plan metrics --jq .path -h', 'help buy --jq .path'],
    ['domains --help --jq=.path', 'help domains --jq .path'],
    ['--help --json', 'help --json'],
    ['--profile metrics whoami --help --json', 'help whoami --json'],
  ])('svc %s is svc %s', async (asked, same) => {
    const { stdout } = await svc(same.split(' '));
    expect(await svc(asked.split(' '))).toMatchObject({ exitCode: 0, stdout, stderr: '' });
  });

  test('says which options may be repeated', async () => {
    const { stdout } = await svc([
      'help',
      '--jq',
      '[.. | objects | select(.repeatable == true) | .long] | unique | join(" ")',
    ]);
    expect(stdout).toBe('--fail-if --fault --field --header --item --nameserver --param\n');
  });

  test('choices appear in the help for people', async () => {
    const { json } = await svc(['help', '--json']);
    const unnamedIn = (one: Described): string[] => {
      const things = [...(one.arguments ?? []), ...(one.options ?? [])];
      const text = things.map(({ description }) => description).join(' ');
      const unnamed = things.flatMap(({ choices }) => choices).filter((choice) => !text.includes(choice));
      return [...unnamed, ...one.commands.flatMap(unnamedIn)];
    };
    const unnamed = (json as Described).commands.flatMap(unnamedIn).filter((name) => !name.startsWith('assume.'));
    // HTTP methods explain themselves.
    expect([...new Set(unnamed)]).toEqual(['PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
  });
});

interface Thing {
  readonly description: string;
  readonly choices: readonly string[];
}

interface Described {
  readonly path: string;
  readonly arguments?: readonly Thing[];
  readonly options?: readonly Thing[];
  readonly examples?: readonly unknown[];
  readonly commands: Described[];
}
