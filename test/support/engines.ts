import { onTestFinished } from 'vitest';
import type { ProxyFor } from '../../src/http/address.ts';
import { createPooledSend, createSingleSend } from '../../src/http/engines.ts';
import {
  type HttpRequest,
  type HttpResponse,
  type Send,
  TransportError,
} from '../../src/http/send.ts';
import { testWire } from './wire.ts';
import type { WirePlan } from './wire-plan.ts';

/** Every engine, made for the running test: what one does, all do. */
export const ENGINES: ReadonlyArray<readonly [name: string, make: (proxyFor?: ProxyFor) => Send]> =
  [
    ['single', createSingleSend],
    ['undici', undiciForTest],
  ];

function undiciForTest(proxyFor?: ProxyFor): Send {
  const { send, close } = createPooledSend(createSingleSend(proxyFor), proxyFor);
  onTestFinished(close);
  return send;
}

/** A GET with limits that a test on loopback never reaches. */
export function requestTo(url: string, more: Partial<HttpRequest> = {}): HttpRequest {
  return {
    method: 'GET',
    url: new URL(url),
    headers: { accept: 'application/json' },
    connectTimeoutMs: 120_000,
    timeoutMs: 120_000,
    signal: new AbortController().signal,
    ...more,
  };
}

/** The whole body of an answer, one character a byte. */
export async function textOf(answer: HttpResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
}

export async function faultOf(work: Promise<unknown>): Promise<TransportError> {
  const error = await work.then(
    () => 'an answer',
    (reason) => reason,
  );
  if (error instanceof TransportError) return error;
  throw new Error(`expected a fault, got ${error}`, { cause: error });
}

/** Sends a request for `/x` to a wire with this plan. */
export async function exchange(
  send: Send,
  plan: (plan: WirePlan) => unknown,
  more: Partial<HttpRequest> = {},
) {
  const wire = await testWire();
  plan(wire.on(more.method ?? 'GET', '/x'));
  const sent = send(requestTo(`${wire.url}/x`, more));
  sent.catch(() => undefined);
  return { wire, sent };
}
