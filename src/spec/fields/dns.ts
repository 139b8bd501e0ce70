import type { Fields } from './field.ts';

/** A DNS record in the form that staging takes. */
export const DNS_RECORD = {
  subdomain: { type: 'string', meaning: 'label below the apex; empty for the apex' },
  type: { type: 'string', enum: ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SRV'], meaning: 'record type' },
  value: { type: 'string', meaning: 'record value' },
  ttl: { type: 'integer', unit: 's', meaning: 'time to live' },
  priority: { type: 'integer', optional: true, meaning: 'for MX and SRV, 0 to 65535' },
} as const satisfies Fields;

/** A record that a scan found: of any type, and perhaps in another form. */
const SCANNED_RECORD = {
  ...DNS_RECORD,
  type: { type: 'string', assumed: 'type', meaning: 'record type' },
} as const satisfies Fields;

/** Body of operation 4. */
export const SCAN_BODY = {
  domain: { type: 'string', meaning: 'the apex domain' },
} as const satisfies Fields;

/** Answer to operation 4. */
export const DOMAIN_SCAN = {
  apex: { type: 'string', assumed: 'type', meaning: 'the apex domain' },
  currentNameservers: {
    type: 'array',
    assumed: 'type',
    meaning: 'nameservers of the domain now',
    items: { type: 'string' },
  },
  records: {
    type: 'array',
    assumed: 'type',
    meaning: 'records that were found, for staging',
    items: { type: 'object', fields: SCANNED_RECORD },
  },
  warnings: { type: 'array', assumed: 'type', meaning: 'sentences for people', items: { type: 'string' } },
} as const satisfies Fields;

/** Body of operation 5. */
export const STAGING_BODY = {
  records: {
    type: 'array',
    meaning: 'records to stage, such as those of a scan',
    items: { type: 'object', fields: DNS_RECORD },
  },
} as const satisfies Fields;

/** Answer to operation 5. */
export const STAGED_DOMAIN = {
  nameservers: {
    type: 'array',
    assumed: 'type',
    meaning: 'nameservers to set at the registrar',
    items: { type: 'string' },
  },
  stagedRecords: {
    type: 'array',
    assumed: 'type',
    meaning: 'records that are staged',
    items: { type: 'object', fields: SCANNED_RECORD },
  },
} as const satisfies Fields;
