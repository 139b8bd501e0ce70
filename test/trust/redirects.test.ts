import { expect, test } from 'vitest';
import { figure } from '../support/figure.ts';
import { inTurn } from '../support/property.ts';
import { testTcp } from '../support/tcp.ts';
import { send } from '../support/wire-plan.ts';
import { testService } from './service.ts';
import { aboutUse, isAbout, runUse, USES } from './uses.ts';

const STATUSES = [301, 302, 303, 307, 308];

/** Where a redirect may point: to the same service as well, for even that would send a body or a key once more. */
const targetsOf = (trap: number, here: string) => [
  `http://127.0.0.1:${trap}/v1/user`,
  `http://user:pass@localhost:${trap}/`,
  `https://127.0.0.1:${trap}/`,
  `//127.0.0.1:${trap}/v1`,
  `${here}/v1/elsewhere`,
  '/v1/elsewhere\u00a0\\..\\',
];

test('no redirect of any operation leads anywhere', async () => {
  let contacts = 0;
  const trap = await testTcp(() => {
    contacts += 1;
  });
  const service = await testService();
  const targets = targetsOf(trap.port, service.url);
  let tried = 0;
  for (const [row, use] of USES.entries()) {
    for (const [column, location] of targets.entries()) {
      for (const status of inTurn(STATUSES, row + column)) {
        const headers = { location, 'set-cookie': 'a=b' };
        service.expect(aboutUse(use, ({ response }) => send(response, status, { error: 'moved' }, headers)));
        const { exitCode, stderr, error } = await runUse(use, service, ['--json']);
        const about = `${use.operation.name} ${status} ${location}\n${stderr}`;
        expect(exitCode, about).toBe(1);
        expect(error, about).toMatchObject({ code: 'unexpected', status });
        const paths = service.requests.map(({ path }) => path);
        expect([service.requests.filter((one) => isAbout(use, one)).length, paths.join(' ')], about).toEqual([
          1,
          expect.not.stringContaining('elsewhere'),
        ]);
        tried += 1;
      }
    }
  }
  expect(contacts).toBe(0);
  expect(tried).toBe(inTurn(STATUSES, 0).length * targets.length * USES.length);
  figure('Redirects', tried, `${targets.length} targets x ${USES.length} operations, ${STATUSES.length} statuses`);
});
