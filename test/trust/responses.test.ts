import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EXIT_CODES } from '../../src/errors.ts';
import { isObject } from '../../src/json/values.ts';
import { figure } from '../support/figure.ts';
import { tries } from '../support/property.ts';
import type { Run } from '../support/svc.ts';
import { bytesOf, type HostileAnswer, harmfulIn, hostileAnswer } from './hostile.ts';
import { testService } from './service.ts';
import { aboutUse, runUse, SECRETS, USES, type Use } from './uses.ts';

const { numRuns, seed } = tries(600, 20_260_402);
const FEWER = Math.ceil(numRuns / 2);

/** A case that takes longer hangs. */
const LONGEST_MS = 120_000;

/** How the answer is looked at; on a terminal quietly, because a spinner needs a real one. */
const LOOKS = { 'in a pipe': [], 'as JSON': ['--json'], 'with --debug': ['--debug'], 'on a terminal': ['--quiet'] };
const TERMINAL = { terminal: { columns: 72, rows: 24 }, env: { TERM: 'xterm-256color' } };
type Look = keyof typeof LOOKS;

const anyCase = fc
  .tuple(fc.constantFrom(...USES), fc.constantFrom(...(Object.keys(LOOKS) as Look[])))
  .chain(([use, look]) => fc.tuple(fc.constant(use), fc.constant(look), hostileAnswer(use)));

test(`${numRuns} hostile answers do no harm (seed ${seed})`, async () => {
  const service = await testService();
  await fc.assert(
    fc.asyncProperty(anyCase, async ([use, look, answer]) => {
      const bytes = bytesOf(answer);
      service.expect(aboutUse(use, ({ socket }) => void socket.end(bytes)));
      const more = look === 'on a terminal' ? TERMINAL : {};
      // A person would end the records that they type with Ctrl-D.
      const typed = use.stdin === undefined ? {} : { stdin: new PassThrough().end(use.stdin) };
      const run = await runUse(use, service, ['--no-retry', ...LOOKS[look]], { ...more, ...typed });
      expectNoBug(run);
      expect([harmfulIn(run.stdout), harmfulIn(run.stderr)]).toEqual([undefined, undefined]);
      expectNoSecret(use, run, look);
      if (run.exitCode === 0) expectRealSuccess(use, run, answer, look);
      else if (look === 'as JSON') expectErrorObject(run);
      service.drop();
    }),
    { numRuns, seed, timeout: LONGEST_MS },
  );
  figure('Hostile answers', numRuns, `seed ${seed}`);
}, 3_600_000);

/** Other command lines that read the same answers, some of them as a part of their work. */
const READERS: readonly Use[] = [
  ...['orgs list', 'doctor', 'api /v1/user --include', 'login --with-token'].map((line) => reader('getUser', line)),
  reader('getDatabase', 'db connect db_1'),
  ...['import example.com --format zone', 'import example.com --output plan.json'].map((words) =>
    reader('scanDomain', `domains ${words}`),
  ),
  reader('scanDomain', 'domains add example.com --service s1 --import --skip-invalid --yes'),
  reader('runAction', 'wp run cache-flush --service s1 --wait --wait-timeout 5s'),
  ...['', ' --csv', ' --fail-if cpu>80', ' --output usage.svg'].map((more) =>
    reader('getMetricsHistory', `metrics s1${more}`),
  ),
];

function reader(name: string, line: string): Use {
  const use = USES.find(({ operation }) => operation.name === name);
  if (use === undefined) throw new Error(`there is no ${name}`);
  return { ...use, argv: line.split(' '), ...(line.includes('--with-token') && { stdin: SECRETS.token }) };
}

const anyReading = fc
  .constantFrom(...READERS)
  .chain((use) => fc.tuple(fc.constant(use), fc.array(hostileAnswer(use), { minLength: 1, maxLength: 3 })));

test(`${FEWER} hostile answers do no harm to other readers of them either`, async () => {
  const service = await testService();
  await fc.assert(
    fc.asyncProperty(anyReading, async ([use, answers]) => {
      const left = answers.map(bytesOf);
      service.expect(({ socket }) => void socket.end((left.length > 1 ? left.shift() : left[0]) ?? ''));
      const run = await runUse(use, service, ['--no-retry'], { env: { PATH: '/nonexistent' } });
      expect(run.stderr).not.toContain('did not expect');
      expect([harmfulIn(run.stdout), harmfulIn(run.stderr)]).toEqual([undefined, undefined]);
      // Zone files, tables of values and answers of svc api are what the platform says.
      if (!['api', 'domains', 'metrics'].includes(use.argv[0] ?? '')) expectNoSecret(use, run, 'in a pipe');
      service.drop();
    }),
    { numRuns: FEWER, seed, timeout: LONGEST_MS },
  );
  figure('Hostile answers', FEWER, `to other readers, seed ${seed}`);
}, 3_600_000);

function expectNoBug({ exitCode, stderr }: Run): void {
  const { interrupted, ...expected } = EXIT_CODES;
  const codes = Object.values(expected).map(({ exit }): number => exit);
  expect([0, ...codes].filter((code) => code !== interrupted.exit)).toContain(exitCode);
  expect(stderr).not.toContain('did not expect');
}

/** A known secret is never shown, not even if the platform repeats it; only --json prints the answer as it came. */
function expectNoSecret({ operation }: Use, { stdout, stderr }: Run, look: Look): void {
  const { token, password, deviceCode, issuedToken } = SECRETS;
  if (operation.name === 'startDeviceLogin') return;
  const isPoll = operation.name === 'pollDeviceLogin';
  const shown = look === 'as JSON' && !isPoll ? stderr : stdout + stderr;
  for (const secret of isPoll ? [deviceCode, issuedToken] : [token]) expect(shown).not.toContain(secret);
  if (look !== 'as JSON') expect(shown).not.toContain(password);
}

/** A success is a 2xx with a whole JSON object (a list of usage points will do), and for a login with what it needs. */
function expectRealSuccess({ operation }: Use, run: Run, { status, headers, body }: HostileAnswer, look: Look): void {
  expect([status >= 200, status < 300]).toEqual([true, true]);
  if (operation.credentials === 'none') expect(body.toString()).toMatch(NEEDED_TO_SIGN_IN);
  else {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    expect(isObject(value) || (operation.name === 'getMetricsHistory' && Array.isArray(value))).toBe(true);
    expect(headers['content-encoding'] ?? 'identity').toMatch(/^\s*identity\s*$/i);
    if (operation.name === 'restartService') expect(value['success']).not.toBe(false);
    if (look === 'as JSON') expect(run.json).toEqual(value);
  }
}

const NEEDED_TO_SIGN_IN = /"token":|"deviceCode":/;

function expectErrorObject(run: Run): void {
  const isOneObject = isObject(run.error) && run.error['exitCode'] === run.exitCode;
  expect(isOneObject, run.stderr).toBe(true);
  // An answer that says something bad, or nothing for certain, stays on stdout; a login has begun when it fails.
  const isSaid = run.exitCode === EXIT_CODES.failed.exit || run.error['outcome'] === 'unknown';
  if (run.stdout === '' || isSaid) return;
  expect(run.stdout).toMatch(/^\{"event":"login_pending"[^\n]*\n$/);
}
