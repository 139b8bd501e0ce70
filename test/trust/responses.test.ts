import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EXIT_CODES } from '../../src/errors.ts';
import { isObject } from '../../src/json/values.ts';
import { figure } from '../support/figure.ts';
import { tries } from '../support/property.ts';
import type { Run } from '../support/svc.ts';
import {
  bytesOf,
  commandsIn,
  type HostileAnswer,
  harmfulIn,
  hostileAnswer,
  RUNNERS,
} from './hostile.ts';
import { testService } from './service.ts';
import { aboutUse, runUse, SECRETS, USES, type Use } from './uses.ts';

const { numRuns, seed } = tries(900, 20_260_402);

/** How the answer is looked at; on a terminal quietly, because a spinner needs a real one. */
const LOOKS = {
  'in a pipe': [],
  'as JSON': ['--json'],
  'with --debug': ['--debug'],
  'on a terminal': ['--quiet'],
};
type Look = keyof typeof LOOKS;

/** Other command lines that read the same answers, some of them as a part of their work. */
const READERS: readonly Use[] = [
  ...readers('getUser', 'orgs list', 'doctor', 'api /v1/user --include', 'login --with-token'),
  ...readers('getDatabase', 'db connect db_1'),
  ...readers(
    'scanDomain',
    ...['--format zone', '--output plan.json'].map((more) => `domains import example.com ${more}`),
  ),
  ...readers('scanDomain', 'domains add example.com --service s1 --import --skip-invalid --yes'),
  ...readers('runAction', 'wp run cache-flush --service s1 --wait --wait-timeout 5s'),
  ...readers(
    'getMetricsHistory',
    'metrics s1',
    'metrics s1 --csv',
    'metrics s1 --fail-if cpu>80',
    'metrics s1 --output usage.svg',
  ),
];

function readers(name: string, ...lines: readonly string[]): Use[] {
  const uses = USES.filter(({ operation }) => operation.name === name);
  return uses.flatMap((use) =>
    lines.map((line) => ({ ...use, argv: line.split(' '), stdin: SECRETS.token })),
  );
}

const anyRunner = fc.constantFrom(undefined, ...RUNNERS);
const anyCase = fc
  .oneof(
    {
      weight: 2,
      arbitrary: fc.tuple(
        fc.constantFrom(...USES),
        fc.constantFrom(...(Object.keys(LOOKS) as Look[])),
      ),
    },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...READERS), fc.constant<Look>('in a pipe')) },
  )
  .chain(([use, look]) =>
    fc.tuple(fc.constant(use), fc.constant(look), hostileAnswer(use), anyRunner),
  );

test(`${numRuns} hostile answers do no harm (seed ${seed})`, async () => {
  const service = await testService();
  const property = fc.asyncProperty(anyCase, async ([use, look, answer, runner]) => {
    const bytes = bytesOf(answer);
    const isReader = READERS.includes(use);
    const does = ({ socket }: { socket: { end(bytes: Buffer): unknown } }) =>
      void socket.end(bytes);
    service.expect(isReader ? does : aboutUse(use, does));
    // A person would end the records that they type with Ctrl-D.
    const typed = use.stdin === undefined ? {} : { stdin: new PassThrough().end(use.stdin) };
    const terminal = look === 'on a terminal' ? { columns: 72, rows: 24 } : undefined;
    const env = { PATH: '/nonexistent', TERM: 'xterm-256color', ...runner?.env };
    const run = await runUse(use, service, ['--no-retry', ...LOOKS[look]], {
      env,
      terminal,
      ...typed,
    });
    expectNoBug(run);
    expect([harmfulIn(run.stdout), harmfulIn(run.stderr)]).toEqual([undefined, undefined]);
    if (runner !== undefined)
      expect([run.stdout, run.stderr].flatMap((text) => commandsIn(text, runner))).toEqual([]);
    // Zone files, tables of values and answers of svc api are what the platform says.
    if (!isReader || ['orgs', 'doctor', 'login', 'db', 'wp'].includes(use.argv[0] ?? ''))
      expectNoSecret(use, run, look);
    if (look === 'as JSON' && run.exitCode !== 0) expectErrorObject(run);
    if (run.exitCode === 0 && !isReader) expectRealSuccess(use, run, answer, look);
    service.drop();
  });
  // A case that takes longer hangs.
  await fc.assert(property, { numRuns, seed, timeout: 120_000 });
  figure('Hostile answers', numRuns, `seed ${seed}`);
}, 3_600_000);

function expectNoBug({ exitCode, stderr }: Run): void {
  const { interrupted: _, ...expected } = EXIT_CODES;
  expect([0, ...Object.values(expected).map(({ exit }): number => exit)]).toContain(exitCode);
  expect(stderr).not.toContain('did not expect');
}

/**
 * A known secret is never shown, not even if the platform repeats it; only --json prints the answer
 * as it came.
 */
function expectNoSecret({ operation }: Use, { stdout, stderr }: Run, look: Look): void {
  const { token, password, deviceCode, issuedToken } = SECRETS;
  if (operation.name === 'startDeviceLogin') return;
  const isPoll = operation.name === 'pollDeviceLogin';
  const shown = look === 'as JSON' && !isPoll ? stderr : stdout + stderr;
  for (const secret of isPoll ? [deviceCode, issuedToken] : [token])
    expect(shown).not.toContain(secret);
  if (look !== 'as JSON') expect(shown).not.toContain(password);
}

/**
 * A success is a 2xx with a whole JSON object (a list of usage points will do), and for a login
 * with what it needs.
 */
function expectRealSuccess(
  { operation }: Use,
  run: Run,
  { status, body }: HostileAnswer,
  look: Look,
): void {
  expect([status >= 200, status < 300]).toEqual([true, true]);
  if (operation.credentials === 'none') {
    expect(body.toString()).toMatch(/"token":|"deviceCode":|svc_CANARY/);
    return;
  }
  const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  expect(isObject(value) || (operation.name === 'getMetricsHistory' && Array.isArray(value))).toBe(
    true,
  );
  if (operation.name === 'restartService') expect(value['success']).not.toBe(false);
  if (look === 'as JSON') expect(run.json).toEqual(value);
}

function expectErrorObject(run: Run): void {
  expect(run.error, run.stderr).toMatchObject({ exitCode: run.exitCode });
  // An answer that says something bad, or nothing for certain, stays on stdout; a login has begun
  // when it fails.
  const isSaid = run.exitCode === EXIT_CODES.failed.exit || run.error['outcome'] === 'unknown';
  if (run.stdout !== '' && !isSaid)
    expect(run.stdout).toMatch(/^\{"event":"login_pending"[^\n]*\n$/);
}
