import type { Socket } from 'node:net';
import { systemClock } from '../clock.ts';
import { connect } from './connect.ts';
import type { WireRequest } from './send.ts';

/** A connection to the request's host that is ready for HTTP, through the proxy where there is one for it. */
export async function reach(request: WireRequest, signal: AbortSignal, proxy: URL | undefined): Promise<Socket> {
  const limits = { until: systemClock.monotonic() + request.connectTimeoutMs, signal };
  if (proxy === undefined) return connect(request.url, limits);
  const { openTunnel } = await import('./tunnel.ts');
  const tunnel = await openTunnel(proxy, request.url, limits);
  return connect(request.url, limits, { tunnel });
}
