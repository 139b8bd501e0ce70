import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storedSignIn, writeNamesSeen, writeSignIns } from '../../support/stored.ts';
import { type RunOptions, svc, temporaryFolder } from '../../support/svc.ts';

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

test.each([
  ['prof', ['profiles\tKeep several accounts or addresses side by side']],
  ['domains import a.example --output ', [':files ']],
  ['domains import a.example --output=pl', [':files --output=']],
  ['sandbox exec -- ', [':command 3']],
  ['sandbox exec -- svc -y domains imp', [':command 3']],
])('svc %s<Tab> prints %j', async (line, expected) => expect(await tab(line)).toEqual(expected));

test.each([
  // Programs call `complete`.
  ['comp', ['completion']],
  ['--org x domains imp', ['import']],
  ['domains ', ['import', 'add', 'status']],
  ['orgs --columns slug,', ['slug,id', 'slug,name', 'slug,role', 'slug,active']],
  // None twice, unless it may be given twice.
  ['whoami --json --j', ['--jq']],
  ['whoami -y --ye', []],
  ['domains status a.example --nameserver ns1.example --names', ['--nameserver']],
  ['orgs use -- -', []],
  // Values.
  ['domains import a.example --format ', ['json', 'zone']],
  ['domains import a.example --format=z', ['--format=zone']],
  ['api /v1/user -X OP', ['OPTIONS']],
  ['help domains ', ['import', 'add', 'status']],
  // Behind a mistake.
  ['nosuch ', []],
  ['domains import a.example --nosuch=', []],
])('svc %s<Tab> offers %j', async (line, expected) => expect(await words(line)).toEqual(expected));

/** A folder with sign-ins at two addresses, and with names of both. */
async function folder() {
  const configDir = await temporaryFolder();
  writeSignIns(configDir, storedSignIn('home', HERE), storedSignIn('work', THERE));
  const here = { services: [{ name: 'svc_blog' }] };
  const there = { services: [{ name: 'svc_shop' }], organizations: [{ name: 'guild' }] };
  writeNamesSeen(configDir, { [HERE]: here, [THERE]: there });
  return configDir;
}

test.each([
  ['restart ', {}, ['svc_blog']],
  ['restart ', { SVC_API_URL: THERE }, ['svc_shop']],
  ['--profile work restart ', {}, ['svc_shop']],
  ['whoami --profile work --org=', {}, ['--org=guild']],
  [`--profile work --api-url=${HERE} restart `, {}, ['svc_blog']],
  ['profiles use ', {}, ['home', 'work']],
])('names are those of the address: svc %s with %j', async (line, env, expected) => {
  expect(await words(line, { configDir: await folder(), env })).toEqual(expected);
});

test('there are none if sign-ins cannot be read', async () => {
  const configDir = await folder();
  await writeFile(join(configDir, 'credentials.json'), '{');
  expect(await tab('profiles use ', { configDir })).toEqual([]);
  expect(await tab('restart ', { configDir })).toEqual([]);
});
