import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { tries } from '../support/property.ts';
import { type RunOptions, svc } from '../support/svc.ts';
import { send } from '../support/wire-plan.ts';
import { harmfulIn, hostileText } from './hostile.ts';
import { type Service, testService } from './service.ts';
import { newPlace } from './session.ts';
import { isAbout, SECRETS, USES } from './uses.ts';

const { numRuns, seed } = tries(600, 20_260_405);

/** A place where somebody can put text. None of them makes svc leave this machine. */
type Hole = (text: string) => Pick<RunOptions, 'env' | 'stdin'> & { readonly argv: readonly string[] };

const BUY = ['buy', '--plan', 'p1', '--network', 'mtn', '--phone', '+237670000042', '--dry-run'];
const ADD = ['domains', 'add', 'example.com', '--service', 's1', '--import', '--records', '-', '--dry-run'];
const inArgv =
  (...line: readonly string[]): Hole =>
  (text) => ({ argv: line.map((word) => (word === 'X' ? text : word)) });
const inEnv =
  (name: string, ...argv: readonly string[]): Hole =>
  (text) => ({ argv, env: { [name]: text } });
const inStdin =
  (...argv: readonly string[]): Hole =>
  (text) => ({ argv, stdin: text });

const HOLES: readonly Hole[] = [
  inArgv('X'),
  inArgv('domains', 'X'),
  ...['--plan', '--domain', '--label', '--quantity', '--item'].map((flag) => inArgv('buy', flag, 'X', '--dry-run')),
  ...['--phone', '--network', '--promo', '--currency', '--lang', '--field', '--idempotency-key'].map((flag) =>
    inArgv(...BUY, flag, 'X'),
  ),
  inStdin('buy', '--items', '-', '--dry-run'),
  inArgv('domains', 'import', 'X'),
  inArgv('domains', 'add', 'X', '--service', 's1', '--import', '--records', '-', '--dry-run'),
  inStdin(...ADD),
  inArgv('wp', 'run', 'X', '--service', 's1', '--dry-run'),
  inArgv('wp', 'run', 'backup', '--service', 'X', '--param', 'a=b'),
  inArgv('wp', 'run', 'backup', '--service', 's1', '--param', 'X', '--dry-run'),
  ...['--since', '--until', '--step', '--series', '--fail-if'].map((flag) => inArgv('metrics', 's1', flag, 'X')),
  inArgv('metrics', 'X', '--history'),
  inArgv('restart', 'X'),
  inArgv('db', 'inspect', 'X'),
  inArgv('deployments', 'inspect', 'X', '--service', 's1'),
  inArgv('api', 'X'),
  inArgv('api', '/v1/user', '-H', 'X'),
  inArgv('api', '/v1/user', '--field', 'X'),
  inArgv('api', '-X', 'X', '/v1/notes', '--dry-run'),
  ...['--api-url', '--org', '--profile', '--timeout'].map((flag) => inArgv(...BUY, flag, 'X')),
  ...['SVC_API_URL', 'SVC_ORG', 'SVC_PROFILE', 'SVC_ASSUME', 'SVC_SESSION_TOKEN'].map((name) => inEnv(name, ...BUY)),
  ...['SVC_TOKEN', 'SVC_SERVICE', 'HTTP_PROXY', 'NO_PROXY', 'LANG', 'TERM'].map((name) => inEnv(name, 'restart')),
  inArgv('link', 'X'),
  inArgv('config', 'set', 'X', 's1'),
  ...['service', 'org', 'apiUrl', 'assume.metrics.start'].map((name) => inArgv('config', 'set', name, 'X')),
  inArgv('profiles', 'use', 'X'),
  inArgv('login', '--no-wait', '--name', 'X'),
  inStdin('login', '--with-token'),
];

/** Text that is nearly what is asked for, somewhere. */
const NEARLY = [
  // Times, numbers and phones.
  ...['2026-02-30T25:61:00Z', '2026-03-29T02:30:00+01:00', '99999999999999999999d', 'avg(cpu)>', '1e3', '0x10', '-1'],
  ...['00000000000000000000000009', '+237 67 00-00.042', '٣٤٥٦٧٨٩', '6d6f7e9e-0000-4000-8000-00000000000g'],
  // Hosts, paths and addresses.
  ...['xn--a.example', 'münchen.example.', `${'a'.repeat(64)}.example`, '192.0.2.1', 'a.b/../c', '..', '%2e%2e%2f'],
  ...['https://user:pass@127.0.0.1/', 'http://[::1]:65536/x?y#z', 'socks5://127.0.0.1:1080'],
  // Fields, records and options.
  ...['a=b=c', ':=', 'a:={"b":[', '=', 'plan=p,quantity=2,quantity=3', '--', '-h', '', ' '],
  ...['[{"subdomain":"@","type":"CAA","value":"0","ttl":1.5}]', 'www 3600 IN TXT "a" ; comment\n@ IN MX 10 mail'],
];

const text = fc.oneof(
  hostileText,
  fc.constantFrom(...NEARLY),
  fc
    .tuple(fc.constantFrom(...NEARLY), hostileText, fc.nat({ max: 40 }))
    .map(([near, odd, at]) => near.slice(0, at) + odd + near.slice(at)),
);

/** Answers any request as the platform would, where it is one of the twelve. */
function answering(service: Service): void {
  service.expect(({ request, response }) =>
    send(response, 200, USES.find((use) => isAbout(use, request))?.good ?? { ok: true }),
  );
}

test(`${numRuns} odd inputs are taken or refused, and what is refused changes nothing (seed ${seed})`, async () => {
  const service = await testService();
  const { configDir, cwd, path } = await newPlace();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...HOLES), text, async (hole, given) => {
      answering(service);
      const { argv, env, stdin = '[]' } = hole(given);
      const clock = fakeClock();
      const more = { url: service.url, token: SECRETS.token, clock, configDir, cwd, stdin };
      const run = await svc(argv, { ...more, env: { PATH: path, SVC_NO_BROWSER: '1', ...env } });
      const about = `${JSON.stringify(argv)} ${JSON.stringify(env)} ${stdin}`;
      expect(run.stderr, about).not.toContain('did not expect');
      expect(harmfulIn(run.shown), about).toBeUndefined();
      const changes = service.requests.filter(({ method }) => method !== 'GET');
      if (run.exitCode === 2) expect(changes, about).toEqual([]);
      for (const { target } of service.requests) expect(target).toMatch(/^\/(?!.*\/\.{1,2}(\/|\?|$))[\x21-\x7e]*$/);
    }),
    { numRuns, seed, timeout: 120_000 },
  );
}, 3_600_000);
