import { integer, objects, oneOf, orAbsent, string, strings, unit, withoutType } from './make.ts';

/** A DNS record in the form that staging takes. */
export const DNS_RECORD = {
  subdomain: string('label below the apex; empty for the apex'),
  type: oneOf('record type', ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SRV']),
  value: string('record value'),
  ttl: unit('s', integer('time to live')),
  priority: orAbsent(integer('for MX and SRV, 0 to 65535')),
};

/** A record that the platform answers: of any type, and perhaps in another form. */
const ANSWERED_RECORD = withoutType({ ...DNS_RECORD, type: string('record type') });

/** Body of operation 4. */
export const SCAN_BODY = {
  domain: string('the apex domain'),
};

/** Answer to operation 4. */
export const DOMAIN_SCAN = {
  ...withoutType({
    apex: string('the apex domain'),
    currentNameservers: strings('nameservers of the domain now'),
  }),
  records: objects('records that were found, for staging', ANSWERED_RECORD),
  ...withoutType({ warnings: strings('sentences for people') }),
};

/** Body of operation 5. */
export const STAGING_BODY = {
  records: objects('records to stage, such as those of a scan', DNS_RECORD),
};

/** Answer to operation 5. */
export const STAGED_DOMAIN = withoutType({
  nameservers: strings('nameservers to set at the registrar'),
  stagedRecords: objects('records that are staged', ANSWERED_RECORD),
});
