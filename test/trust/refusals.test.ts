import { expect, test } from 'vitest';
import { RULES } from '../../src/service/statuses.ts';
import { inTurn } from '../support/property.ts';
import { COLUMNS } from '../support/retry-table.ts';
import { send } from '../support/wire-plan.ts';
import { testService } from './service.ts';
import { aboutUse, runUse, USES, type Use } from './uses.ts';

/** Statuses that refuse a request, and their exit codes. */
const [SIGN_IN, RIGHTS, GONE, PACE] = [[401, 4] as const, [403, 5] as const, [404, 6] as const, [429, 7] as const];
const OTHERS = [400, 402, 405, 409, 410, 422, 451].map((status) => [status, 3] as const);
const STATUSES = [SIGN_IN, RIGHTS, GONE, PACE, ...OTHERS];

/** Errors in the two forms of the document. */
const ERRORS = ['It is not to be. ', { 'items[0]': ['is odd', 'is old'], nested: { deep: 1.5 } }];

/** Names that only svc may set, with what a service should not be able to say. */
const NAMES = ['code', 'exitCode', 'hint', 'next', 'retryAfter', 'attempts', 'jobId', 'idempotencyKey', 'outcome'];
const THEIRS = Object.fromEntries([...NAMES, 'status', 'requestId'].map((name) => [name, 'theirs']));

function exitCodeOf({ operation }: Use, status: number, usual: number): number {
  // A poll that is refused is a login that failed, unless nothing is there that could be polled.
  if (operation.name === 'pollDeviceLogin' && status !== 404 && status !== 405) return 9;
  // The first request with the same key may still be running.
  return operation.name === 'createOrder' && status === 409 ? 8 : usual;
}

test.each(USES.map((use, row) => [use.operation.name, use, row] as const))(
  'every refusal of %s keeps its exit code, its status and its words',
  async (name, use, row) => {
    const service = await testService();
    for (const [column, [status, usual]] of STATUSES.entries()) {
      // Too many polls are fewer polls.
      if (name === 'pollDeviceLogin' && status === 429) continue;
      for (const error of inTurn(ERRORS, row + column)) {
        const exitCode = exitCodeOf(use, status, usual);
        service.expect(
          aboutUse(use, ({ response }) => send(response, status, { ...THEIRS, error }, { 'x-request-id': 'req_7' })),
        );
        const run = await runUse(use, service, ['--no-retry', '--json']);
        const about = `${status} ${run.stderr}`;
        expect(run.exitCode, about).toBe(exitCode);
        expect(run.error, about).toMatchObject({ error, status, exitCode, requestId: 'req_7' });
        expect(Object.values(run.error), about).not.toContain('theirs');
        expect(run.error['outcome'], about).toBe(exitCode === 8 ? 'unknown' : undefined);
        const person = await runUse(use, service, ['--no-retry']);
        expect(person.exitCode).toBe(exitCode);
        expect(person.stderr.replace(/\s+/g, ' '), about).toContain(
          typeof error === 'string' ? error.trim() : 'items[0]: is odd items[0]: is old nested.deep: 1.5',
        );
      }
    }
  },
);

test('each status with a row of its own is tried here, or in the retry table', () => {
  const tried = [...STATUSES.map(([status]) => String(status)), ...COLUMNS];
  const own = Object.keys(RULES).filter((name) => /^\d+$/.test(name));
  expect(own.filter((name) => !tried.includes(name))).toEqual([]);
});
