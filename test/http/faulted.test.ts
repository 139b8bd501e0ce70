import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/spec/operations.ts';
import { clientFor, pathOf } from '../support/client.ts';
import { tries } from '../support/property.ts';
import { RETRY_TABLE } from '../support/retry-table.ts';
import { startWire } from '../support/wire.ts';
import { FAULTS, type WireFault } from '../trust/faults.ts';

/** Faults that end by themselves, in turn. One fault on each operation: test/trust/faulted.test.ts. */
const someFaults = fc.array(fc.constantFrom(...FAULTS.filter(({ slow }) => !slow)), { minLength: 1, maxLength: 3 });
const { stageDomain, runAction, restartService, createOrder } = OPERATIONS;
const anyChange = fc.constantFrom(stageDomain, runAction, restartService, createOrder);
const anyShare = fc.double({ min: 0, max: 1, noNaN: true });

const isBusy = ({ name }: WireFault) => name === '503 for 1 s';

/** Whether a change that meets the fault may have been carried out, and was not put off by the platform itself. */
function leavesDoubt({ name, column, unreadable }: WireFault): boolean {
  const isPutOff = name.endsWith('for 1 s');
  return unreadable === true || (column !== undefined && RETRY_TABLE.write[column].leavesDoubt && !isPutOff);
}

test('a change is never sent again without its key when it may have been carried out, and never hides that', async () => {
  await fc.assert(
    fc.asyncProperty(anyChange, someFaults, anyShare, async (operation, faults, random) => {
      const wire = await startWire();
      const path = { id: 's1', domain: 'example.com' };
      const plan = wire.on(operation.method, pathOf(operation, path));
      for (const { does } of faults) does(plan);
      plan.always(200, { success: true });
      const call = { operation, path, body: { name: operation.name }, headers: { 'Idempotency-Key': 'key-1' } };
      const sending = clientFor(wire.url, { random: () => random }).client.call(call);
      const end = await sending.catch((error) => error).finally(() => wire.close());
      const { requests } = wire;
      const met = faults.slice(0, requests.length);
      const isKeyed = operation.retry === 'keyed';
      const doubtful = met.findIndex(leavesDoubt);
      if (doubtful !== -1 && !isKeyed) expect([requests.length, end.status]).toEqual([doubtful + 1, undefined]);
      const busy = isKeyed ? met.some((fault) => isBusy(fault) || fault.name === '409') : met.slice(-1).some(isBusy);
      if (end.status === undefined) expect(end.details.outcome).toBe(doubtful !== -1 || busy ? 'unknown' : undefined);
      if (end.details?.outcome === 'unknown') expect(end).toMatchObject({ code: 'unavailable', exitCode: 8 });
      expect(requests.length).toBeLessThanOrEqual(3);
      expect(new Set(requests.map(({ body, headers }) => `${headers['idempotency-key']} ${body}`)).size).toBe(1);
    }),
    tries(300, 401),
  );
});
