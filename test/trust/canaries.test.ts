import { expect, test } from 'vitest';
import { type Entry, isGroup } from '../../src/cli/define/define.ts';
import { TREE } from '../../src/commands/tree.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { fakeClock } from '../support/clock.ts';
import { testWorld } from '../support/dns-world.ts';
import { figure } from '../support/figure.ts';
import { inTurn } from '../support/property.ts';
import { type Run, svc } from '../support/svc.ts';
import { type Act, resetConnection, send } from '../support/wire-plan.ts';
import type { WireRecord } from '../support/wire-record.ts';
import { testService } from './service.ts';
import { newPlace, SESSION, type Step } from './session.ts';
import { isAbout, SECRETS, USES } from './uses.ts';

type Secret = keyof typeof SECRETS;

/** Ways in which each secret could be written somewhere. */
const SPELLINGS = (Object.entries(SECRETS) as [Secret, string][]).map(([name, secret]) => {
  const texts = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    secret.replace(/^\+/, ''),
  ];
  const bytes = Buffer.from(secret);
  return [
    name,
    [...texts, bytes.toString('base64').replace(/=+$/, ''), bytes.toString('hex')],
  ] as const;
});

/** Where each secret belongs. */
const BELONGS: Readonly<Record<Secret, readonly string[]>> = {
  token: ['header authorization', 'file config/credentials.json'],
  issuedToken: ['header authorization', 'file config/credentials.json'],
  deviceCode: [`body of POST ${OPERATIONS.pollDeviceLogin.path}`, 'file config/pending-login.json'],
  password: [],
  phone: [`body of POST ${OPERATIONS.createOrder.path}`, 'file config/orders.json'],
};

/** Everything that a command line wrote or sent, with where it did. */
function placesOf(
  { stdout, stderr }: Run,
  requests: readonly WireRecord[],
  files: readonly (readonly [string, string])[],
) {
  const ofRequests = requests.flatMap(({ method, path, target, headers, body }) => [
    [`target of ${method} ${path}`, target] as const,
    [`body of ${method} ${path}`, body] as const,
    ...Object.entries(headers).map(([name, value]) => [`header ${name}`, String(value)] as const),
  ]);
  const ofFiles = files.map(([name, content]) => [`file ${name}`, `${name}\n${content}`] as const);
  return [['stdout', stdout] as const, ['stderr', stderr] as const, ...ofRequests, ...ofFiles];
}

function leaksOf(places: ReturnType<typeof placesOf>, step: Step, look: string): string[] {
  return SPELLINGS.flatMap(([name, all]) => {
    // Scripts get what the platform says, and with --dry-run what it would be told, as it is.
    const isAsItIs = look === '--json' && step.argv[0] !== 'login';
    const prints = step.prints?.includes(name) || isAsItIs ? ['stdout'] : [];
    // Its error object too.
    if (name === 'password' && look === '--json') prints.push('stderr');
    const allowed = [...BELONGS[name], ...prints];
    return places
      .filter(
        ([where, text]) =>
          !allowed.includes(where) && all.some((spelling) => text.includes(spelling)),
      )
      .map(([where]) => `${name} in ${where} after svc ${step.argv.join(' ')} ${look}`);
  });
}

const URL_WITH_PASSWORD = `postgres://ann:${encodeURIComponent(SECRETS.password)}@db.example/shop`;

/** A password as the answers of a careless service may hold it. */
const HANDED_OUT = {
  env: {
    DB_PASSWORD: SECRETS.password,
    DATABASE_URL: URL_WITH_PASSWORD,
    nested: { apiKey: SECRETS.password },
  },
  more: { first: { name: 'DB_PASSWORD', value: SECRETS.password } },
  note: `connected to ${URL_WITH_PASSWORD}`,
};

/**
 * What a service can do that wants its callers to show what they have: it says again all that it
 * was told.
 */
const MANNERS: Readonly<
  Record<string, (good: object, heard: string) => readonly [status: number, body: object]>
> = {
  'answers well': (good) => [200, good],
  'repeats what it hears': (good, heard) => [200, { ...good, heard }],
  'hands out secrets': (good) => [200, { ...good, ...HANDED_OUT }],
  'hands them out in errors': () => [400, { error: `no route to ${URL_WITH_PASSWORD}` }],
  'repeats it in errors': (_, heard) => [400, { error: `wrong: ${heard}`, heard }],
};

function behaving(manner: string, step: Step): Act {
  return ({ request, response, socket }) => {
    const use = USES.find((one) => isAbout(one, request));
    if (step.loses && use?.operation.name === 'createOrder') return resetConnection(socket);
    const isJob = request.path.includes('/actions/');
    const good = isJob ? { jobId: 'job_1', status: 'completed' } : (use?.good ?? { ok: true });
    const heard = [...Object.values(request.headers), request.body, request.target].join(' ');
    const isLogin = request.path.startsWith('/v1/auth/');
    const [status = 501, body] = MANNERS[isLogin ? 'answers well' : manner]?.(good, heard) ?? [];
    return send(response, status, body);
  };
}

const LOOKS = ['', '--json', '--debug'];

test.each(Object.keys(MANNERS).map((manner, index) => [manner, index] as const))(
  'over a session of every command, no secret is where it does not belong: the platform %s',
  async (manner, index) => {
    const service = await testService();
    const { host, port } = await testWorld(() => ({
      parent: ['ns1.new.test'],
      resolver: ['ns1.new.test'],
    }));
    let looked = 0;
    for (const session of inTurn([...LOOKS.keys()], index)) {
      const { configDir, cwd, path, root, files } = await newPlace();
      for (const [number, step] of SESSION.entries()) {
        // Each step is looked at in another way, and in all ways over the manners.
        const look = LOOKS[(session + number) % LOOKS.length] ?? '';
        service.expect(behaving(manner, step));
        const env = { PATH: path, SVC_DNS_SERVER: `${host}:${port}`, HOME: root };
        const token = step.signedIn === false ? null : SECRETS.token;
        const more = step.stdin === undefined ? {} : { stdin: step.stdin };
        const argv = look === '' ? step.argv : [...step.argv, look];
        const run = await svc(argv, {
          url: service.url,
          token,
          clock: fakeClock(),
          configDir,
          cwd,
          env,
          ...more,
        });
        expect(run.stderr, step.argv.join(' ')).not.toContain('did not expect');
        const isFine = manner === 'answers well' || manner === 'hands out secrets';
        // An audit passes no scan that has secrets beside its records.
        // To doctor, the Date of the answers says that the token has ended: the clock here is older.
        if (isFine)
          expect(
            step.argv[0] === 'doctor' ? [9] : [0, 2, 8, 12],
            `${step.argv.join(' ')}\n${run.stderr}`,
          ).toContain(run.exitCode);
        const places = placesOf(run, service.requests, files());
        expect(leaksOf(places, step, look)).toEqual([]);
        looked += places.length;
      }
    }
    figure('Secret canaries', looked, 'places looked at');
  },
);

test('the session has every command', () => {
  const leaves = (entries: readonly Entry[], path = ''): string[] =>
    entries.flatMap((entry) =>
      isGroup(entry) ? leaves(entry.children, `${entry.name} `) : `${path}${entry.name}`,
    );
  // The sandbox has tokens of its own, which are of no use elsewhere.
  const commands = leaves(TREE).filter((command) => !command.startsWith('sandbox '));
  const lines = SESSION.map(({ argv }) => argv.join(' '));
  const missing = commands.filter(
    (command) => !lines.some((line) => `${line} `.startsWith(`${command} `)),
  );
  expect(missing, 'add a step for these to test/trust/session.ts').toEqual([]);
});
