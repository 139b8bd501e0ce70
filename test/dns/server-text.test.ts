import { expect, test } from 'vitest';
import { readServer, showServer } from '../../src/dns/server.ts';

test.each([
  ['ns1.example.com', 'ns1.example.com', 53],
  ['NS1.Example.COM.', 'ns1.example.com', 53],
  ['localhost:5353', 'localhost', 5353],
  ['192.0.2.1', '192.0.2.1', 53],
  ['192.0.2.1:5300', '192.0.2.1', 5300],
  ['::1', '::1', 53],
  ['[2001:db8::1]', '2001:db8::1', 53],
  ['[::1]:65535', '::1', 65_535],
  ['ns1.bücher.example', 'ns1.xn--bcher-kva.example', 53],
])('%s is a server', (text, host, port) => {
  const server = readServer(text, '--nameserver');
  expect(server).toEqual({ host, port });
  expect(readServer(showServer(server), '--nameserver')).toEqual(server);
});

test('what is no host, no address or has an odd port is refused', () => {
  const ports = ['ns1.example.com:', 'ns1.example.com:0', 'ns1.example.com:65536', 'ns1.example.com:1e3'];
  const names = ['', ' ', ':53', 'ns1 example.com', '-ns1.example.com', 'ns1..example.com', '%31%32'];
  const numbers = ['1.2.3', '1.2.3.4.5', '999.0.0.1', '[::1', '[1.2.3.4]:53', 'fe80::1%eth0', '[fe80::1%eth0]:53'];
  const addresses = ['https://ns1.example.com', 'ns1.example.com/53', 'user@ns1.example.com'];
  for (const text of [...ports, ...names, ...numbers, ...addresses, `${'a'.repeat(64)}.example`]) {
    expect(() => readServer(text, 'SVC_DNS_SERVER'), text).toThrow(/^SVC_DNS_SERVER/);
  }
});
