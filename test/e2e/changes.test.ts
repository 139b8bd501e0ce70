import { execa } from 'execa';
import { expect, test } from 'vitest';
import { builtProgram } from '../support/program.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { until } from '../support/until.ts';
import { testWire } from '../support/wire.ts';

test('of several svc that change something at once, no line is lost or torn', async () => {
  const { command } = await builtProgram();
  const [runner, ...program] = command;
  const wire = await testWire();
  const configDir = await temporaryFolder();
  const ids = Array.from({ length: 120 }, (_, index) => `${'long-'.repeat(40)}${index}`);
  for (const id of ids) wire.on('POST', `/v1/services/${id}/restart`).always(200, { success: true });
  const env = { SVC_API_URL: wire.url, SVC_TOKEN: 'svc_CANARY_0123456789', SVC_CONFIG_DIR: configDir };
  const ends = await Promise.all(
    [0, 1, 2].map((part) => {
      const input = ids.filter((_, index) => index % 3 === part).join('\n');
      const argv = [...program, 'restart', '--services', '-', '--yes', '--concurrency', '16'];
      return execa(runner, argv, { env, extendEnv: false, input, reject: false });
    }),
  );
  expect(ends.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(ends.map(() => [0, '']));
  const { json } = await svc(['changes', '--json'], { configDir });
  const { changes } = json as { changes: ReadonlyArray<{ service: string }> };
  expect(changes.map(({ service }) => service).sort()).toEqual([...ids].sort());
});

test('a change whose svc is killed before the answer comes is unknown; one that was not sent is none', async () => {
  const { command } = await builtProgram();
  const [runner, ...program] = command;
  const wire = await testWire();
  const configDir = await temporaryFolder();
  wire.on('POST', '/v1/services/s1/restart').hang().reply(200, { success: true });
  const start = (url: string) => {
    const env = { SVC_API_URL: url, SVC_TOKEN: 'svc_CANARY_0123456789', SVC_CONFIG_DIR: configDir };
    return execa(runner, [...program, 'restart', 's1'], { env, extendEnv: false, reject: false });
  };
  const changes = async () => {
    const { json } = await svc(['changes', '--json'], { configDir });
    return (json as { changes: readonly object[] }).changes;
  };
  const killed = start(wire.url);
  await until(() => wire.requests.length === 1);
  killed.kill('SIGKILL');
  expect(await killed).toMatchObject({ signal: 'SIGKILL' });
  const inDoubt = { command: 'restart', service: 's1', result: 'unknown', status: null, requestId: null };
  expect(await changes()).toMatchObject([inDoubt]);
  expect(await start('http://not-allowed.invalid')).toMatchObject({ exitCode: 2 });
  expect(await start(wire.url)).toMatchObject({ exitCode: 0 });
  expect(await changes()).toMatchObject([inDoubt, { result: 'done', status: 200 }]);
});
