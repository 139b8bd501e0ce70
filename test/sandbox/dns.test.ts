import { Resolver } from 'node:dns/promises';
import { expect, test } from 'vitest';
import { visitSandbox } from './visit.ts';

const DOMAIN = 'kola-studio.example';
const OLD = ['ns1.old-registrar.example', 'ns2.old-registrar.example'];

/** A sandbox, and Node's own resolver. */
async function visitDns() {
  const visitor = await visitSandbox();
  const resolver = new Resolver({ timeout: 120_000, tries: 1 });
  resolver.setServers([visitor.sandbox.dnsServer]);
  return { ...visitor, resolver };
}

test('a zone is served with the old nameservers, and other names do not exist', async () => {
  const { resolver } = await visitDns();
  expect((await resolver.resolveNs(DOMAIN)).sort()).toEqual(OLD);
  expect(await resolver.resolveCname(`WWW.${DOMAIN}`)).toEqual([DOMAIN]);
  expect((await resolver.resolveTxt(`k1._domainkey.${DOMAIN}`))[0]?.join('')).toMatch(
    /^v=DKIM1.{250,}AQAB$/,
  );
  await expect(resolver.resolve4(`nope.${DOMAIN}`)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  await expect(resolver.resolve4(`_tcp.${DOMAIN}`)).rejects.toMatchObject({ code: 'ENODATA' });
  await expect(resolver.resolve4('example.com')).rejects.toMatchObject({ code: 'EREFUSED' });
});

test('five seconds after the staging the new nameservers answer, with what was staged last', async () => {
  const { resolver, signedIn, clock } = await visitDns();
  for (const value of ['192.0.2.1', '192.0.2.2']) {
    const records = [{ subdomain: '', type: 'A', value, ttl: 300 }];
    await signedIn('POST', `/v1/services/svc_wp_7k2m9qx4/domains/${DOMAIN}/import`, { records });
    clock.advance(1);
  }
  clock.advance(4_998);
  expect((await resolver.resolveNs(DOMAIN)).sort()).toEqual(OLD);
  expect(await resolver.resolve4(DOMAIN)).toEqual(['203.0.113.24']);
  clock.advance(1);
  expect(await resolver.resolveNs(DOMAIN)).toContain('ns1.sandbox-dns.example');
  expect(await resolver.resolve4(DOMAIN)).toEqual(['192.0.2.2']);
});
