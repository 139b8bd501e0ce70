import { OPERATIONS, RECORD_TYPES, type Zone } from '../../src/contract/operations.ts';
import { visibleService } from '../caller.ts';
import { NAMESERVERS, ZONES } from '../data/zones.ts';
import { hasSwitched } from '../dns-zones.ts';
import { type BodyReader, createBodyReader, DOMAIN_RULE } from '../fields.ts';
import { type Route, signedInRoute } from '../route.ts';
import type { StagedZone } from '../state.ts';
import { Refusal } from '../web/refusal.ts';

const MAX_RECORDS = 10_000;
const HIGHEST_TTL = 2 ** 31 - 1;
/** Labels below the apex; the first may be `*`. */
const SUBDOMAIN =
  /^(?:\*|[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$|^$/i;

/** Operations 4 and 5. */
export const DOMAIN_ROUTES: readonly Route[] = [
  signedInRoute(OPERATIONS.scanDomain, async (parts, request) => {
    const fields = createBodyReader(await request.body());
    const domain = fields.requiredText('domain', DOMAIN_RULE).toLowerCase();
    fields.refuseIfWrong();
    const zone = ZONES.find(({ apex }) => apex === domain);
    if (zone !== undefined) {
      return { status: 200, body: hasSwitched(parts, domain) ? moved(zone) : zone };
    }
    const known = ZONES.map(({ apex }) => apex).join(' and ');
    throw new Refusal(404, `There is no zone for ${domain}. The sandbox has ${known}.`);
  }),

  signedInRoute(OPERATIONS.stageDomain, async (parts, request, caller) => {
    const service = visibleService(parts, request.params['id'], caller);
    const fields = createBodyReader({
      ...(await request.body()),
      domain: request.params['domain'],
    });
    const domain = fields.requiredText('domain', DOMAIN_RULE).toLowerCase();
    const records = fields.list('records', MAX_RECORDS).map(readRecord);
    fields.refuseIfWrong();
    const zone: StagedZone = {
      serviceId: service.id,
      domain,
      records,
      stagedAt: parts.clock.now(),
    };
    const others = parts.store.state.staged.filter(
      (each) => each.serviceId !== service.id || each.domain !== domain,
    );
    parts.store.commit({ staged: [...others, zone] });
    return { status: 200, body: { nameservers: NAMESERVERS, stagedRecords: records } };
  }),
];

/** Returns a zone as the scan finds it once the registrar has switched it: without the DS record. */
function moved(zone: Zone): Zone {
  const warnings = Array.isArray(zone.warnings)
    ? zone.warnings.filter((text) => !String(text).includes('DNSSEC'))
    : [];
  return { ...zone, currentNameservers: [...NAMESERVERS], warnings };
}

/** Reads the five fields of a record; ignores others. */
function readRecord(fields: BodyReader): object {
  if (!fields.has('subdomain')) fields.fault('subdomain', 'is required; empty for the apex');
  const rule = { max: 253, pattern: SUBDOMAIN, form: 'a label below the apex, or empty' };
  const subdomain = fields.text('subdomain', rule);
  if (!fields.has('type')) fields.fault('type', 'is required');
  const type = fields.choice('type', RECORD_TYPES);
  const value = fields.requiredText('value', { max: 65_535 });
  if (!fields.has('ttl')) fields.fault('ttl', 'is required');
  const ttl = fields.wholeNumber('ttl', 0, HIGHEST_TTL);
  const priority = fields.wholeNumber('priority', 0, 65_535);
  if (fields.has('priority') && type !== undefined && type !== 'MX' && type !== 'SRV') {
    fields.fault('priority', 'is for MX and SRV only');
  }
  return { subdomain, type, value, ttl, ...(priority !== undefined && { priority }) };
}
