import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { inTurn } from '../support/property.ts';
import { storedSignIn, writeSignIns } from '../support/stored.ts';
import { IN_MEMORY, svc, temporaryFolder } from '../support/svc.ts';
import { send } from '../support/wire-plan.ts';
import { testService } from './service.ts';

/**
 * The two services; profile `a` (the current one) and `a2` are signed in to the first, `b` to the
 * second.
 */
type Place = 'A' | 'B';
const HOME_OF: Readonly<Record<string, Place>> = { a: 'A', a2: 'A', b: 'B' };

/** What the flag and the variable say; `-` is nothing. */
const both = (words: string) => words.split(' ').map((word) => (word === '-' ? undefined : word));
const ADDRESSES = ['- -', 'A -', 'B -', '- A', '- B', 'A B', 'B A'].map(both) as (
  | Place
  | undefined
)[][];
const PROFILES = ['- -', 'a2 -', 'b -', 'new -', '- a2', '- b', '- new', 'b a', 'a new'].map(both);
/** The variable that signs in; the last is set to the token of profile `b`. */
const TOKENS = [
  undefined,
  'SVC_TOKEN',
  'SVC_TOKEN_FILE',
  'SVC_SESSION_TOKEN',
  'SVC_TOKEN of b',
] as const;

/** Everything that may say where a command goes, and as whom. */
interface Layout {
  readonly flagUrl?: Place | undefined;
  readonly envUrl?: Place | undefined;
  readonly flagProfile?: string | undefined;
  readonly envProfile?: string | undefined;
  readonly token?: (typeof TOKENS)[number];
}
const PLACES = ADDRESSES.flatMap(([flagUrl, envUrl]) =>
  PROFILES.map(
    ([flagProfile, envProfile]): Layout => ({ flagUrl, envUrl, flagProfile, envProfile }),
  ),
);

const FROM_STDIN = 'svc_CANARY_stdin';
const FROM_ENVIRONMENT = 'svc_CANARY_env';
const textOf = (token: string) => (token === 'SVC_TOKEN of b' ? 'svc_CANARY_b' : FROM_ENVIRONMENT);

/**
 * The rules, in words of their own: where the layout leads, or that it leads nowhere, or may not
 * take its token there.
 */
function ruling({ flagUrl, envUrl, flagProfile, envProfile, token }: Layout) {
  const address = flagUrl ?? envUrl;
  const profile = flagProfile ?? envProfile;
  const own = profile === undefined ? undefined : HOME_OF[profile];
  const contradicts = own !== undefined && address !== undefined && own !== address;
  const place = address ?? own ?? 'A';
  const stored = own === undefined ? { A: 'a', B: 'b' }[place] : profile;
  const text = token === undefined ? `svc_CANARY_${stored}` : textOf(token);
  const signIn = token === 'SVC_SESSION_TOKEN' ? `session ${text}` : text;
  const isNamed = own !== undefined && text !== `svc_CANARY_${profile}`;
  const isElsewhere = token === 'SVC_TOKEN of b' && place !== 'B';
  const isForeign = token !== undefined && (isNamed || isElsewhere);
  return { place, signIn, contradicts, isLost: contradicts || profile === 'new', isForeign };
}

