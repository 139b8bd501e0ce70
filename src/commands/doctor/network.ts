import type { Context } from '../../command/context.ts';
import { isLoopback } from '../../http/address.ts';
import { mediaTypeOf } from '../../http/failures.ts';
import type { HttpResponse } from '../../http/send.ts';
import { TransportError } from '../../http/transport-error.ts';
import type { Check } from './check.ts';

/** Seconds that this clock may differ from the service's before expiry dates are misread. */
const TOLERATED_SKEW_SECONDS = 300;
const CONNECT_TIMEOUT_MS = 10_000;

/** Which address requests go to, and what gave it. */
export function checkAddress({ settings }: Context): Check {
  const address = settings.findApiUrl();
  if (address === undefined) {
    return { name: 'address', state: 'bad', found: 'No service address is set.', fix: 'svc login --api-url <address>' };
  }
  const { hostname, protocol } = new URL(address.value);
  const plain = protocol === 'http:' && !isLoopback(hostname);
  return {
    name: 'address',
    state: plain ? 'note' : 'good',
    found: `${address.value} (${address.where})`,
    fix: plain ? 'use https: a token over plain http can be read on the way' : null,
  };
}

/** Whether the service answers at all: DNS, TCP, TLS, HTTP, and how far the clocks are apart. */
export async function checkReachable({ settings, api: { send }, system: { signal, clock } }: Context): Promise<Check> {
  const address = settings.findApiUrl();
  if (address === undefined)
    return { name: 'network', state: 'note', found: 'not checked without an address', fix: null };
  const startedAt = clock.monotonic();
  try {
    const answer = await (await send())({
      method: 'GET',
      url: new URL(`${address.value}/v1/user`),
      headers: { accept: 'application/json' },
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      timeoutMs: CONNECT_TIMEOUT_MS,
      signal,
    });
    for await (const _ of answer.body) break;
    return judge(answer, Math.round(clock.monotonic() - startedAt), clock.now());
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return { name: 'network', state: 'bad', found: error.message, fix: FIXES[error.kind] };
  }
}

/** What an answer says of the way to the service, whatever it says of the sign-in. */
function judge({ status, headers }: Pick<HttpResponse, 'status' | 'headers'>, tookMs: number, nowMs: number): Check {
  const name = 'network';
  if (!/\bjson\b/i.test(headers['content-type'] ?? '')) {
    const type = mediaTypeOf(headers);
    const fix = status >= 500 ? 'wait: the service may be down' : 'the address of the API; something else answers here';
    return { name, state: 'bad', found: `answers with ${type} (${status}), not as the API does`, fix };
  }
  const skewSeconds = skewOf(headers['date'], nowMs);
  if (Math.abs(skewSeconds) <= TOLERATED_SKEW_SECONDS) {
    return { name, state: 'good', found: `answers in ${tookMs} ms`, fix: null };
  }
  const direction = skewSeconds > 0 ? 'ahead' : 'behind';
  const found = `answers in ${tookMs} ms; this clock is ${Math.abs(skewSeconds)} s ${direction}`;
  return { name, state: 'note', found, fix: 'set the clock of this machine' };
}

const FIXES: Readonly<Record<TransportError['kind'], string>> = {
  not_sent: 'check the address, the network and its name server',
  tls: 'if the certificate is of your own authority: NODE_EXTRA_CA_CERTS=/path/to/ca.pem',
  reset: 'check that the address is that of the service',
  timeout: 'try again; check firewalls and proxies',
  proxy: 'check HTTPS_PROXY and its user name and password',
};

function skewOf(date: string | undefined, nowMs: number): number {
  const there = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(there) ? 0 : Math.round((nowMs - there) / 1000);
}
