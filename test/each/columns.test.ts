import { expect, test } from 'vitest';
import { svc } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

/** Restarts the services of a list, and returns which, in which organization. */
async function restarted(list: string) {
  const wire = await testWire();
  for (const id of ['a', 'b']) wire.on('POST', `/v1/services/${id}/restart`).maybe(200, { success: true });
  const argv = ['restart', '--services', '-', '--yes', '--json', '--concurrency', '1'];
  const run = await svc(argv, { url: wire.url, stdin: list });
  const { exitCode, stdout } = run;
  const sent = wire.requests.map(({ path, headers }) => [path.split('/')[3], headers['x-service-org']]);
  return { exitCode, sent, stdout, says: exitCode === 0 ? undefined : (run.error as { error: string }).error };
}

test.each<[what: string, list: string]>([
  ['commas', 'service,org\na,acme\nb,\n'],
  ['another order, and quotes', 'org,"service"\n"acme",a\n,b\n'],
  ['CRLF and a byte order mark', '\ufeffservice,org\r\na,acme\r\nb,\r\n'],
  ['comments and blank lines', '# mine\n\nservice,org\n# one\na,acme\n\nb\n'],
])('a list may be comma-separated values, whose head is read by name: %s', async (_what, list) => {
  const { exitCode, sent } = await restarted(list);
  expect(exitCode).toBe(0);
  expect(sent).toEqual([
    ['a', 'acme'],
    ['b', undefined],
  ]);
});

test('a head of one column is a head; the lines of a script have the cells by name', async () => {
  const { sent, stdout } = await restarted('service\na\n');
  expect(sent).toEqual([['a', undefined]]);
  expect(JSON.parse(stdout)).toMatchObject({ index: 0, item: { service: 'a' } });
});

test.each<[list: string, says: string]>([
  ['service,orgg\na,acme\n', 'Line 1 of standard input: svc does not know the column "orgg".'],
  ['service,Org\na,acme\n', 'Line 1 of standard input: svc does not know the column "Org".'],
  ['service,org,\na,acme,b\n', 'Line 1 of standard input: svc does not know the column "".'],
  ['service;org\na;acme\n', 'Line 1 of standard input: "service;org" has a comma, a semicolon or white space in it.'],
  ['service,org,org\na,b,c\n', 'Line 1 of standard input: The column "org" is there twice.'],
  ['service,org\na,acme,b\n', 'Line 2 of standard input: It has 3 cells, and the head has 2 columns.'],
  ['service,org\n"a,acme\n', 'Line 2 of standard input: It has a quote that is not closed.'],
  ['service,org\n,acme\n', 'Line 2 of standard input: It has no service: the field "service" is missing.'],
  ['a,acme\nb,acme\n', 'Line 1 of standard input: "a,acme" has a comma, a semicolon or white space in it.'],
  ['service,org\na,acme\na,acme\n', 'Line 3 of standard input: "a" is given twice, first in line 2.'],
])('a list that cannot be meant is refused before anything is sent: %j', async (list, says) => {
  expect(await restarted(list)).toMatchObject({ exitCode: 2, sent: [], says: expect.stringContaining(says) });
});
