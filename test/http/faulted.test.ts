import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Call } from '../../src/service/call.ts';
import { OPERATIONS, type Operation } from '../../src/spec/operations.ts';
import { clientFor, pathOf } from '../support/client.ts';
import { tries } from '../support/property.ts';
import { RETRY_TABLE } from '../support/retry-table.ts';
import { startWire } from '../support/wire.ts';
import { FAULTS, type WireFault } from '../trust/faults.ts';

/** Faults that end by themselves, in turn. */
const someFaults = fc.array(fc.constantFrom(...FAULTS.filter(({ slow }) => !slow)), { minLength: 1, maxLength: 3 });

/** The platform itself says that it has not carried the request out, and when to come back. */
const isPutOff = ({ name }: WireFault) => name.endsWith('for 1 s');

/** Whether a request that meets the fault may have been carried out. */
function leavesDoubt(fault: WireFault): boolean {
  const cell = fault.column === undefined ? undefined : RETRY_TABLE.write[fault.column];
  return fault.unreadable === true || (cell?.leavesDoubt === true && !isPutOff(fault));
}

const isBusy = (fault: WireFault | undefined) => fault?.name === '503 for 1 s';

function callOf(operation: Operation): Call {
  return { operation, path: { id: 's1', domain: 'example.com', deploymentId: 'd1' }, body: { name: operation.name } };
}

/** Sends the call to a service that does these things in turn and then answers well. */
async function against(call: Call, faults: readonly WireFault[], random = 0) {
  const wire = await startWire();
  try {
    const plan = wire.on(call.operation.method, pathOf(call.operation, call.path));
    for (const { does } of faults) does(plan);
    plan.always(200, { success: true });
    const { client } = clientFor(wire.url, { random: () => random });
    const end = await client.call(call).catch((error) => error);
    expect(wire.requests.length).toBeLessThanOrEqual(3);
    return { end, requests: wire.requests, met: faults.slice(0, wire.requests.length) };
  } finally {
    await wire.close();
  }
}

const WRITES = [OPERATIONS.stageDomain, OPERATIONS.runAction, OPERATIONS.restartService];
const anyShare = fc.double({ min: 0, max: 1, noNaN: true });

test('a write is never sent again when it may have been carried out, and then says so', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...WRITES), someFaults, anyShare, async (operation, faults, random) => {
      const { end, requests, met } = await against(callOf(operation), faults, random);
      const doubtful = met.findIndex(leavesDoubt);
      if (doubtful !== -1) {
        expect(requests).toHaveLength(doubtful + 1);
        expect(end).toMatchObject({ code: 'unavailable', exitCode: 8, details: { outcome: 'unknown' } });
      } else if (end.status === undefined) {
        expect(end.details.outcome).toBe(isBusy(met.at(-1)) ? 'unknown' : undefined);
      }
    }),
    tries(150, 401),
  );
});

test('a purchase keeps its key and its bytes, and never hides that it may have been carried out', async () => {
  const call = { ...callOf(OPERATIONS.createOrder), headers: { 'Idempotency-Key': 'key-1' } };
  await fc.assert(
    fc.asyncProperty(someFaults, async (faults) => {
      const { end, requests, met } = await against(call, faults);
      const inDoubt = met.some((fault) => leavesDoubt(fault) || isBusy(fault) || fault.name === '409');
      if (end.status === undefined) expect(end.details.outcome).toBe(inDoubt ? 'unknown' : undefined);
      if (end.details?.outcome === 'unknown') expect(end.exitCode).toBe(8);
      expect(new Set(requests.map(({ body, headers }) => `${headers['idempotency-key']} ${body}`)).size).toBe(1);
    }),
    tries(150, 402),
  );
});
