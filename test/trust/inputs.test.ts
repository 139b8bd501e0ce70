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

const BUY = 'buy --plan p1 --network mtn --phone +237670000042 --dry-run';
const ADD = '--service s1 --import --records - --dry-run';
/** In place of the `X` of a line. */
const inArgv = (line: string): Hole => {
  const words = line.split(' ');
  return (text) => ({ argv: words.map((word) => (word === 'X' ? text : word)) });
};
const inEnv = (name: string, line: string): Hole => {
  return (text) => ({ argv: line.split(' '), env: { [name]: text } });
};
const inStdin = (line: string): Hole => {
  return (text) => ({ argv: line.split(' '), stdin: text });
};

const HOLES: readonly Hole[] = [
  ...['X', 'domains X', 'domains import X', `domains add X ${ADD}`, 'metrics X --history', 'restart X', 'db inspect X'],
  ...['plan', 'domain', 'label', 'quantity', 'item'].map((flag) => `buy --${flag} X --dry-run`),
  ...['phone', 'network', 'promo', 'currency', 'lang', 'field', 'idempotency-key'].map((flag) => `${BUY} --${flag} X`),
  ...['api-url', 'org', 'profile', 'timeout'].map((flag) => `${BUY} --${flag} X`),
  ...['wp run X --service s1 --dry-run', 'wp run backup --service X --param a=b', 'deployments inspect X --service s1'],
  ...['wp run backup --service s1 --param X --dry-run', 'api X', 'api /v1/user -H X', 'api /v1/user --field X'],
  ...['since', 'until', 'step', 'series', 'fail-if'].map((flag) => `metrics s1 --${flag} X`),
  ...['api -X X /v1/notes --dry-run', 'link X', 'config set X s1', 'profiles use X', 'login --no-wait --name X'],
  ...['service', 'org', 'apiUrl', 'assume.metrics.start'].map((name) => `config set ${name} X`),
]
  .map(inArgv)
  .concat(
    ['buy --items - --dry-run', `domains add example.com ${ADD}`, 'login --with-token'].map(inStdin),
    ['SVC_API_URL', 'SVC_ORG', 'SVC_PROFILE', 'SVC_ASSUME', 'SVC_SESSION_TOKEN'].map((name) => inEnv(name, BUY)),
    ['SVC_TOKEN', 'SVC_SERVICE', 'HTTP_PROXY', 'NO_PROXY', 'LANG', 'TERM'].map((name) => inEnv(name, 'restart')),
  );

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
