import fc from 'fast-check';
import { expect, test } from 'vitest';
import { figure } from '../support/figure.ts';
import { tries } from '../support/property.ts';
import { svc } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';
import { bytesOf, hostileAnswer } from './hostile.ts';
import { COMMANDS, commandsIn, RUNNERS, type Runner } from './runner-parsers.ts';
import { testService } from './service.ts';
import { aboutUse, runUse, USES } from './uses.ts';

const { numRuns, seed } = tries(1_000, 20_261_122);

const LOOKS = [[], ['--json'], ['--debug'], ['--json', '--debug']];

/** Ends a login that goes on after odd answers. */
const DENIED = {
  status: 400,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"error":"access_denied"}'),
};

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
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

test(`no runner finds a command in ${numRuns} answers (seed ${seed})`, async () => {
  const service = await testService();
  const anyCase = fc
    .record({
      use: fc.constantFrom(...USES),
      look: fc.constantFrom(...LOOKS),
      runner: fc.constantFrom(...RUNNERS),
      color: fc.boolean(),
      commands: fc.array(fc.constantFrom(...COMMANDS), { minLength: 1, maxLength: 6 }),
    })
    .chain((one) => fc.tuple(fc.constant(one), hostileAnswer(one.use)));
  await fc.assert(
    fc.asyncProperty(anyCase, async ([{ use, look, runner, color, commands }, answer]) => {
      const body = withCommands(answer.body, commands);
      const last = use.operation.name === 'pollDeviceLogin' ? DENIED : undefined;
      let count = 0;
      service.expect(
        aboutUse(use, ({ socket }) => {
          count += 1;
          socket.end(bytesOf(count > 3 && last !== undefined ? last : { ...answer, body }));
        }),
      );
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

/** A deployment whose message holds the text, as a runner's step prints it. */
async function deployment(text: string, flags: readonly string[], env: Readonly<Record<string, string>>) {
  const wire = await testWire();
  const body = { deployment: { id: 'dep_1', status: 'live', commit: { message: text }, note: text } };
  wire.on('GET', '/v1/services/s1/deployments/dep_1').reply(200, body);
  const run = await svc(['deployments', 'inspect', 'dep_1', '--service', 's1', ...flags], { url: wire.url, env });
  expect(run.exitCode, run.stderr).toBe(0);
  return { stdout: run.stdout, value: flags.includes('--json') ? run.json : undefined, body };
}

test.each(RUNNERS)('on $name a command is shown as text, and is the same value in JSON', async (runner: Runner) => {
  const text = 'Fix ##[error]x, ##vso[task.x]y, ##teamcity[z], see #12 and a::b';
  const screen = await deployment(text, [], runner.env);
  expect(screen.stdout).toContain('Fix \\u{23}#[error]x, \\u{23}#vso[task.x]y, \\u{23}#teamcity[z], see #12 and a::b');
  const json = await deployment(text, ['--json'], runner.env);
  expect(json.stdout).toContain('\\u0023\\u0023[error]x');
  expect(json.stdout).toContain('a\\u003a\\u003ab');
  expect(json.value).toEqual(json.body);
});

test.each(RUNNERS)('on $name no cell of --csv holds a command', async (runner: Runner) => {
  const wire = await testWire();
  const of = (id: string) => ({ deployment: { id, status: 'live', note: '##[error]x ##vso[y]z ##teamcity[z]' } });
  for (const id of ['d1', 'd2', 'd1', 'd2']) wire.on('GET', `/v1/services/s1/deployments/${id}`).reply(200, of(id));
  const inspect = ['deployments', 'inspect', 'd1', 'd2', '--service', 's1', '--csv'];
  const { stdout } = await svc(inspect, { url: wire.url, env: runner.env });
  expect(stdout.split('\n')).toHaveLength(4);
  expect(stdout).toContain('\\u{23}#[error]x');
  expect(commandsIn(stdout, runner)).toEqual([]);
  expect((await svc(inspect, { url: wire.url })).stdout).toContain('##[error]x ##vso[y]z');
});

test('elsewhere nothing is changed, and data for programs is changed nowhere', async () => {
  const text = 'Fix ##[error]x ::debug::y';
  for (const off of [{}, { GITHUB_ACTIONS: '' }, { TF_BUILD: 'false' }]) {
    expect((await deployment(text, [], off)).stdout).toContain(text);
    expect((await deployment(text, ['--json'], off)).stdout).toContain(text);
  }
  for (const { env } of RUNNERS) {
    expect((await deployment(text, ['--jq', '.deployment.note'], env)).stdout).toBe(`${text}\n`);
    const wire = await testWire();
    wire.on('GET', '/v1/databases/db_1').reply(200, { connectionUrl: 'mysql://u@h/d', password: '##[error]x' });
    const dotenv = await svc(['db', 'inspect', 'db_1', '--env'], { url: wire.url, env });
    const plain = await svc(['completion', 'bash'], { env: {} });
    expect((await svc(['completion', 'bash'], { env })).stdout).toBe(plain.stdout);
    expect(dotenv.stdout).toContain('##[error]x');
  }
});

test.each(RUNNERS)('warnings and errors hold no command either, on $name', async (runner: Runner) => {
  for (const flags of [[], ['--json']]) {
    const wire = await testWire();
    wire
      .on('GET', '/v1/user')
      .reply(422, { error: '::stop-commands::x', detail: '##vso[task.x]y', more: "##[error]x ##teamcity[x 'y']" });
    const run = await svc(['whoami', ...flags], { url: wire.url, env: runner.env });
    expect(commandsIn(run.stdout + run.stderr, runner)).toEqual([]);
    expect(run.stderr).toMatch(/stop-commands/);
  }
});

test('the parsers find what is printed as it came', () => {
  const found = RUNNERS.map((runner) => COMMANDS.filter((text) => commandsIn(text, runner).length > 0).length);
  expect(found).toEqual([8, 7, 1]);
});

test.each([
  [[], /^::error title=svc%3A not_found::50[^\n]+\nError: /],
  [['--json'], /^\{"error"/],
])('on GitHub Actions an error is an annotation unless JSON is asked for: %j', async (flags, expected) => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(404, { error: '50%\r\n::stop-commands::x' });
  const run = await svc(['whoami', ...flags], { url: wire.url, env: { GITHUB_ACTIONS: 'true' } });
  expect(run).toMatchObject({ exitCode: 6, stdout: '', stderr: expect.stringMatching(expected) });
});
