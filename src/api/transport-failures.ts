import { CliError, type Hint } from '../errors.ts';
import { isLoopback } from '../http/address.ts';
import { describeAuthorities } from '../http/authorities.ts';
import {
  isUnknownAuthority,
  type TransportError,
  wantsClientCertificate,
} from '../http/transport-error.ts';
import type { ErrorContext } from './call.ts';
import type { Failure } from './failures.ts';
import { parseRetryAfter } from './retry.ts';
import { getFailureRule, leavesDoubt } from './statuses.ts';

/** The way out where a certificate is of an authority that this machine does not know. */
const TRUST_AUTHORITY =
  'If your network or platform has its own certificate authority, set NODE_EXTRA_CA_CERTS=<file>.';

/** The way out where a server asks svc for a certificate. */
const NO_CLIENT_CERTIFICATE =
  'svc cannot send a client certificate. Ask for an address that needs none, or use a proxy that sends it.';

/** Creates the failure of a request that got no complete answer (exit 8). */
export function createTransportFailure(
  error: TransportError,
  context: ErrorContext,
  nowMs: number,
): Failure {
  const retryAfterMs = parseRetryAfter(error.headers, nowMs);
  return {
    error: new CliError('unavailable', error.message, {
      hint: findHint(error, context),
      retryAfterSeconds: retryAfterMs && Math.ceil(retryAfterMs / 1000),
      cause: error,
    }),
    kind: error.kind,
    retryAfterMs,
  };
}

function findHint(error: TransportError, context: ErrorContext): Hint | undefined {
  const { kind, code } = error;
  const { url, operation, extraAuthorities } = context;
  if (kind === 'tls' && isUnknownAuthority(error)) {
    return describeAuthorities(extraAuthorities, url.host) ?? TRUST_AUTHORITY;
  }
  if (kind === 'tls' && wantsClientCertificate(error)) return NO_CLIENT_CERTIFICATE;
  if (code === 'PROXY_407') return 'Set a valid user name and password in HTTPS_PROXY.';
  if (code === 'ECONNREFUSED' && isLoopback(url.hostname)) {
    return {
      say: 'Nothing is running there. To start a sandbox on this machine:',
      run: ['svc sandbox'],
    };
  }
  // Of a change in doubt, other advice comes first.
  return leavesDoubt(getFailureRule(kind), operation.retry) ? undefined : 'svc doctor';
}
