import fc from 'fast-check';
import { expect, test } from 'vitest';
import { against } from '../support/against.ts';
import { figure } from '../support/figure.ts';
import { tries } from '../support/property.ts';
import { svc } from '../support/svc.ts';
import { bytesOf, hostileAnswer } from './hostile.ts';
import { COMMANDS, commandsIn, RUNNERS } from './runner-parsers.ts';
import { testService } from './service.ts';
import { aboutUse, isAbout, runUse, USES } from './uses.ts';

const { numRuns, seed } = tries(1_000, 20_261_122);

const LOOKS = [[], ['--json'], ['--debug'], ['--json', '--debug']];

/** Ends a login that goes on after odd answers. */
const DENIED = { status: 400, headers: {}, body: Buffer.from('{"error":"access_denied"}') };

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
    return Buffer.from(JSON.stringify(change(JSON.parse(withoutMark(body.toString())))));
  } catch {
    return body;
  }
}

/** Some servers begin JSON with a byte order mark, which svc leaves out. */
const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

test(`no runner finds a command in ${numRuns} answers (seed ${seed})`, async () => {
  const service = await testService();
  const commands = fc.array(fc.constantFrom(...COMMANDS), { minLength: 1, maxLength: 6 });
  const [look, runner] = [fc.constantFrom(...LOOKS), fc.constantFrom(...RUNNERS)];
  const anyCase = fc
    .record({ use: fc.constantFrom(...USES), look, runner, color: fc.boolean(), commands })
    .chain((one) => fc.tuple(fc.constant(one), hostileAnswer(one.use)));
  await fc.assert(
    fc.asyncProperty(anyCase, async ([{ use, look, runner, color, commands }, answer]) => {
      const body = withCommands(answer.body, commands);
      const isPoll = use.operation.name === 'pollDeviceLogin';
      const hostile = bytesOf({ ...answer, body });
      const isOver = () => isPoll && service.requests.filter((request) => isAbout(use, request)).length > 3;
      service.expect(aboutUse(use, ({ socket }) => void socket.end(isOver() ? bytesOf(DENIED) : hostile)));
      const env = { ...runner.env, ...(color && { FORCE_COLOR: '1' }) };
      const run = await runUse(use, service, ['--no-retry', ...look], { env });
      expect(commandsIn(run.stdout, runner)).toEqual([]);
      expect(commandsIn(run.stderr, runner)).toEqual([]);
      if (look.includes('--json') && run.exitCode === 0 && use.operation.credentials !== 'none') {
        expect(run.json).toEqual(JSON.parse(withoutMark(body.toString())));
      }
      service.drop();
    }),
    { numRuns, seed, timeout: 20_000 },
  );
  figure('CI runners', numRuns, `seed ${seed}`);
}, 3_600_000);

const TEXT = 'Fix ##[error]x, ##VSO[task.x]y, ##teamcity[z], see #12 and a::b';
const SHOWN = 'Fix \\u{23}#[error]x, \\u{23}#VSO[task.x]y, \\u{23}#teamcity[z], see #12 and a::b';
const DEPLOYMENT = { deployment: { id: 'dep_1', status: 'live', commit: { message: TEXT }, note: TEXT } };
const INSPECT = 'deployments inspect dep_1 --service s1';
const ANSWERS = { 'GET /v1/services/s1/deployments/dep_1': [DEPLOYMENT] };

test.each(RUNNERS)(
  'on $name a command is text, the same value in JSON, and in no cell, warning or error',
  async (runner) => {
    const { env } = runner;
    expect((await against(INSPECT, ANSWERS, { env })).stdout).toContain(SHOWN);
    const script = await against(`${INSPECT} --json`, ANSWERS, { env });
    for (const text of ['\\u0023\\u0023[error]x', 'a\\u003a\\u003ab']) expect(script.stdout).toContain(text);
    expect(script.json).toEqual(DEPLOYMENT);
    const answers = { ...ANSWERS, 'GET /v1/services/s1/deployments/dep_2': [DEPLOYMENT] };
    const several = `${INSPECT.replace('dep_1', 'dep_1 dep_2')} --csv`;
    const { stdout } = await against(several, answers, { env });
    expect([stdout.split('\n').length, commandsIn(stdout, runner)]).toEqual([4, []]);
    expect(stdout).toContain('\\u{23}#[error]x');
    expect((await against(several, answers)).stdout).toContain('##[error]x, ##VSO');
    const body = { error: '::stop-commands::x', detail: '##vso[task.x]y', more: "##[error]x ##teamcity[x 'y']" };
    for (const line of ['whoami', 'whoami --json']) {
      const { shown } = await against(line, { 'GET /v1/user': [[422, body]] }, { env });
      expect(commandsIn(shown, runner)).toEqual([]);
      expect(shown).toMatch(/stop-commands/);
    }
  },
);

test('elsewhere nothing is changed, and data for programs is changed nowhere', async () => {
  for (const env of [{}, { GITHUB_ACTIONS: '' }, { TF_BUILD: 'false' }]) {
    for (const line of [INSPECT, `${INSPECT} --json`]) {
      expect((await against(line, ANSWERS, { env })).stdout).toContain(TEXT);
    }
  }
  const database = { connectionUrl: 'mysql://u@h/d', password: '##[error]x' };
  const plain = await svc(['completion', 'bash']);
  for (const { env } of RUNNERS) {
    expect((await against(`${INSPECT} --jq .deployment.note`, ANSWERS, { env })).stdout).toBe(`${TEXT}\n`);
    const dotenv = await against('db inspect db_1 --env', { 'GET /v1/databases/db_1': [database] }, { env });
    expect(dotenv.stdout).toContain('##[error]x');
    expect((await svc(['completion', 'bash'], { env })).stdout).toBe(plain.stdout);
  }
});

test('the parsers find what is printed as it came', () => {
  const found = RUNNERS.map((runner) => COMMANDS.filter((text) => commandsIn(text, runner).length > 0).length);
  expect(found).toEqual([8, 7, 1]);
});

test.each([
  ['whoami', /^::error title=svc%3A not_found::50[^\n]+\nError: /],
  ['whoami --json', /^\{"error"/],
])('on GitHub Actions an error is an annotation unless JSON is asked for: svc %s', async (line, expected) => {
  const answers = { 'GET /v1/user': [[404, { error: '50%\r\n::stop-commands::x' }] as const] };
  const run = await against(line, answers, { env: { GITHUB_ACTIONS: 'true' } });
  expect(run).toMatchObject({ exitCode: 6, stdout: '', stderr: expect.stringMatching(expected) });
});
