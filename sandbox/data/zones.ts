import type { Zone } from '../../src/contract/operations.ts';

const STUDIO_KEY =
  'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAsandboxSANDBOXsandboxSANDBOXsandboxSANDBOXsandbox' +
  'SANDBOXsandboxSANDBOXsandboxSANDBOXsandboxSANDBOXsandboxSANDBOXsandboxSANDBOXsandboxSANDBOXsandboxSANDBOXsandbox' +
  'SANDBOXsandboxSANDBOXsandboxSANDBOXsandboxSANDBOXwIDAQAB';

/** Has every record type that can be staged, and DNSSEC. */
const STUDIO_ZONE: Zone = {
  apex: 'kola-studio.example',
  currentNameservers: ['ns1.old-registrar.example', 'ns2.old-registrar.example'],
  records: [
    { subdomain: '', type: 'A', value: '203.0.113.24', ttl: 3600 },
    { subdomain: '', type: 'AAAA', value: '2001:db8:4b:1::24', ttl: 3600 },
    { subdomain: '', type: 'MX', value: 'mx1.mailhost.example', ttl: 3600, priority: 10 },
    { subdomain: '', type: 'MX', value: 'mx2.mailhost.example', ttl: 3600, priority: 20 },
    { subdomain: '', type: 'TXT', value: 'v=spf1 include:_spf.mailhost.example ~all', ttl: 3600 },
    {
      subdomain: '_dmarc',
      type: 'TXT',
      value: 'v=DMARC1; p=none; rua=mailto:dmarc@kola-studio.example',
      ttl: 3600,
    },
    { subdomain: 'k1._domainkey', type: 'TXT', value: STUDIO_KEY, ttl: 3600 },
    {
      subdomain: '_sip._tcp',
      type: 'SRV',
      value: '5 5060 sip.kola-studio.example',
      ttl: 3600,
      priority: 10,
    },
    { subdomain: 'blog', type: 'CNAME', value: 'kola-studio.example', ttl: 300 },
    { subdomain: 'sip', type: 'A', value: '203.0.113.77', ttl: 3600 },
    { subdomain: 'status', type: 'NS', value: 'ns1.statuspage.example', ttl: 86400 },
    { subdomain: 'www', type: 'CNAME', value: 'kola-studio.example', ttl: 300 },
  ],
  warnings: [
    'DNSSEC is on for kola-studio.example: remove the DS record at the registrar before you switch nameservers, ' +
      'or the domain stops resolving.',
  ],
};

/** Has a record that cannot be staged. */
const CLIENT_ZONE: Zone = {
  apex: 'baobab-travel.example',
  currentNameservers: ['a.ns.cloudhost.example', 'b.ns.cloudhost.example'],
  records: [
    { subdomain: '', type: 'A', value: '198.51.100.7', ttl: 300 },
    { subdomain: '', type: 'CAA', value: '0 issue "letsencrypt.org"', ttl: 3600 },
    { subdomain: '', type: 'MX', value: 'mail.baobab-travel.example', ttl: 3600, priority: 10 },
    { subdomain: 'mail', type: 'A', value: '198.51.100.8', ttl: 300 },
    { subdomain: 'www', type: 'CNAME', value: 'baobab-travel.example', ttl: 300 },
  ],
  warnings: ['A CAA record was found; it cannot be staged.'],
};

/** The zones that can be scanned without DNS queries. */
export const ZONES: readonly [Zone, ...Zone[]] = [STUDIO_ZONE, CLIENT_ZONE];

/** The domain whose DNSSEC is on. */
export const SIGNED_DOMAIN = STUDIO_ZONE.apex;

/** The nameservers to set at the registrar after staging. */
export const NAMESERVERS: readonly string[] = [
  'ns1.sandbox-dns.example',
  'ns2.sandbox-dns.example',
];
