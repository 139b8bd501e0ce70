import { execa } from 'execa';
import { expect, test } from 'vitest';
import { builtProgram } from '../support/program.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { until } from '../support/until.ts';
import { testWire } from '../support/wire.ts';

/** A folder of settings, and the built program in it. */
async function place() {
  const [runner, ...program] = (await builtProgram()).command;
  const configDir = await temporaryFolder();
  const start = (url: string, argv: readonly string[], input = '') => {
    const env = { SVC_API_URL: url, SVC_TOKEN: 'svc_CANARY_0123456789', SVC_CONFIG_DIR: configDir };
    return execa(runner, [...program, 'restart', ...argv], {
      env,
      extendEnv: false,
      input,
      reject: false,
    });
  };
  const changes = async () => {
    const { json } = await svc(['changes', '--json'], { configDir });
    return (json as { changes: ReadonlyArray<{ service: string }> }).changes;
  };
  return { start, changes, wire: await testWire() };
}

test('of several svc that change something at once, no line is lost or torn', async () => {
  const { start, changes, wire } = await place();
  const ids = Array.from({ length: 120 }, (_, index) => `${'long-'.repeat(40)}${index}`);
  for (const id of ids)
    wire.on('POST', `/v1/services/${id}/restart`).always(200, { success: true });
  const options = ['--services', '-', '--yes', '--concurrency', '16'];
  const parts = [0, 1, 2].map((part) => ids.filter((_, index) => index % 3 === part).join('\n'));
  const ends = await Promise.all(parts.map((part) => start(wire.url, options, part)));
  expect(ends.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(ends.map(() => [0, '']));
  expect((await changes()).map(({ service }) => service).sort()).toEqual([...ids].sort());
});

test('a change whose svc is killed before the answer comes is unknown; one that was not sent is none', async () => {
  const { start, changes, wire } = await place();
  wire.on('POST', '/v1/services/s1/restart').hang().reply(200, { success: true });
  const killed = start(wire.url, ['s1']);
  await until(() => wire.requests.length === 1);
  killed.kill('SIGKILL');
  expect(await killed).toMatchObject({ signal: 'SIGKILL' });
  const inDoubt = {
    command: 'restart',
    service: 's1',
    result: 'unknown',
    status: null,
    requestId: null,
  };
  expect(await changes()).toMatchObject([inDoubt]);
  expect(await start('http://not-allowed.invalid', ['s1'])).toMatchObject({ exitCode: 2 });
  expect(await start(wire.url, ['s1'])).toMatchObject({ exitCode: 0 });
  expect(await changes()).toMatchObject([inDoubt, { result: 'done', status: 200 }]);
});
