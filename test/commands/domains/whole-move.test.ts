import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../sandbox/server.ts';
import type { DnsRecord } from '../../../src/spec/types.ts';
import { writeZone } from '../../../src/zone/write.ts';
import { fakeClock } from '../../support/clock.ts';
import { testKnot } from '../../support/knot.ts';
import { needs } from '../../support/needs.ts';
import { svc, temporaryFolder } from '../../support/svc.ts';

const knotd = needs('knotd', 'knot');

const OLD_ZONE = `@ A 192.0.2.1
@ MX 10 mail
@ TXT "v=spf1 mx " "-all"
@ CAA 0 issue "ca.test"
mail AAAA 2001:db8::25
www CNAME @
_dmarc TXT "v=DMARC1; p=none"
_sip._tcp SRV 10 5 5060 sip.elsewhere.test.`;

const STAGED: readonly DnsRecord[] = [
  { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 300 },
  { subdomain: '', type: 'MX', value: 'mail.moved.test', ttl: 300, priority: 10 },
  { subdomain: '', type: 'TXT', value: 'v=spf1 mx -all', ttl: 300 },
  { subdomain: 'mail', type: 'AAAA', value: '2001:db8::25', ttl: 300 },
  { subdomain: 'www', type: 'CNAME', value: 'moved.test', ttl: 300 },
  { subdomain: '_dmarc', type: 'TXT', value: 'v=DMARC1; p=none', ttl: 300 },
  { subdomain: '_sip._tcp', type: 'SRV', value: '5 5060 sip.elsewhere.test', ttl: 300, priority: 10 },
];

/** A real nameserver that is the whole DNS: the zone above, the domain, and the hosts of the nameservers. */
function dnsWith(nameserver: string, zone: string) {
  const hosts = 'ns1.old A 127.0.0.1\n@ NS ns1.old';
  return testKnot(knotd.path, [
    { name: 'test', records: `${hosts}\nmoved NS ${nameserver}.` },
    { name: 'moved.test', records: zone },
    { name: 'sandbox-dns.example', records: '@ NS ns1\nns1 A 127.0.0.1\nns2 A 127.0.0.1' },
  ]);
}

test.skipIf(knotd.missing)(
  knotd.title('a zone is staged, switched and seen to be moved, with real nameservers'),
  async () => {
    const before = await dnsWith('ns1.old.test', `@ NS ns1.old.test.\n${OLD_ZONE}`);
    const sandbox = await startSandbox({ port: 0 });
    onTestFinished(() => sandbox.close());
    const service = sandbox.listing.services[0]?.id ?? '';
    const configDir = await temporaryFolder();
    const zone = `$ORIGIN moved.test.\n$TTL 300\n${OLD_ZONE}`;
    const options = { url: sandbox.url, token: sandbox.token, configDir, clock: fakeClock(), stdin: zone };

    const add = ['domains', 'add', 'moved.test', '--service', service, '--import', '--records', '-', '--yes'];
    const refused = await svc(add, options);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('the platform does not support CAA records');
    const staged = await svc([...add, '--skip-invalid'], options);
    expect(staged.exitCode).toBe(0);
    expect(sandbox.snapshot().staged.map(({ records }) => records)).toEqual([STAGED]);

    const status = (server: { readonly at: string }, ...more: string[]) =>
      svc(['domains', 'status', 'moved.test', '--json', ...more], {
        configDir,
        clock: fakeClock(),
        env: { SVC_DNS_SERVER: server.at },
      });
    const early = await status(before);
    expect(early.exitCode).toBe(10);
    expect(early.json).toMatchObject({
      verdict: 'not_started',
      nameservers: [{ state: 'serves' }, { state: 'serves' }],
    });

    const newZone = `@ NS ns1.sandbox-dns.example.\n@ NS ns2.sandbox-dns.example.\n${writeZone(STAGED, 'moved.test').text}`;
    const after = await dnsWith('ns1.sandbox-dns.example', newZone);
    const late = await status(after, '--wait');
    expect(late).toMatchObject({ exitCode: 0, stderr: '' });
    expect(late.json).toMatchObject({
      verdict: 'complete',
      records: { staged: 7, sets: 7 },
      nameservers: [{ matching: 7 }, { matching: 7 }],
    });
  },
);
