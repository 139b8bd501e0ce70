import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { tries } from '../support/property.ts';
import { svc } from '../support/svc.ts';
import { send } from '../support/wire-plan.ts';
import { harmfulIn, hostileText } from './hostile.ts';
import { testService } from './service.ts';
import { newPlace } from './session.ts';
import { isAbout, SECRETS, USES } from './uses.ts';

const { numRuns, seed } = tries(600, 20_260_405);

const BUY = 'buy --plan p1 --network mtn --phone +237670000042 --dry-run';
const ADD = '--service s1 --import --records - --dry-run';

/** Places where somebody can put text: the `X` of a line, a variable in front of it, or stdin. None makes svc leave this machine. */
const HOLES = [
  ...['X', 'domains import X', `domains add X ${ADD}`, 'metrics X --history', 'restart X', 'db inspect X', 'api X'],
  ...['plan', 'domain', 'label', 'quantity', 'item'].map((flag) => `buy --${flag} X --dry-run`),
  ...['phone', 'network', 'promo', 'lang', 'field', 'idempotency-key', 'api-url', 'org', 'profile', 'timeout'].map(
    (flag) => `${BUY} --${flag} X`,
  ),
  ...['wp run X --service s1 --dry-run', 'wp run backup --service X --param a=b', 'deployments inspect X --service s1'],
  ...['wp run backup --service s1 --param X --dry-run', 'api /v1/user -H X', 'api /v1/user --field X'],
  ...['since', 'until', 'step', 'series', 'fail-if'].map((flag) => `metrics s1 --${flag} X`),
  ...['api -X X /v1/notes --dry-run', 'link X', 'config set X s1', 'profiles use X', 'login --no-wait --name X'],
  ...['service', 'apiUrl', 'assume.metrics.start'].map((name) => `config set ${name} X`),
  ...['buy --items - --dry-run', `domains add example.com ${ADD}`, 'login --with-token'],
  ...['SVC_API_URL', 'SVC_ORG', 'SVC_PROFILE', 'SVC_ASSUME', 'SVC_SESSION_TOKEN'].map((name) => `${name}=X ${BUY}`),
  ...['SVC_TOKEN', 'SVC_SERVICE', 'HTTP_PROXY', 'LANG', 'TERM'].map((name) => `${name}=X restart`),
];

/** Text that is nearly what is asked for, somewhere. */
// biome-ignore format: a table
const NEARLY = [
  '2026-02-30T25:61:00Z', '99999999999999999999d', 'avg(cpu)>', '1e3', '-1', '+237 67 00-00.042', '٣٤٥٦٧٨٩', 'xn--a.example', '..',
  'münchen.example.', `${'a'.repeat(64)}.example`, 'a.b/../c', '%2e%2e%2f', 'https://user:pass@127.0.0.1/', 'http://[::1]:65536/x?y#z',
  'a=b=c', ':=', 'a:={"b":[', 'plan=p,quantity=2,quantity=3', '--', '-h', '', ' ', '[{"subdomain":"@","type":"CAA","ttl":1.5}]',
  'www 3600 IN TXT "a" ; comment\n@ IN MX 10 mail',
];

const near = fc.constantFrom(...NEARLY);
const mixed = fc.tuple(near, hostileText, fc.nat({ max: 40 }));
const text = fc.oneof(
  hostileText,
  near,
  mixed.map(([one, odd, at]) => one.slice(0, at) + odd + one.slice(at)),
);

test(`${numRuns} odd inputs are taken or refused, and what is refused changes nothing (seed ${seed})`, async () => {
  const service = await testService();
  const { configDir, cwd, path } = await newPlace();
  const property = fc.asyncProperty(fc.constantFrom(...HOLES), text, async (hole, given) => {
    service.expect(({ request, response }) =>
      send(response, 200, USES.find((use) => isAbout(use, request))?.good ?? { ok: true }),
    );
    const [, name, line = ''] = /^(?:([A-Z_]+)=X )?(.*)/.exec(hole) ?? [];
    const env = { PATH: path, SVC_NO_BROWSER: '1', ...(name !== undefined && { [name]: given }) };
    const argv = line.split(' ').map((word) => (word === 'X' ? given : word));
    const more = { url: service.url, token: SECRETS.token, clock: fakeClock(), configDir, cwd, stdin: given };
    const run = await svc(argv, { ...more, env });
    const about = `${hole} ${JSON.stringify(given)}`;
    expect(run.stderr, about).not.toContain('did not expect');
    expect(harmfulIn(run.shown), about).toBeUndefined();
    const changes = service.requests.filter(({ method }) => method !== 'GET');
    if (run.exitCode === 2) expect(changes, about).toEqual([]);
    for (const { target } of service.requests) expect(target).toMatch(/^\/(?!.*\/\.{1,2}(\/|\?|$))[\x21-\x7e]*$/);
  });
  await fc.assert(property, { numRuns, seed, timeout: 120_000 });
}, 3_600_000);
