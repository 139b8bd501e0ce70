import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { storedSignIn, writeNamesSeen, writeSignIns } from '../support/stored.ts';
import { type RunOptions, svc, temporaryFolder } from '../support/svc.ts';

const HERE = 'http://127.0.0.1:9';
const THERE = 'https://api.example.com';

/** Returns the completions of a command line whose last word is incomplete. */
async function tab(line: string, options: RunOptions = {}): Promise<readonly string[]> {
  const run = await svc(['complete', '--', ...line.split(' ')], options);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  return run.stdout.split('\n').filter((candidate) => candidate !== '');
}

/** The words alone. */
async function words(line: string, options?: RunOptions): Promise<readonly string[]> {
  return (await tab(line, options)).map((candidate) => candidate.split('\t')[0] ?? '');
}

test('commands, options and topics come with what they do', async () => {
  expect(await tab('domains ')).toEqual([
    "import\tScan a domain's DNS and show what can be moved",
    "add\tStage a domain's records on a service, to move it there",
    'status\tCheck the progress of a move in the DNS',
  ]);
  expect(await tab('prof')).toEqual(['profiles\tKeep several accounts or addresses side by side']);
  expect(await tab('whoami --pro')).toEqual(['--profile\tuse this stored sign-in [SVC_PROFILE]']);
  expect(await tab('help exit')).toEqual(['exit-codes\tExit codes']);
});

test.each([
  ['', ['login', 'domains', 'help']],
  ['domains import a.example --', ['--output', '--format', '--csv', '--json', '--help']],
  ['sandbox --', ['--port', '--data', '--json']],
  ['sandbox exec --', ['--json', '--org']],
])('these are among what is offered: svc %s', async (line, some) => {
  expect(await words(line)).toEqual(expect.arrayContaining(some));
});

test.each([
  // Programs call `complete`.
  ['comp', ['completion']],
  ['-y domains imp', ['import']],
  ['--org x domains imp', ['import']],
  ['--org=x domains imp', ['import']],
  ['orgs --columns s', ['slug']],
  ['orgs --columns slug,', ['slug,id', 'slug,name', 'slug,role', 'slug,active']],
  ['orgs --csv --columns=id,sl', ['--columns=id,slug']],
  // None twice, unless it may be given twice.
  ['whoami --json --j', ['--jq']],
  ['--json whoami --js', []],
  ['whoami -y --ye', []],
  ['whoami --org=acme --or', []],
  ['domains status a.example --nameserver ns1.example --names', ['--nameserver']],
  ['orgs use -- -', []],
  // Values.
  ['domains import a.example --format ', ['json', 'zone']],
  ['domains import a.example --format=', ['--format=json', '--format=zone']],
  ['domains import a.example --format=z', ['--format=zone']],
  ['api /v1/user -X OP', ['OPTIONS']],
  ['completion install ', ['bash', 'zsh', 'fish', 'powershell']],
  ['config unset assume.job.pa', ['assume.job.path']],
  ['sandbox --port ', []],
  ['help domains ', ['import', 'add', 'status']],
  ['help domains import ', []],
  // A command line for the sandbox.
  ['sandbox exec -- svc who', ['whoami']],
  ['sandbox exec -- svc -y domains imp', ['import']],
  // Behind a mistake.
  ['nosuch ', []],
  ['domain im', []],
  ['whoami x ', []],
  ['domains import a.example --nosuch=', []],
  ['domains import a.example --json=', []],
])('svc %s<Tab> offers %j', async (line, expected) => expect(await words(line)).toEqual(expected));

test.each([
  ['domains import a.example --output ', ':files '],
  ['domains import a.example --output=pl', ':files --output='],
  ['sandbox --data ', ':files '],
  ['sandbox exec -- ', ':command 3'],
  ['--quiet sandbox exec -- ls -l ', ':command 4'],
  ['sandbox exec ls', ':command 2'],
])('svc %s<Tab> leaves it to the shell: %s', async (line, expected) => expect(await tab(line)).toEqual([expected]));

describe('names', () => {
  /** A folder with sign-ins at two addresses, and with names of both. */
  async function folder(): Promise<RunOptions> {
    const configDir = await temporaryFolder();
    writeSignIns(configDir, storedSignIn('home', HERE), storedSignIn('work', THERE));
    const [services, organizations] = [[{ name: 'svc_blog', about: 'Blog' }], [{ name: 'acme', about: 'Acme Ltd' }]];
    const there = { services: [{ name: 'svc_shop' }], organizations: [{ name: 'guild' }] };
    writeNamesSeen(configDir, { [HERE]: { services, organizations }, [THERE]: there });
    return { configDir };
  }

  test('come with their descriptions', async () => {
    const run = await folder();
    expect(await tab('restart ', run)).toEqual(['svc_blog\tBlog']);
    expect(await tab('orgs use ', run)).toEqual(['acme\tAcme Ltd']);
    expect(await tab('whoami --org=', run)).toEqual(['--org=acme\tAcme Ltd']);
  });

  test.each([
    ['restart ', {}, ['svc_blog']],
    ['restart ', { SVC_API_URL: THERE }, ['svc_shop']],
    ['restart ', { SVC_PROFILE: 'work' }, ['svc_shop']],
    ['--profile work restart ', {}, ['svc_shop']],
    ['orgs use --profile work ', {}, ['guild']],
    [`--profile work --api-url=${HERE} restart `, {}, ['svc_blog']],
    ['restart --api-url https://other.example ', {}, []],
  ])('are those of the address: svc %s with %j', async (line, env, expected) => {
    expect(await words(line, { ...(await folder()), env })).toEqual(expected);
  });

  test.each(['profiles use ', 'logout --profile ', '--profile '])('of profiles: svc %s', async (line) => {
    expect(await tab(line, await folder())).toEqual(['home\thome@example.com', 'work\twork@example.com']);
  });

  test('are none if sign-ins or settings cannot be read', async () => {
    const { configDir = '' } = await folder();
    await writeFile(join(configDir, 'credentials.json'), '{');
    expect(await tab('profiles use ', { configDir })).toEqual([]);
    expect(await tab('restart ', { configDir })).toEqual([]);
  });
});
