import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';
import { send } from '../support/wire-plan.ts';
import { testService } from '../trust/service.ts';
import { linesOf } from './lines.ts';

/**
 * Runs a line against a platform that takes everything. Requests are shown as `s1 acme {"params":
 * …}`.
 */
async function sent(line: string, stdin = '') {
  const service = await testService();
  service.expect(({ response }) =>
    send(response, 200, { success: true, jobId: 'j', status: 'done' }),
  );
  const run = await svc(line.split(' '), { url: service.url, stdin });
  const requests = service.requests.map(({ path, headers, json }) => {
    const params = (json as { params?: object } | undefined)?.params;
    const [, , , id, , deployment] = path.split('/');
    const words = [id, deployment, headers['x-service-org'], params && JSON.stringify(params)];
    return words.filter((word) => word !== undefined).join(' ');
  });
  return { run, requests };
}

const fromList = (list: string, line = 'restart --services -') =>
  sent(`${line} --json --yes --concurrency 1`, list);
const INSPECT = 'deployments inspect --deployments -';
const RUN = 'wp run plugin.install --param a:=true --services -';
const slug = (name: string) => `{"service": "s1", "params": {"slug": "${name}"}}`;
const OWN = '{"service": "s1", "org": "acme"}\n{"service": "s1", "org": "globex"}\ns1\n';

test.each<[list: string, requests: readonly string[], line?: string]>([
  ['# ours\ns1\n\r\n  s2  \r\n', ['s1', 's2']],
  [OWN, ['s1 acme', 's1 globex', 's1']],
  // Comma-separated values, whose head is read by name.
  ['\ufeffservice,org\r\ns1,acme\r\ns2,\r\n', ['s1 acme', 's2']],
  // Parameters of one item add to those of all.
  [`${slug('x')}\n${slug('y')}\n`, ['s1 {"a":true,"slug":"x"}', 's1 {"a":true,"slug":"y"}'], RUN],
  // As spreadsheets write them: a head with capitals, empty cells at the end, semicolons, quotes.
  ['Service,Org\r\ns1,acme\r\n,\r\n', ['s1 acme']],
  ['"Service";"Org"\ns1;acme\n;;;\n', ['s1 acme']],
  ['org\tservice\nacme\ts1\n', ['s1 acme']],
  ['service,org,,\ns1,acme,,,,\n', ['s1 acme']],
  // As jq writes them without -r.
  ['"s1"\n"s2"\n', ['s1', 's2']],
  [
    '{"service": "s1", "deployment": "d1"}\n{"service": "s2", "deployment": "d2"}\n',
    ['s1 d1', 's2 d2'],
    INSPECT,
  ],
])('the list %j asks for %j', async (list, requests, line) => {
  const done = await fromList(list, line);
  expect([0, 8, 11]).toContain(done.run.exitCode);
  expect(done.requests).toEqual(requests);
});

test('the line of an outcome has its item as it was given; one of values has its cells by name', async () => {
  const itemsOf = async (list: string) =>
    linesOf((await fromList(list)).run.stdout).map(({ item }) => item);
  expect(await itemsOf('s1\n{"service": "s3", "org": "globex"}\n')).toEqual([
    's1',
    { service: 's3', org: 'globex' },
  ]);
  expect(await itemsOf('service,org\ns1,\n')).toEqual([{ service: 's1' }]);
});

test('without a list a batch works on the service in use', async () => {
  const wire = await testWire();
  wire.on('POST', '/v1/services/s7/restart').reply(200, { success: true });

  const { exitCode, stdout } = await svc('restart --csv --yes'.split(' '), {
    url: wire.url,
    env: { SVC_SERVICE: 's7' },
  });

  expect(exitCode).toBe(0);
  expect(stdout).toBe('service,exitCode,code,error\ns7,0,,\n');
});

test.each([
  ['bytes of another encoding', Buffer.from([0x73, 0xe9, 0x0a])],
  ['half a character', Buffer.from([0x73, 0xc3])],
])('a list with %s is refused', async (_what, bytes) => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'list.txt'), bytes);
  const wire = await testWire();

  const argv = 'restart --services list.txt --yes'.split(' ');
  const { exitCode, stderr } = await svc(argv, { url: wire.url, cwd });

  expect(exitCode).toBe(2);
  expect(stderr).toContain('list.txt is not UTF-8 text');
});

test.each<[list: string, says: string, line?: string]>([
  ['s1\ns 2\n', 'Line 2 of standard input: "s 2" has a comma'],
  [`${OWN}{"org": "acme", "service": "s1"}\n`, 'Line 4 of standard input: "s1" is given twice.'],
  [
    's1\n{"service": "s1", "org": "o"}\n',
    'Line 2 of standard input: "s1" is given twice',
    'restart --org o --services -',
  ],
  ['s1\n..\n', 'Line 2 of standard input: The service id ".." is not an id'],
  ['{"service": "s1", "colour": 1}\n', 'Line 1 of standard input: It has a field "colour"'],
  ['s1\n{"service": \n', 'Line 2 of standard input: It cannot be read as JSON'],
  [
    's_1\ns\uff3f1\n',
    'Line 2 of standard input: The service id "s\uff3f1" has a character in it that only looks like "_"',
  ],
  ['null\n', 'names no service'],
  ['{}\n', 'names no service'],
  ['["s1"]\n', 'names no service'],
  ['{"id": "s1"}\n', 'It has a field "id"'],
  ['{"service": "s1", "output": "x"}\n', 'It has a field "output"'],
  ['{"service": "s1", "waitTimeout": "9h"}\n', 'It has a field "waitTimeout"', RUN],
  ['{"service": "s1", "params": {}}\n', 'It has a field "params"'],
  ['service,colour\ns1,red\n', 'It has a field "colour"'],
  ['{"service": 7}\n', 'The field "service" is not a text'],
  ['service,org\na,acme,b\n', 'Line 2 of standard input: It has 3 cells'],
  ['service,org\n"a,acme\n', 'Line 2 of standard input: It has a quote that is not closed'],
])('the list %j is refused as a whole', async (list, says, line) => {
  const { run, requests } = await fromList(list, line);
  expect([run.exitCode, run.error['error'], requests]).toEqual([
    2,
    expect.stringContaining(says),
    [],
  ]);
});

test.each([
  ['metrics a b --watch', '--watch needs a terminal'],
  ['restart a b', '--yes'],
  ['restart a b -y --max-failures 7%', 'is not a whole number'],
  ['domains import a.com www.example.com', 'is not an apex domain'],
  ['restart a b -y --retry-unknown', '--retry-unknown needs --log'],
  ['restart a b -y --resume x', 'has no option "--resume"'],
  ['restart a b -y --accept not_found', 'has no option "--accept"'],
  ['metrics a b --log x', 'has no option "--log"'],
  ['metrics a b --max-failures 2', 'has no option "--max-failures"'],
  ['restart --services x a -y', '--services and "a" cannot be used together'],
  ['restart --services x --service a -y', '--services and "a" cannot be used together'],
  ['wp run b --services x --service a -y', '--services and "a" cannot be used together'],
  ['restart --services x --services y -y', '--services is given twice'],
  ['domains status --domains x a.com', '--domains and "a.com" cannot be used together'],
  ['metrics a b --csv --columns time --columns value', '--columns is given twice'],
  ['orders --columns a --columns b', '--columns is given twice'],
])('svc %s is refused before anything is sent', async (line, says) => {
  const { run, requests } = await sent(line);
  expect([run.exitCode, run.stderr, requests]).toEqual([2, expect.stringContaining(says), []]);
});
