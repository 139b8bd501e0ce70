import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linesOf } from '../../each/lines.ts';
import { fakeClock } from '../../support/clock.ts';
import { svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const pathOf = (id: string) => `/v1/services/svc_1/deployments/${id}`;
const answer = (status: string, isLive?: boolean, id = 'dep_1') => ({
  deployment: { id, status },
  ...(isLive !== undefined && { isLive }),
});

/** Answers in turn; it is always the same half of the jitter. */
async function inspect(answers: ReadonlyArray<object | number>, argv: readonly string[]) {
  const wire = await testWire();
  const plan = wire.on('GET', pathOf('dep_1'));
  for (const one of answers) {
    if (typeof one === 'number') plan.reply(one, { error: 'later' });
    else plan.reply(200, one);
  }
  const clock = fakeClock();
  const line = ['deployments', 'inspect', 'dep_1', '--service', 'svc_1', ...argv];
  const done = await svc(line, { url: wire.url, clock, random: () => 0.5 });
  return { done, waits: clock.waits };
}

test('--wait looks until the status is final, ever more slowly', async () => {
  const under = answer('building', false);
  const { done, waits } = await inspect([under, under, under, answer('succeeded', true)], ['--wait', '--json']);
  expect(done).toMatchObject({ exitCode: 0, stderr: '', json: answer('succeeded', true) });
  expect(waits).toEqual([300, 450, 675]);
});

test.each<[string, readonly object[], readonly string[], number, string | undefined]>([
  ['a live one', [answer('succeeded', true)], ['--wait', '--fail-if-not-live'], 0, undefined],
  ['a live one of an unknown status', [answer('rolled', true)], ['--wait', '--fail-if-not-live'], 0, undefined],
  ['one that was replaced', [answer('succeeded', false)], ['--wait'], 0, undefined],
  ['one that was replaced', [answer('succeeded', false)], ['--fail-if-not-live'], 9, 'alert'],
  ['a failed one', [answer('failed', false)], ['--wait'], 9, 'failed'],
  ['a failed one', [answer('failed', false)], ['--wait', '--fail-if-not-live'], 9, 'alert'],
  ['a failed one', [answer('failed', false)], [], 0, undefined],
  ['a failed one that is said to be live', [answer('failed', true)], ['--wait'], 9, 'failed'],
  ['a failed one that is said to be live', [answer('failed', true)], ['--fail-if-not-live'], 9, 'alert'],
  ['one that fails', [answer('queued'), answer('build_failed')], ['--wait'], 9, 'failed'],
  ['one under way', [answer('building', false)], ['--fail-if-not-live'], 10, 'still_running'],
  ['one that does not say whether it is live', [answer('succeeded')], ['--fail-if-not-live'], 12, 'no_data'],
  ['one that does not say whether it is live', [answer('succeeded')], ['--wait'], 0, undefined],
])('%s: %j with %j ends with exit code %i', async (_what, answers, argv, exitCode, code) => {
  const { done } = await inspect(answers, [...argv, '--json']);
  expect(done.exitCode).toBe(exitCode);
  expect(done.json).toEqual(answers.at(-1));
  if (code !== undefined) expect(done.error).toMatchObject({ code, exitCode });
});

test.each([
  ['under way', 'building', ['--fail-if-not-live'], 10],
  ['not live, with a status that svc does not know', 'rolling', ['--fail-if-not-live'], 9],
  ['not live, with a status that svc does not know', 'rolling', [], 10],
])('--wait gives up after its time; one that is %s (%s, %j) is exit %i', async (_name, status, flags, exitCode) => {
  const wire = await testWire();
  wire.on('GET', pathOf('dep_1')).always(200, answer(status, false));
  const line = ['deployments', 'inspect', 'dep_1', '--service', 'svc_1', '--wait-timeout', '2s', ...flags];
  const done = await svc(line, { url: wire.url, clock: fakeClock(), random: () => 0.5 });
  expect(done.exitCode).toBe(exitCode);
  expect(wire.requests.length, 'it was looked at until the time was up').toBeGreaterThan(2);
  if (exitCode === 9) return;
  expect(done.stderr).toContain(`Deployment dep_1 is still under way (status ${status}).`);
  expect(done.stderr).toContain('Try: svc deployments inspect dep_1 --service svc_1 --wait');
});

test('--wait goes on after a failure that passes, and ends with one that does not', async () => {
  const passing = await inspect([503, 503, 503, answer('succeeded', true)], ['--wait']);
  expect(passing.done.exitCode).toBe(0);
  expect((await inspect([answer('building'), 403], ['--wait'])).done.exitCode).toBe(5);
});

test('of several, one that is not live wins over one that cannot be read', async () => {
  const wire = await testWire();
  wire.on('GET', pathOf('a')).reply(200, answer('succeeded', true, 'a'));
  wire.on('GET', pathOf('b')).reply(200, answer('succeeded', false, 'b'));
  wire.on('GET', pathOf('c')).reply(403, {});
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'd.txt'), 'a\nb\nc\n');
  const line = [
    'deployments',
    'inspect',
    '--deployments',
    'd.txt',
    '--service',
    'svc_1',
    '--fail-if-not-live',
    '--json',
  ];
  const done = await svc([...line, '--concurrency', '1'], { url: wire.url, cwd });
  expect(done.exitCode).toBe(9);
  expect(linesOf(done.stdout).map(({ code }) => code)).toEqual([null, 'alert', 'forbidden']);
  expect(done.error).toMatchObject({
    code: 'alert',
    error: '1 of 3 deployments alarms, 1 could not be read.',
    summary: { total: 3, done: 1, alerts: 1, failed: 1 },
  });
});
