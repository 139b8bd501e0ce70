import { expect, test } from 'vitest';
import { type TransportStage, toTransportError } from '../../src/http/transport-error.ts';

const LEADS = {
  not_sent: 'Cannot reach H',
  tls: 'No secure connection to H',
  reset: 'No complete answer from H',
  timeout: 'No complete answer from H',
};

// biome-ignore format: a table
test.each<[code: string, stage: TransportStage, kind: keyof typeof LEADS, words: string]>([
  ['ENOTFOUND', 'connect', 'not_sent', 'unknown host; check the spelling'],
  ['EAI_AGAIN', 'connect', 'not_sent', 'the name cannot be looked up; is this machine online?'],
  ['ECONNREFUSED', 'connect', 'not_sent', 'connection refused'],
  ['ENETUNREACH', 'connect', 'not_sent', 'the network cannot be reached; is this machine online?'],
  ['ETIMEDOUT', 'tls', 'not_sent', 'it took too long'],
  ['ETIMEDOUT', 'connect', 'not_sent', 'it took too long'],
  ['ECONNRESET', 'connect', 'not_sent', 'the connection was closed'],
  ['CERT_HAS_EXPIRED', 'tls', 'tls', 'its certificate has expired'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls', 'tls', 'this port does not seem to speak HTTPS'],
  ['ECONNRESET', 'tls', 'tls', 'the connection was closed'],
  ['ECONNRESET', 'exchange', 'reset', 'the connection was closed'],
  ['UND_ERR_SOCKET', 'exchange', 'reset', 'the connection was closed'],
  ['HPE_INVALID_CONSTANT', 'exchange', 'reset', 'the answer is not HTTP'],
  ['ETIMEDOUT', 'exchange', 'timeout', 'it took too long'],
  ['EHOSTUNREACH', 'exchange', 'reset', 'there is no route to it'],
  ['ERR_SSL_DECRYPTION_FAILED', 'exchange', 'reset', 'this port does not seem to speak HTTPS'],
  ['EWHATEVER', 'connect', 'not_sent', 'network error'],
  ['EWHATEVER', 'tls', 'tls', 'network error'],
  ['EWHATEVER', 'exchange', 'reset', 'network error'],
])('%s while in %s is %s: %s', (code, stage, kind, words) => {
  const fault = toTransportError(Object.assign(new Error('inner'), { code }), stage, 'H');
  expect(fault).toMatchObject({ kind, code, message: `${LEADS[kind]}: ${words} (${code})` });
});

test('a code that is no word of a system is not shown', () => {
  const message = 'Cannot reach H: network error (UNKNOWN)';
  expect(toTransportError({ code: '__proto__' }, 'connect', 'H')).toMatchObject({ kind: 'not_sent', message });
});
