import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, expect } from 'vitest';
import {
  OPERATION_FIELDS,
  POLL_ERROR,
  SERVICE_ERROR,
} from '../../src/contract/fields/operations.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { toSchema } from '../../src/contract/schema.ts';
import { parseJson } from '../../src/json/values.ts';
import { takeFaults } from './printed.ts';
import { asAssumed, faultsOf } from './schemas.ts';

/**
 * Whatever a sandbox in this process answers, in any test, has the fields that openapi.json
 * describes.
 */
const seen: string[] = [];

const CONTRACTS = Object.values(OPERATIONS).map(({ name, method, path }) => ({
  name,
  method,
  path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  answer: toSchema(asAssumed(OPERATION_FIELDS[name as keyof typeof OPERATION_FIELDS].answer)),
  failure: toSchema(name === 'pollDeviceLogin' ? POLL_ERROR : SERVICE_ERROR),
}));

function judge({ method, url = '' }: IncomingMessage, status: number, text: string): void {
  const path = url.split('?')[0] ?? '';
  const contract = CONTRACTS.find((one) => one.method === method && one.path.test(path));
  const answer = parseJson(text);
  if (contract === undefined || answer === undefined) return;
  const faults = faultsOf(status < 300 ? contract.answer : contract.failure, answer);
  seen.push(
    ...faults.map((fault) => `${contract.name} (${status}): ${fault} in ${text.slice(0, 200)}`),
  );
}

/** No other server of the tests sends this header. */
const isOfSandbox = (headers: unknown) =>
  (JSON.stringify(headers) ?? '').includes('"cross-origin-resource-policy"');

const MARK = Symbol.for('svc.test.contract');

// Test files share a process, and each of them loads this file.
if (!Reflect.has(globalThis, MARK)) {
  Reflect.set(globalThis, MARK, true);
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as {
      readonly request: IncomingMessage;
      readonly response: ServerResponse;
    };
    const { writeHead, write, end } = response;
    const chunks: Uint8Array[] = [];
    let isWatched = false;
    const keep = (chunk: unknown) => {
      if (typeof chunk === 'string') chunks.push(Buffer.from(chunk));
      if (chunk instanceof Uint8Array) chunks.push(chunk);
    };
    response.writeHead = (...given: unknown[]) => {
      isWatched ||= given.some(isOfSandbox);
      return Reflect.apply(writeHead, response, given);
    };
    response.write = (...given: unknown[]) => {
      keep(given[0]);
      return Reflect.apply(write, response, given);
    };
    response.end = (...given: unknown[]) => {
      keep(given[0]);
      if (isWatched) judge(request, response.statusCode, Buffer.concat(chunks).toString('utf8'));
      return Reflect.apply(end, response, given);
    };
  });
}

afterEach(() => {
  expect([...seen.splice(0), ...takeFaults()]).toEqual([]);
});
