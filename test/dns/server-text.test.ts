import { expect, test } from 'vitest';
import { readServer, showServer } from '../../src/dns/client.ts';

test.each([
  ['NS1.Example.COM.', 'ns1.example.com', 53],
  ['localhost:5353', 'localhost', 5353],
  ['192.0.2.1:5300', '192.0.2.1', 5300],
  ['::1', '::1', 53],
  ['[::1]:65535', '::1', 65_535],
  ['ns1.bücher.example', 'ns1.xn--bcher-kva.example', 53],
])('%s is a server', (text, host, port) => {
  const server = readServer(text, '--nameserver');
  expect(server).toEqual({ host, port });
  expect(readServer(showServer(server), '--nameserver')).toEqual(server);
});

test.each([
  'ns1.example.com:',
  'ns1.example.com:0',
  'ns1.example.com:65536',
  '',
  ':53',
  'ns1 example.com',
  '-ns1.example.com',
  '%31%32',
  '1.2.3',
  '999.0.0.1',
  '[::1',
  '[1.2.3.4]:53',
  'fe80::1%eth0',
  'https://ns1.example.com',
  `${'a'.repeat(64)}.example`,
])('%j is no host, no address or has an odd port, and is refused', (text) => {
  expect(() => readServer(text, 'SVC_DNS_SERVER')).toThrow(/^SVC_DNS_SERVER/);
});
