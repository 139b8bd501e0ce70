import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readNamesSeen } from '../support/stored.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire, type Wire } from '../support/wire.ts';
import { linesOf } from './lines.ts';

const restartOf = (id: string) => `/v1/services/${id}/restart`;

async function restarts(ids: readonly string[], answer: unknown = { success: true, message: 'ok' }): Promise<Wire> {
  const wire = await testWire();
  for (const id of ids) wire.on('POST', restartOf(id)).reply(200, answer);
  return wire;
}

/** The lines of NDJSON, in the order of the list. */
function lines(stdout: string): Array<Record<string, unknown>> {
  return linesOf(stdout).sort((one, other) => Number(one['index']) - Number(other['index']));
}

describe('several services', () => {
  test('are restarted once each, with a line of JSON for each', async () => {
    const wire = await restarts(['s1', 's2', 's3']);
    const run = await svc(['restart', 's1', 's2', 's3', '--yes', '--json'], { url: wire.url });
    expect([run.exitCode, run.stderr]).toEqual([0, expect.stringMatching(/^\{"summary":\{"total":3,"done":3,/)]);
    expect(lines(run.stdout)).toEqual(
      ['s1', 's2', 's3'].map((item, index) => ({
        index,
        item,
        exitCode: 0,
        code: null,
        answer: { success: true, message: 'ok' },
        attempts: 1,
        ms: expect.any(Number),
      })),
    );
  });

  test('one failure among them is exit code 11, and the others are done', async () => {
    const wire = await restarts(['s1', 's3']);
    wire.on('POST', restartOf('s2')).reply(404, { error: 'No such service' });
    const run = await svc(['restart', 's1', 's2', 's3', '-y', '--json'], { url: wire.url });
    expect(run).toMatchObject({ exitCode: 11, error: { code: 'partial', exitCode: 11 } });
    expect(lines(run.stdout).map(({ exitCode }) => exitCode)).toEqual([0, 6, 0]);
    expect(lines(run.stdout)[1]).toMatchObject({ code: 'not_found', error: { error: 'No such service', status: 404 } });
  });

  test('that all fail alike have their common exit code', async () => {
    const wire = await testWire();
    for (const id of ['s1', 's2']) wire.on('POST', restartOf(id)).reply(403, { error: 'Not yours' });
    const run = await svc(['restart', 's1', 's2', '-y'], { url: wire.url });
    expect(run.exitCode).toBe(5);
    expect(run.stdout).toMatchInlineSnapshot(`
      "  FAILED     SERVICES  REASON     WHICH
        forbidden         2  Not yours  s1, s2

      "
    `);
    expect(run.stderr).toMatchInlineSnapshot(`
      "Error: All 2 failed.
      "
    `);
  });

  test('need a confirmation: without one nothing is sent', async () => {
    const wire = await testWire();
    const run = await svc(['restart', 's1', 's2'], { url: wire.url });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('--yes');
    expect(wire.requests).toEqual([]);
  });

  test('one id alone prints what the API answers', async () => {
    const wire = await restarts(['s1'], { success: true });
    expect(await svc(['restart', 's1', '--json'], { url: wire.url })).toMatchObject({ stdout: '{"success":true}\n' });
  });

  test('a list of one is a list', async () => {
    const wire = await restarts(['s1']);
    const run = await svc(['restart', '--services', '-', '--json'], { url: wire.url, stdin: 's1\n' });
    expect(lines(run.stdout)).toMatchObject([{ index: 0, item: 's1', exitCode: 0 }]);
  });
});

test('ids that were typed and done are offered to Tab; those of a list are not', async () => {
  const wire = await restarts(['s1', 's2', 's4']);
  wire.on('POST', restartOf('s3')).reply(404, {});
  const configDir = await temporaryFolder();
  const run = (argv: readonly string[], stdin = '') => svc([...argv, '-y'], { url: wire.url, configDir, stdin });
  await run(['restart', 's1', 's2', 's3']);
  await run(['restart', '--services', '-'], 's4\n');
  const names = readNamesSeen(configDir)[wire.url]?.['services']?.map(({ name }) => name);
  expect(names?.sort()).toEqual(['s1', 's2']);
});

describe('a list', () => {
  async function listed(
    text: string,
    argv: readonly string[] = ['restart', '--services', 'list.txt', '--yes', '--json'],
  ) {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'list.txt'), text);
    const wire = await testWire();
    return { wire, run: () => svc(argv, { url: wire.url, cwd }) };
  }

  test('has an id or an object on each line, blank lines and comments', async () => {
    const { wire, run } = await listed('# ours\ns1\n\r\n  s2  \r\n{"service": "s3", "org": "globex"}\n');
    for (const id of ['s1', 's2', 's3']) wire.on('POST', restartOf(id)).reply(200, { success: true });
    const { stdout, exitCode } = await run();
    expect(exitCode).toBe(0);
    expect(lines(stdout).map(({ item }) => item)).toEqual(['s1', 's2', { service: 's3', org: 'globex' }]);
    const orgs = wire.requests.map(({ path, headers }) => [path, headers['x-service-org']]);
    expect(orgs.sort()).toEqual([
      [restartOf('s1'), undefined],
      [restartOf('s2'), undefined],
      [restartOf('s3'), 'globex'],
    ]);
  });

  test.each([
    ['s1\ns 2\n', 'Line 2 of list.txt: "s 2" has a comma, a semicolon or white space in it.'],
    ['s1\n\ns1\n', 'Line 3 of list.txt: "s1" is given twice, first in line 1.'],
    ['s1\n{"service": "s1"}\n', 'Line 2 of list.txt: "s1" is given twice, first in line 1.'],
    ['{"service": "s1", "org": "a\\nb"}\n', 'The field "org" "a\\nb" has a control character'],
    ['s1\n..\n', 'Line 2 of list.txt: The service id ".." is not an id'],
    ['{"service": "s1", "colour": 1}\n', 'Line 1 of list.txt: It has a field "colour" that svc does not know.'],
    ['{"org": "o"}\n', 'Line 1 of list.txt: It has no service'],
    ['s1\n{"service": \n', 'Line 2 of list.txt: It cannot be read as JSON'],
    ['{"service": "s1", "params": {"a": 1}}\n', 'a field "params" that svc does not know'],
    ['s1\ns1\u200b\n', 'Line 2 of list.txt: The service id "s1\u200b" has an invisible character in it, U+200B.'],
    [
      's_1\ns\uff3f1\n',
      'Line 2 of list.txt: The service id "s\uff3f1" has a character in it that only looks like "_", U+FF3F.',
    ],
  ])('%j is refused as a whole', async (text, message) => {
    const { wire, run } = await listed(text);
    const { exitCode, error } = await run();
    expect(exitCode).toBe(2);
    expect(error['error']).toContain(message);
    expect(wire.requests).toEqual([]);
  });

  test('may give parameters of an action', async () => {
    const argv = ['wp', 'run', 'plugin.install', '--param', 'activate:=true', '--services', 'list.txt', '-y', '--json'];
    const { wire, run } = await listed('{"service": "s1", "params": {"slug": "akismet"}}\n{"service":"s2"}\n', argv);
    for (const id of ['s1', 's2'])
      wire.on('POST', `/v1/services/${id}/actions`).reply(200, { jobId: 'j', status: 'queued' });
    expect((await run()).exitCode).toBe(0);
    const bodies = wire.requests.map(({ path, json }) => [path, json]);
    expect(bodies.sort()).toEqual([
      ['/v1/services/s1/actions', { action: 'plugin.install', params: { activate: true, slug: 'akismet' } }],
      ['/v1/services/s2/actions', { action: 'plugin.install', params: { activate: true } }],
    ]);
  });

  test('may name a service twice with parameters that differ, and no more than once with the same', async () => {
    const argv = ['wp', 'run', 'plugin.install', '--services', 'list.txt', '-y', '--json'];
    const slugs = (...names: readonly string[]) =>
      names.map((slug) => `{"service": "s1", "params": {"slug": "${slug}"}}`).join('\n');
    const { wire, run } = await listed(slugs('akismet', 'jetpack'), argv);
    const plan = wire.on('POST', '/v1/services/s1/actions');
    for (const jobId of ['j', 'k']) plan.reply(200, { jobId, status: 'queued' });
    expect((await run()).exitCode).toBe(0);
    const twice = await (await listed(slugs('akismet', 'jetpack', 'akismet'), argv)).run();
    expect(twice).toMatchObject({ exitCode: 2, stdout: '' });
    expect(twice.error['error']).toBe('Line 3 of list.txt: "s1" is given twice, first in line 1.');
  });

  test('may name a service once in each organization, and no more', async () => {
    const list = '{"service": "s1", "org": "acme"}\n{"service": "s1", "org": "globex"}\ns1\n';
    const { wire, run } = await listed(list);
    wire.on('POST', restartOf('s1')).reply(200, {}).reply(200, {}).reply(200, {});
    expect((await run()).exitCode).not.toBe(2);
    expect(wire.requests.map(({ headers }) => headers['x-service-org']).sort()).toEqual(['acme', 'globex', undefined]);
    const twice = await listed(`${list}{"org": "acme", "service": "s1"}\n`);
    expect((await twice.run()).error['error']).toBe('Line 4 of list.txt: "s1" is given twice, first in line 1.');
  });

  test('of deployments names the service of each', async () => {
    const argv = ['deployments', 'inspect', '--deployments', 'list.txt', '--json'];
    const { wire, run } = await listed(
      '{"service": "s1", "deployment": "d1"}\n{"service": "s2", "deployment": "d2"}\n',
      argv,
    );
    wire.on('GET', '/v1/services/s1/deployments/d1').reply(200, { deployment: { id: 'd1' } });
    wire.on('GET', '/v1/services/s2/deployments/d2').reply(200, { deployment: { id: 'd2' } });
    expect((await run()).exitCode).toBe(0);
  });
});