async function stage() {
  const services = { A: await testService(), B: await testService() };
  const [root, cwd] = [mkdtempSync(join(IN_MEMORY, 'svc-tokens-')), await temporaryFolder()];
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, 'token'), `${FROM_ENVIRONMENT}\n`);
  // The configuration is the weakest, and nothing in the folder says where requests go, or what
  // they carry.
  const planted = {
    service: 's1',
    apiUrl: services.B.url,
    token: 'svc_CANARY_planted',
    profile: 'b',
  };
  for (const name of ['.svc.json', 'config.json'])
    writeFileSync(join(cwd, name), JSON.stringify(planted));
  writeFileSync(join(cwd, '.env'), `SVC_API_URL=${services.B.url}\nSVC_TOKEN=svc_CANARY_planted\n`);
  const signIns = Object.entries(HOME_OF).map(([name, place]) =>
    storedSignIn(name, services[place].url),
  );
  /** The exit code, and what each service was shown, as `A svc_…`. */
  const play = async (layout: Layout, line: string, stored = signIns) => {
    const configDir = mkdtempSync(join(root, 'config-'));
    writeSignIns(configDir, ...stored);
    writeFileSync(join(configDir, 'config.json'), JSON.stringify({ apiUrl: services.B.url }));
    for (const service of Object.values(services)) {
      service.expect(({ response }) =>
        send(response, 200, { user: { email: 'marie@example.com' }, success: true }),
      );
    }
    const { flagUrl, envUrl, flagProfile, envProfile, token = '' } = layout;
    const url = flagUrl ? ['--api-url', services[flagUrl].url] : [];
    const argv = [...line.split(' '), ...url, ...(flagProfile ? ['--profile', flagProfile] : [])];
    const env = {
      SVC_API_URL: envUrl && services[envUrl].url,
      SVC_PROFILE: envProfile,
      ...(token && {
        [token.replace(' of b', '')]:
          token === 'SVC_TOKEN_FILE' ? join(root, 'token') : textOf(token),
      }),
    };
    const { exitCode } = await svc(argv, { configDir, cwd, env, stdin: FROM_STDIN });
    const shown = (['A', 'B'] as const).flatMap((place) =>
      services[place].requests.map(({ headers: { authorization, cookie } }) => {
        const session = cookie?.replace('svc.session-token=', 'session ');
        return `${place} ${authorization?.replace('Bearer ', '') ?? session ?? 'nothing'}`;
      }),
    );
    return { exitCode, shown };
  };
  return { services, play };
}

const NOTHING = { exitCode: 2, shown: [] };

function readerOf({ place, signIn, isLost, isForeign }: ReturnType<typeof ruling>) {
  return isLost || isForeign ? NOTHING : { exitCode: 0, shown: [`${place} ${signIn}`] };
}

/** What each command line shows to whom, under a ruling. */
const COMMANDS: Readonly<Record<string, (ruled: ReturnType<typeof ruling>) => object>> = {
  whoami: readerOf,
  orgs: readerOf,
  // It goes on after an error.
  doctor: ({ place, signIn, isLost, isForeign }) => ({
    shown: isLost ? [] : [`${place} nothing`, ...(isForeign ? [] : [`${place} ${signIn}`])],
  }),
  'login --with-token': ({ place, contradicts }) =>
    contradicts ? NOTHING : { exitCode: 0, shown: [`${place} ${FROM_STDIN}`] },
};

test.each(Object.entries(COMMANDS))(
  '%s: whatever flags, variables, profiles and files say, no token reaches the address of another',
  async (line, expected) => {
    const { play } = await stage();
    for (const [index, place] of PLACES.entries()) {
      for (const token of line === 'whoami' ? TOKENS : inTurn(TOKENS, index)) {
        const layout = { ...place, token };
        expect(await play(layout, line), JSON.stringify(layout)).toMatchObject(
          expected(ruling(layout)),
        );
      }
    }
  },
  600_000,
);

test('a stored token goes to the address of its login and to no other: scheme, host, port and path count', async () => {
  const { services, play } = await stage();
  const own = `${services.A.url}/base`;
  const to = (url: string) => play({}, `whoami --api-url ${url}`, [storedSignIn('a', own)]);
  for (const same of [own, `${own}/`, own.replace('http:', 'HTTP:')]) {
    expect(await to(same)).toEqual({ exitCode: 0, shown: ['A svc_CANARY_a'] });
  }
  const hosts = ['localhost', '127.0.0.2'].map((host) => own.replace('127.0.0.1', host));
  const others = [
    services.A.url,
    `${own}/more`,
    `${services.A.url}/Base`,
    own.replace('http:', 'https:'),
    ...hosts,
  ];
  for (const url of [...others, `${services.B.url}/base`])
    expect(await to(url), url).toEqual({ exitCode: 4, shown: [] });
});
