import fc from 'fast-check';
import { expect, test } from 'vitest';
import { against } from '../support/against.ts';
import { figure } from '../support/figure.ts';
import { tries } from '../support/property.ts';
import { bytesOf, hostileAnswer } from './hostile.ts';
import { testService } from './service.ts';
import { aboutUse, isAbout, runUse, USES } from './uses.ts';

const { numRuns, seed } = tries(1_000, 20_261_122);

/*
 * What three CI systems take for a command in a line that a step prints, ported from their sources: `ActionCommand.cs` of
 * the GitHub runner, `Command.cs` of the Azure agent, and TeamCity's documentation of service messages. They take any
 * name for a known one, and see through characters that .NET's comparisons ignore.
 */
const UNSEEN = /\u00ad|\u034f|[\u200b-\u200f]|[\u2060-\u2064]|[\ufe00-\ufe0f]|\ufeff/g;
const COLORS = /\u001b\[[\d;]*m/g;

/** `##[name data]` in older steps, anywhere in a line. */
function bracketed(line: string, prefix: string): string | undefined {
  const start = line.toLowerCase().indexOf(prefix);
  const end = start < 0 ? -1 : line.indexOf(']', start);
  return end < 0 ? undefined : line.slice(start, end);
}

/** `::name key=value::data` at the start of a line, which .NET trims. */
const colons = (line: string) => /^[\s\u0085]*::(.*)/s.exec(line)?.[1];

interface Runner {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly commandIn: (line: string) => string | undefined;
}
const RUNNERS: readonly Runner[] = [
  {
    name: 'GitHub Actions',
    env: { CI: 'true', GITHUB_ACTIONS: 'true' },
    commandIn: (line) => colons(line) ?? bracketed(line, '##['),
  },
  {
    name: 'Azure Pipelines',
    env: { TF_BUILD: 'True' },
    commandIn: (line) => bracketed(line, '##vso[') ?? bracketed(line, '##['),
  },
  { name: 'TeamCity', env: { TEAMCITY_VERSION: '2026.1' }, commandIn: (line) => bracketed(line, '##teamcity[') },
];

/** The annotation of svc's own error or warning: one line, which shows a text and does nothing else. */
const ANNOTATION = /^(?:error|warning) title=svc%3A [a-z_]+::/;

/** The commands that a runner finds in what a step prints, besides svc's own. It reads lines as .NET and Java do. */
function commandsIn(text: string, { commandIn }: Runner): readonly string[] {
  const lines = text
    .replace(COLORS, '')
    .replace(UNSEEN, '')
    .split(/\r\n|[\n\r]/);
  return lines.flatMap((line) => commandIn(line) ?? []).filter((command) => !ANNOTATION.test(command));
}

// biome-ignore format: a table
const COMMANDS = [
  '::stop-commands::pwned', ' \u00a0::error::x', '##[set-output name=live]true', '###[error]x', '\n::debug::x', '\r\n##[error]x',
  '##VSO[task.complete result=Succeeded]', '#\ufe0f#\ufe0fvso[task.x]y', "##teamcity[testFailed name='x']", 'long '.repeat(20),
];

/** Ends a login that goes on after odd answers. */
const DENIED = { status: 400, headers: {}, body: Buffer.from('{"error":"access_denied"}') };

/** Some servers begin JSON with a byte order mark, which svc leaves out. */
const parsed = (body: Buffer): unknown => JSON.parse(body.toString().replace(/^\uFEFF/, ''));

/** Puts commands of runners into the texts and names of an answer. */
function withCommands(body: Buffer, commands: readonly string[]): Buffer {
  let count = 0;
  const next = () => commands[count++ % commands.length] ?? '';
  const change = (value: unknown): unknown => {
    if (typeof value === 'string') return count % 3 === 2 ? value + next() : `${next()}${value}`;
    if (Array.isArray(value)) return value.map(change);
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(value).map(([name, inner]) => [name, change(inner)] as const);
    return Object.fromEntries([...fields, [next(), next()]]);
  };
  try {
    return Buffer.from(JSON.stringify(change(parsed(body))));
  } catch {
    return body;
  }
}

test(`no runner finds a command in ${numRuns} answers (seed ${seed})`, async () => {
  const service = await testService();
  const anyCase = fc
    .record({
      use: fc.constantFrom(...USES),
      look: fc.constantFrom<string[]>([], ['--json'], ['--debug'], ['--json', '--debug']),
      runner: fc.constantFrom(...RUNNERS),
      color: fc.constantFrom({}, { FORCE_COLOR: '1' }),
      commands: fc.array(fc.constantFrom(...COMMANDS), { minLength: 1, maxLength: 6 }),
    })
    .chain((one) => fc.tuple(fc.constant(one), hostileAnswer(one.use)));
  const property = fc.asyncProperty(anyCase, async ([{ use, look, runner, color, commands }, answer]) => {
    const body = withCommands(answer.body, commands);
    const isPoll = use.operation.name === 'pollDeviceLogin';
    const hostile = bytesOf({ ...answer, body });
    const isOver = () => isPoll && service.requests.filter((request) => isAbout(use, request)).length > 3;
    service.expect(aboutUse(use, ({ socket }) => void socket.end(isOver() ? bytesOf(DENIED) : hostile)));
    const run = await runUse(use, service, ['--no-retry', ...look], { env: { ...runner.env, ...color } });
    expect([...commandsIn(run.stdout, runner), ...commandsIn(run.stderr, runner)]).toEqual([]);
    const isShown = look.includes('--json') && run.exitCode === 0 && use.operation.credentials !== 'none';
    if (isShown) expect(run.json).toEqual(parsed(body));
    service.drop();
  });
  await fc.assert(property, { numRuns, seed, timeout: 20_000 });
  figure('CI runners', numRuns, `seed ${seed}`);
}, 3_600_000);

const TEXT = 'Fix ##[error]x, ##VSO[task.x]y, ##teamcity[z], see #12 and a::b';
const SHOWN = 'Fix \\u{23}#[error]x, \\u{23}#VSO[task.x]y, \\u{23}#teamcity[z], see #12 and a::b';
const DEPLOYMENT = { deployment: { id: 'dep_1', status: 'live', commit: { message: TEXT }, note: TEXT } };
const INSPECT = 'deployments inspect dep_1 --service s1';
const ANSWERS = { 'GET /v1/services/s1/deployments/dep_1': [DEPLOYMENT] };

test.each(RUNNERS)('on $name a command is text, and what is printed for programs keeps its value', async (runner) => {
  const { env } = runner;
  const printed = async (line: string) => (await against(line, ANSWERS, { env })).stdout;
  expect(await printed(INSPECT)).toContain(SHOWN);
  const json = await printed(`${INSPECT} --json`);
  for (const text of ['\\u0023\\u0023[error]x', 'a\\u003a\\u003ab']) expect(json).toContain(text);
  expect(JSON.parse(json)).toEqual(DEPLOYMENT);
  expect(await printed(`${INSPECT} --jq .deployment.note`)).toBe(`${TEXT}\n`);
  const both = { ...ANSWERS, 'GET /v1/services/s1/deployments/dep_2': [DEPLOYMENT] };
  const cells = await against(`${INSPECT.replace('dep_1', 'dep_1 dep_2')} --csv`, both, { env });
  expect([commandsIn(cells.stdout, runner), cells.stdout.includes('\\u{23}#[error]x')]).toEqual([[], true]);
});

test('elsewhere nothing is changed', async () => {
  for (const env of [{}, { GITHUB_ACTIONS: '' }, { TF_BUILD: 'false' }]) {
    for (const look of ['', ' --json']) {
      expect((await against(INSPECT + look, ANSWERS, { env })).stdout).toContain(TEXT);
    }
  }
});

test.each([
  ['whoami', /^::error title=svc%3A not_found::50[^\n]+\nError: /],
  ['whoami --json', /^\{"error"/],
])('on GitHub Actions an error is an annotation unless JSON is asked for: svc %s', async (line, expected) => {
  const answers = { 'GET /v1/user': [[404, { error: '50%\r\n::stop-commands::x' }] as const] };
  const run = await against(line, answers, { env: { GITHUB_ACTIONS: 'true' } });
  expect(run).toMatchObject({ exitCode: 6, stdout: '', stderr: expect.stringMatching(expected) });
});
