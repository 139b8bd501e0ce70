import { isIP } from 'node:net';
import type { Answer } from 'dns-packet';
import type { ZoneRecord } from '../src/contract/operations.ts';
import { NAMESERVERS, SIGNED_DOMAIN, ZONES } from './data/zones.ts';
import type { Parts } from './parts.ts';
import type { State } from './state.ts';

interface DnsAnswer {
  /** The response code (RFC 1035, section 4.1.1). */
  readonly code: number;
  readonly answers: Answer[];
  /** The nameservers of the zone below, in a referral. */
  readonly authorities?: Answer[];
}

const NXDOMAIN = 3;
const REFUSED = 5;
const TTL = 300;
const LOOPBACK = '127.0.0.1';
const REGISTRY = 'ns.registry.example';
const SWITCH_MS = 5_000;

/**
 * Answers a query. As a resolver (`recursive`) it sees the zone of the nameservers in use, as a
 * nameserver it has the staged zone. Throws if a staged value is not data of its type.
 * @param name in lower case
 */
export function findRecords(
  parts: Parts,
  name: string,
  type: string,
  recursive: boolean,
): DnsAnswer {
  const isTopLevel = !name.includes('.');
  if (isTopLevel && type === 'NS') return answer(name, type, REGISTRY);
  const isServer = name === REGISTRY || NAMESERVERS.includes(name);
  if (isServer && type === 'A') return answer(name, type, LOOPBACK);
  if (isTopLevel || isServer) return answer(name, type);

  const view = findZoneView(parts, name, recursive);
  if (view === undefined) {
    return { code: name.endsWith('.example') ? NXDOMAIN : REFUSED, answers: [] };
  }
  const atApex = name === view.apex ? findAtApex(view, type, recursive) : undefined;
  return atApex ?? lookUp(view.records, view.apex, name, type);
}

/** A zone as it is seen now. */
interface ZoneView {
  readonly apex: string;
  readonly hasMoved: boolean;
  readonly nameservers: readonly string[];
  readonly records: readonly ZoneRecord[];
}

function findZoneView(parts: Parts, name: string, recursive: boolean): ZoneView | undefined {
  const move = findLastMove(parts.store.state, name);
  const zone = ZONES.find(({ apex }) => isWithin(name, apex));
  const apex = move?.domain ?? zone?.apex;
  if (apex === undefined) return undefined;

  const hasMoved = hasSwitched(parts, name);
  const usesStaged = move !== undefined && (hasMoved || !recursive);
  return {
    apex,
    hasMoved,
    nameservers: hasMoved ? NAMESERVERS : (zone ?? ZONES[0]).currentNameservers,
    records: usesStaged ? (move.records as readonly ZoneRecord[]) : (zone?.records ?? []),
  };
}

/** Finds what stands at an apex beside its records. */
function findAtApex(
  { apex, hasMoved, nameservers }: ZoneView,
  type: string,
  recursive: boolean,
): DnsAnswer | undefined {
  if (type === 'NS') {
    const found = answer(apex, type, ...nameservers);
    // The registry answers, whose servers are those of the platform as well.
    return recursive || hasMoved ? found : { ...found, answers: [], authorities: found.answers };
  }
  if (type === 'SOA') {
    const mname = NAMESERVERS[0];
    return answer(apex, type, { mname, rname: `hostmaster.${apex}`, serial: 1, minimum: TTL });
  }
  if (apex !== SIGNED_DOMAIN || type !== 'DS') return undefined;
  return hasMoved ? answer(apex, type) : answer(apex, type, SIGNATURE);
}

function answer(name: string, type: string, ...data: readonly unknown[]): DnsAnswer {
  return {
    code: 0,
    answers: data.map((datum) => ({ name, type, ttl: TTL, data: datum }) as Answer),
  };
}

/** Says whether the registrar has switched a domain to the sandbox's nameservers. */
export function hasSwitched(parts: Parts, domain: string): boolean {
  const move = findLastMove(parts.store.state, domain);
  return move !== undefined && parts.clock.now() - move.stagedAt >= SWITCH_MS;
}

/**
 * The DS record of a key that no nameserver has: if it stayed, the switch would break the domain.
 */
const SIGNATURE = {
  keyTag: 2371,
  algorithm: 13,
  digestType: 2,
  digest: Buffer.alloc(32, 'sandbox'),
};

function isWithin(name: string, apex: string): boolean {
  return name === apex || name.endsWith(`.${apex}`);
}

function findLastMove({ staged }: State, name: string) {
  const moves = staged.filter(({ domain }) => isWithin(name, domain));
  return moves.toSorted((one, other) => one.stagedAt - other.stagedAt).at(-1);
}

function lookUp(
  records: readonly ZoneRecord[],
  apex: string,
  name: string,
  type: string,
): DnsAnswer {
  const getName = ({ subdomain }: ZoneRecord) =>
    subdomain === '' ? apex : `${subdomain.toLowerCase()}.${apex}`;
  const exists = name === apex || records.some((record) => isWithin(getName(record), name));
  const found = records.filter(
    (record) => getName(record) === name && (record.type === type || record.type === 'CNAME'),
  );
  return {
    code: exists ? 0 : NXDOMAIN,
    answers: found.map(
      (record) =>
        ({ name, type: record.type, ttl: record.ttl, data: toRecordData(record) }) as Answer,
    ),
  };
}

/** The most bytes of one string of a TXT record. */
const TXT_BYTES = 255;

/** Returns the data of a record as dns-packet takes it. */
function toRecordData({ type, value, priority = 0 }: ZoneRecord): unknown {
  const [first = '', second = '', third = ''] = value.split(' ');
  switch (type) {
    case 'MX':
      return { preference: priority, exchange: value };
    case 'SRV':
      return { priority, weight: Number(first), port: Number(second), target: third };
    case 'CAA':
      return { flags: Number(first), tag: second, value: third.replaceAll('"', '') };
    case 'TXT': {
      const bytes = Buffer.from(value);
      const strings = Math.max(1, Math.ceil(bytes.length / TXT_BYTES));
      return Array.from({ length: strings }, (_, index) =>
        bytes.subarray(TXT_BYTES * index, TXT_BYTES * (index + 1)),
      );
    }
    case 'A':
    case 'AAAA':
      if (isIP(value) === 0) throw new Error('not an address');
      return value;
    default:
      return value;
  }
}
