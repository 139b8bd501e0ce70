import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EXIT_CODES, toErrorObject } from '../../src/errors.ts';
import { isKnownEncoding } from '../../src/http/decompressed.ts';
import type { Send } from '../../src/http/send.ts';
import type { Call } from '../../src/service/call.ts';
import { OPERATIONS, type Operation } from '../../src/spec/operations.ts';
import { CANARY, cliErrorOf, clientFor } from '../support/client.ts';
import { tries } from '../support/property.ts';
import { startWire, type WirePlan } from '../support/wire.ts';

/** Faults of a service, and whether the request may have been carried out. */
const FAULTS: ReadonlyArray<readonly [name: string, plan: (plan: WirePlan) => WirePlan, inDoubt: boolean]> = [
  ['reset', (plan) => plan.reset(), true],
  ['hang up', (plan) => plan.hangUp(), true],
  ['half a body', (plan) => plan.cut(200, { success: true, message: 'restarted' }, 9), true],
  ['half a chunked body', (plan) => plan.cut(200, { success: true }, 9, { chunked: true }), true],
  ['half an error', (plan) => plan.cut(503, { error: 'a longer text' }, 9), true],
  ['another protocol', (plan) => plan.raw('SSH-2.0-OpenSSH\r\n'), true],
  ['a broken length', (plan) => plan.raw('HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n{}'), true],
  ['half of the JSON', (plan) => plan.reply(200, '{"success":'), true],
  ['a page', (plan) => plan.reply(200, '<html>', { 'content-type': 'text/html' }), true],
  ['nothing', (plan) => plan.reply(204), true],
  ['408', (plan) => plan.reply(408), true],
  ['500', (plan) => plan.reply(500, { error: 'no' }), true],
  ['502', (plan) => plan.reply(502, '<html>', { 'content-type': 'text/html' }), true],
  ['503', (plan) => plan.reply(503), true],
  ['504', (plan) => plan.reply(504), true],
  ['520', (plan) => plan.reply(520), true],
  ['503 for 1 s', (plan) => plan.reply(503, {}, { 'retry-after': '1' }), false],
  ['429 for 1 s', (plan) => plan.reply(429, {}, { 'retry-after': '1' }), false],
  ['429 for an hour', (plan) => plan.reply(429, {}, { 'retry-after': '3600' }), false],
  ['429', (plan) => plan.reply(429), false],
  ['425', (plan) => plan.reply(425), false],
  ['400', (plan) => plan.reply(400, { error: { field: 'is wrong' } }), false],
  ['401', (plan) => plan.reply(401), false],
  ['403', (plan) => plan.reply(403), false],
  ['404', (plan) => plan.reply(404), false],
  ['422', (plan) => plan.reply(422), false],
  ['307', (plan) => plan.reply(307, {}, { location: 'https://evil.example/' }), false],
];

const WRITES = [OPERATIONS.stageDomain, OPERATIONS.runAction, OPERATIONS.restartService];
const READS = Object.values(OPERATIONS).filter(({ retry }) => retry === 'read' || retry === 'scan');

function callOf(operation: Operation): Call {
  return { operation, path: { id: 's1', domain: 'example.com', deploymentId: 'd1' }, body: { name: operation.name } };
}

function pathOf({ operation, path }: Call): string {
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => path?.[name] ?? '');
}

/** Sends the call to a service that does these things in turn and then answers well. */
async function against(call: Call, faults: ReadonlyArray<(typeof FAULTS)[number]>, random: number) {
  const wire = await startWire();
  try {
    const plan = wire.on(call.operation.method, pathOf(call));
    for (const [, add] of faults) add(plan);
    plan.always(200, { success: true });
    const { client } = clientFor(wire.url, { random: () => random });
    const end = await client.call(call).catch((error) => error);
    return { end, requests: wire.requests };
  } finally {
    await wire.close();
  }
}

const someFaults = fc.array(fc.constantFrom(...FAULTS), { minLength: 1, maxLength: 3 });

