import { Resolver } from 'node:dns/promises';
import { expect, test } from 'vitest';
import { visitSandbox } from './visit.ts';

const NEW = ['ns1.sandbox-dns.example', 'ns2.sandbox-dns.example'];
const OLD = ['ns1.old-registrar.example', 'ns2.old-registrar.example'];

/** A sandbox, Node's own resolver, and how a zone is staged. */
async function visitDns() {
  const visitor = await visitSandbox();
  const resolver = new Resolver({ timeout: 120_000, tries: 1 });
  resolver.setServers([visitor.sandbox.dnsServer]);
  const stage = (domain: string, records: readonly object[]) =>
    visitor.signedIn('POST', `/v1/services/svc_wp_7k2m9qx4/domains/${domain}/import`, { records });
  return { ...visitor, resolver, stage };
}

test('a zone is served with the old nameservers, and other names do not exist', async () => {
  const { resolver } = await visitDns();
  expect((await resolver.resolveNs('kola-studio.example')).sort()).toEqual(OLD);
  expect(await resolver.resolve6('kola-studio.example')).toEqual(['2001:db8:4b:1::24']);
  expect(await resolver.resolveCname('WWW.kola-studio.example')).toEqual(['kola-studio.example']);
  expect((await resolver.resolveTxt('k1._domainkey.kola-studio.example'))[0]?.join('')).toMatch(/^v=DKIM1.{250,}AQAB$/);
  expect(await resolver.resolveSrv('_sip._tcp.kola-studio.example')).toMatchObject([{ port: 5060, priority: 10 }]);
  expect(await resolver.resolveCaa('baobab-travel.example')).toMatchObject([{ issue: 'letsencrypt.org' }]);
  await expect(resolver.resolve4('nope.kola-studio.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  await expect(resolver.resolve4('_tcp.kola-studio.example')).rejects.toMatchObject({ code: 'ENODATA' });
  await expect(resolver.resolve4('example.com')).rejects.toMatchObject({ code: 'EREFUSED' });
});

test('five seconds after the staging the new nameservers answer, with what was staged last', async () => {
  const { resolver, stage, clock } = await visitDns();
  const record = (value: string) => ({ subdomain: '', type: 'A', value, ttl: 300 });
  await stage('kola-studio.example', [record('192.0.2.1')]);
  clock.advance(1);
  await stage('kola-studio.example', [record('192.0.2.2'), { ...record('not an address'), subdomain: 'bad' }]);
  clock.advance(4_999);
  expect((await resolver.resolveNs('kola-studio.example')).sort()).toEqual(OLD);
  expect(await resolver.resolve4('kola-studio.example')).toEqual(['203.0.113.24']);
  clock.advance(1);
  expect((await resolver.resolveNs('kola-studio.example')).sort()).toEqual(NEW);
  expect(await resolver.resolve4('kola-studio.example')).toEqual(['192.0.2.2']);
  await expect(resolver.resolve4('bad.kola-studio.example')).rejects.toMatchObject({ code: 'ESERVFAIL' });
});
