import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  attemptTimeoutError,
  connectTimeoutError,
  proxyError,
  type TransportStage,
  toTransportError,
} from '../../src/http/transport-error.ts';
import { tries } from '../support/property.ts';

test.each([
  ['ENOTFOUND', 'connect', 'not_sent', 'Cannot reach H: unknown host; check the spelling (ENOTFOUND)'],
  [
    'EAI_AGAIN',
    'connect',
    'not_sent',
    'Cannot reach H: the name cannot be looked up; is this machine online? (EAI_AGAIN)',
  ],
  ['ECONNREFUSED', 'connect', 'not_sent', 'Cannot reach H: connection refused (ECONNREFUSED)'],
  [
    'ENETUNREACH',
    'connect',
    'not_sent',
    'Cannot reach H: the network cannot be reached; is this machine online? (ENETUNREACH)',
  ],
  ['ETIMEDOUT', 'tls', 'not_sent', 'Cannot reach H: it took too long (ETIMEDOUT)'],
  ['ETIMEDOUT', 'connect', 'not_sent', 'Cannot reach H: it took too long (ETIMEDOUT)'],
  ['ECONNRESET', 'connect', 'not_sent', 'Cannot reach H: the connection was closed (ECONNRESET)'],
  ['CERT_HAS_EXPIRED', 'tls', 'tls', 'No secure connection to H: its certificate has expired (CERT_HAS_EXPIRED)'],
  [
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'tls',
    'tls',
    'No secure connection to H: this port does not seem to speak HTTPS (ERR_SSL_WRONG_VERSION_NUMBER)',
  ],
  ['ECONNRESET', 'tls', 'tls', 'No secure connection to H: the connection was closed (ECONNRESET)'],
  ['ECONNRESET', 'exchange', 'reset', 'No complete answer from H: the connection was closed (ECONNRESET)'],
  ['UND_ERR_SOCKET', 'exchange', 'reset', 'No complete answer from H: the connection was closed (UND_ERR_SOCKET)'],
  [
    'HPE_INVALID_CONSTANT',
    'exchange',
    'reset',
    'No complete answer from H: the answer is not HTTP (HPE_INVALID_CONSTANT)',
  ],
  ['ETIMEDOUT', 'exchange', 'timeout', 'No complete answer from H: it took too long (ETIMEDOUT)'],
  ['EHOSTUNREACH', 'exchange', 'reset', 'No complete answer from H: there is no route to it (EHOSTUNREACH)'],
  [
    'ERR_SSL_DECRYPTION_FAILED',
    'exchange',
    'reset',
    'No complete answer from H: this port does not seem to speak HTTPS (ERR_SSL_DECRYPTION_FAILED)',
  ],
  ['EWHATEVER', 'connect', 'not_sent', 'Cannot reach H: network error (EWHATEVER)'],
  ['EWHATEVER', 'tls', 'tls', 'No secure connection to H: network error (EWHATEVER)'],
  ['EWHATEVER', 'exchange', 'reset', 'No complete answer from H: network error (EWHATEVER)'],
] as const)('%s while in %s is %s', (code, stage, kind, message) => {
  expect(toTransportError(Object.assign(new Error('inner'), { code }), stage, 'H')).toMatchObject({
    kind,
    code,
    message,
  });
});

test('time limits and a refusal by the proxy have messages of their own', () => {
  expect(connectTimeoutError('H')).toMatchObject({
    kind: 'not_sent',
    message: 'Cannot reach H: the connection took too long (CONNECT_TIMEOUT)',
  });
  expect(attemptTimeoutError('H', 4000)).toMatchObject({
    kind: 'timeout',
    code: 'ETIMEDOUT',
    message: 'H did not answer within 4 s (ETIMEDOUT)',
  });
  expect(proxyError('P:1', 407)).toMatchObject({ kind: 'proxy', message: 'The proxy P:1 refused the tunnel (407).' });
});

test('every thrown value becomes one line with a code and a kind that its stage allows', () => {
  const allowed: Record<TransportStage, readonly string[]> = {
    connect: ['not_sent'],
    tls: ['tls', 'not_sent'],
    exchange: ['reset', 'timeout'],
  };
  const thrown = fc.oneof(
    fc.anything(),
    fc.record({ code: fc.anything() }),
    fc.record({ code: fc.constantFrom('__proto__', 'toString', 'constructor', 'ECONNRESET', 'HPE_X', 'ERR_TLS_X') }),
  );
  fc.assert(
    fc.property(thrown, fc.constantFrom<TransportStage>('connect', 'tls', 'exchange'), (error, stage) => {
      const fault = toTransportError(error, stage, 'H');
      expect(allowed[stage]).toContain(fault.kind);
      expect(fault.message).toMatch(/^[\x20-\x7e]+ \([A-Z0-9_]+\)$/);
    }),
    tries(2_000, 421),
  );
});