test('a write is never sent again when it may have been carried out, and then says so', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...WRITES),
      someFaults,
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (operation, faults, random) => {
        const { end, requests } = await against(callOf(operation), faults, random);
        const met = faults.slice(0, requests.length);
        const doubtful = met.findIndex(([, , inDoubt]) => inDoubt);
        if (doubtful !== -1) {
          expect(requests).toHaveLength(doubtful + 1);
          expect(end).toMatchObject({ code: 'unavailable', exitCode: 8, details: { outcome: 'unknown' } });
        } else if (end.status === undefined) {
          const exhausted = met.at(-1)?.[0] === '503 for 1 s';
          expect(end.details.outcome).toBe(exhausted ? 'unknown' : undefined);
        }
        expect(requests.length).toBeLessThanOrEqual(3);
      },
    ),
    tries(150, 401),
  );
});

test('a purchase keeps its key and its bytes, and never hides that it may have been carried out', async () => {
  const call = { ...callOf(OPERATIONS.createOrder), headers: { 'Idempotency-Key': 'key-1' } };
  await fc.assert(
    fc.asyncProperty(someFaults, async (faults) => {
      const { end, requests } = await against(call, faults, 0);
      const inDoubt = faults.slice(0, requests.length).some(([name, , doubt]) => doubt || name === '503 for 1 s');
      if (end.status === undefined) expect(end.details.outcome).toBe(inDoubt ? 'unknown' : undefined);
      if (end.details?.outcome === 'unknown') expect(end.exitCode).toBe(8);
      expect(new Set(requests.map(({ body, headers }) => `${headers['idempotency-key']} ${body}`)).size).toBe(1);
      expect(requests.length).toBeLessThanOrEqual(3);
    }),
    tries(150, 402),
  );
});

test('a read ends with an answer or an error of the table, and is never in doubt', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...READS), someFaults, async (operation, faults) => {
      const { end, requests } = await against(callOf(operation), faults, 0);
      if (end.status === undefined) {
        expect(Object.keys(EXIT_CODES)).toContain(end.code);
        expect(end.details).toMatchObject({ attempts: requests.length });
        expect(end.details.outcome).toBeUndefined();
      }
      expect(requests.length).toBeLessThanOrEqual(3);
    }),
    tries(150, 403),
  );
});

test('only a complete JSON object with a 2xx counts as success', async () => {
  const body = fc.oneof(
    fc.json().map((text) => Buffer.from(text)),
    fc.json().map((text) => Buffer.from(text).subarray(0, -1)),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.record({ error: fc.anything() }).map((value) => Buffer.from(JSON.stringify(value) ?? '')),
    fc.constantFrom('{}', '{"a":1}', '[]', '', 'null', '<html>', '\uFEFF{}').map((text) => Buffer.from(text)),
  );
  const header = fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) });
  const names = ['content-type', 'content-encoding', 'location', 'retry-after', 'date', 'x-request-id'];
  const headers = fc.dictionary(
    fc.constantFrom(...names),
    fc.oneof(header, fc.constantFrom('application/json', '5', '//x')),
  );
  const status = fc.oneof(fc.integer({ min: 200, max: 599 }), fc.constantFrom(200, 201, 400, 401, 422, 429));
  await fc.assert(
    fc.asyncProperty(
      status,
      headers,
      body,
      fc.constantFrom(OPERATIONS.getUser, OPERATIONS.restartService),
      async (...given) => {
        const [code, head, bytes, operation] = given;
        const send: Send = async () => ({ status: code, headers: head, body: chunksOf(bytes) });
        const { client } = clientFor('https://api.example.test', { send, retry: false });
        const isObject = /^\uFEFF?\s*\{/.test(bytes.toString());
        const work = client.call(callOf(operation));
        if (code < 300 && isObject && isJson(bytes) && isKnownEncoding(head)) {
          expect((await work).status).toBe(code);
          return;
        }
        const error = await cliErrorOf(work);
        expect(error.exitCode).toBe(EXIT_CODES[error.code].exit);
        expect(JSON.stringify(toErrorObject(error))).not.toContain(CANARY);
        expect(error.message.length).toBeLessThan(2_000);
      },
    ),
    tries(5_000, 404),
  );
});

async function* chunksOf(bytes: Buffer): AsyncIterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 7) yield bytes.subarray(start, start + 7);
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}
