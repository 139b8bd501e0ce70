import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { inTurn } from '../support/property.ts';
import { storedSignIn, writeSignIns } from '../support/stored.ts';
import { IN_MEMORY, svc, temporaryFolder } from '../support/svc.ts';
import { send } from '../support/wire-plan.ts';
import { type Service, testService } from './service.ts';

/** The two services; profile `a` (the current one) and `a2` are signed in to the first, `b` to the second. */
type Place = 'A' | 'B';
const HOME_OF: Readonly<Record<string, Place>> = { a: 'A', a2: 'A', b: 'B' };

/** What the flag and the variable say; `-` is nothing. */
const both = (words: string) => words.split(' ').map((word) => (word === '-' ? undefined : word));
const ADDRESSES = ['- -', 'A -', 'B -', '- A', '- B', 'A B', 'B A'].map(both) as (Place | undefined)[][];
const PROFILES = ['- -', 'a2 -', 'b -', 'new -', '- a2', '- b', '- new', 'b a', 'a new'].map(both);

/** The variable that signs in; the last is set to the token of profile `b`. */
const TOKENS = [undefined, 'SVC_TOKEN', 'SVC_TOKEN_FILE', 'SVC_SESSION_TOKEN', 'SVC_TOKEN of b'] as const;

const PLACES = ADDRESSES.flatMap(([flagUrl, envUrl]) =>
  PROFILES.map(([flagProfile, envProfile]) => ({ flagUrl, envUrl, flagProfile, envProfile })),
);

/** Everything that may say where a command goes, and as whom. */
type Layout = ReturnType<typeof layoutsFrom>[number];

/** Every place, with the tokens in turn. */
const layoutsFrom = (first: number) =>
  PLACES.flatMap((place, index) => inTurn(TOKENS, first + index).map((token) => ({ ...place, token })));

const FROM_STDIN = 'svc_CANARY_stdin';
const FROM_ENVIRONMENT = 'svc_CANARY_env';
const textOf = (token: string) => (token === 'SVC_TOKEN of b' ? 'svc_CANARY_b' : FROM_ENVIRONMENT);

/** The rules, in words of their own: where the layout leads, or that it leads nowhere, or may not take its token there. */
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

/** What each service was shown, as `A svc_…`. */
function shown(services: Readonly<Record<Place, Service>>): string[] {
  return (['A', 'B'] as const).flatMap((place) =>
    services[place].requests.map(({ headers }) => {
      const cookie = headers['cookie']?.replace('svc.session-token=', 'session ');
      return `${place} ${headers['authorization']?.replace('Bearer ', '') ?? cookie ?? 'nothing'}`;
    }),
  );
}

async function stage() {
  const services = { A: await testService(), B: await testService() };
  const [root, cwd] = [mkdtempSync(join(IN_MEMORY, 'svc-tokens-')), await temporaryFolder()];
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, 'token'), `${FROM_ENVIRONMENT}\n`);
  // The configuration is the weakest, and nothing in the folder says where requests go, or what they carry.
  const names = ['apiUrl', 'api_url', 'url', 'baseUrl', 'proxy'];
  const address = Object.fromEntries(names.map((name) => [name, services.B.url]));
  const planted = { service: 's1', ...address, token: 'svc_CANARY_planted', profile: 'b' };
  for (const name of ['.svc.json', 'config.json', 'credentials.json', '.npmrc', '.svcrc']) {
    writeFileSync(join(cwd, name), JSON.stringify(planted));
  }
  writeFileSync(join(cwd, '.env'), `SVC_API_URL=${services.B.url}\nSVC_TOKEN=svc_CANARY_planted\n`);
  const signIns = Object.entries(HOME_OF).map(([name, place]) => storedSignIn(name, services[place].url));
  let run = 0;
  return {
    services,
    async play(layout: Partial<Layout>, line: string, stored = signIns) {
      run += 1;
      const configDir = join(root, String(run));
      mkdirSync(configDir, { mode: 0o700 });
      writeSignIns(configDir, ...stored);
      writeFileSync(join(configDir, 'config.json'), JSON.stringify({ apiUrl: services.B.url }));
      for (const service of Object.values(services)) {
        service.expect(({ response }) => send(response, 200, { user: { email: 'marie@example.com' }, success: true }));
      }
      const { flagUrl, envUrl, flagProfile, envProfile, token } = layout;
      const argv = [
        ...line.split(' '),
        ...(flagUrl ? ['--api-url', services[flagUrl].url] : []),
        ...(flagProfile ? ['--profile', flagProfile] : []),
      ];
      const env = {
        ...(envUrl && { SVC_API_URL: services[envUrl].url }),
        ...(envProfile && { SVC_PROFILE: envProfile }),
        ...(token && {
          [token.replace(' of b', '')]: token === 'SVC_TOKEN_FILE' ? join(root, 'token') : textOf(token),
        }),
      };
      const { exitCode } = await svc(argv, { configDir, cwd, env, stdin: FROM_STDIN });
      return { exitCode, shown: shown(services) };
    },
  };
}

const TITLE = 'whatever flags, variables, profiles, files and links say, no token reaches the address of another';

test(`whoami: ${TITLE}`, async () => {
  const { play } = await stage();
  for (const layout of PLACES.flatMap((place) => TOKENS.map((token) => ({ ...place, token })))) {
    const { signIn, isLost, isForeign, place } = ruling(layout);
    const isRefused = isLost || isForeign;
    const expected = isRefused ? { exitCode: 2, shown: [] } : { exitCode: 0, shown: [`${place} ${signIn}`] };
    expect(await play(layout, 'whoami'), JSON.stringify(layout)).toEqual(expected);
  }
}, 600_000);

test(`doctor, which goes on after an error: ${TITLE}`, async () => {
  const { play } = await stage();
  for (const layout of layoutsFrom(0)) {
    const { signIn, isLost, isForeign, place } = ruling(layout);
    const shownToAll = [`${place} nothing`, ...(isForeign ? [] : [`${place} ${signIn}`])];
    const expected = isLost ? [] : shownToAll;
    expect((await play(layout, 'doctor')).shown, JSON.stringify(layout)).toEqual(expected);
  }
}, 600_000);

test('login --with-token shows a token to the address that was named, and to that of a profile that was', async () => {
  const { play } = await stage();
  for (const layout of layoutsFrom(1)) {
    const { place, contradicts } = ruling(layout);
    const expected = contradicts ? { exitCode: 2, shown: [] } : { exitCode: 0, shown: [`${place} ${FROM_STDIN}`] };
    expect(await play(layout, 'login --with-token'), JSON.stringify(layout)).toEqual(expected);
  }
}, 600_000);

test('a stored token goes to the address of its login and to no other: scheme, host, port and path count', async () => {
  const { services, play } = await stage();
  const own = `${services.A.url}/base`;
  const to = async (url: string) => {
    const run = await play({}, `whoami --api-url ${url}`, [storedSignIn('a', own)]);
    return [url, run.exitCode, run.shown];
  };
  for (const same of [own, `${own}/`, own.replace('http:', 'HTTP:')]) {
    expect(await to(same)).toEqual([same, 0, ['A svc_CANARY_a']]);
  }
  const hosts = ['localhost', '127.0.0.2'].map((host) => own.replace('127.0.0.1', host));
  const others = [services.A.url, `${own}/more`, `${services.A.url}/Base`, own.replace('http:', 'https:'), ...hosts];
  for (const url of [...others, `${services.B.url}/base`]) expect(await to(url)).toEqual([url, 4, []]);
});
