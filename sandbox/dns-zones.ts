import { isIP } from 'node:net';
import type { Answer } from 'dns-packet';
import type { ZoneRecord } from '../src/contract/types.ts';
import { NAMESERVERS, SIGNED_DOMAIN, ZONES } from './data/zones.ts';
import type { Parts } from './parts.ts';
import type { State } from './state.ts';

interface Found {
  /** The response code (RFC 1035, section 4.1.1). */
  readonly code: number;
  readonly answers: Answer[];
  /** Set in a referral: the nameservers of the zone below. */
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
export function findRecords(parts: Parts, name: string, type: string, recursive: boolean): Found {
  const answer = (...data: readonly unknown[]): Found => ({
    code: 0,
    answers: data.map((one) => ({ name, type, ttl: TTL, data: one }) as Answer),
  });
  if (!name.includes('.')) return type === 'NS' ? answer(REGISTRY) : answer();
  if (name === REGISTRY || NAMESERVERS.includes(name)) {
    return type === 'A' ? answer(LOOPBACK) : answer();
  }
  const move = lastMove(parts.store.state, name);
  const zone = ZONES.find(({ apex }) => isWithin(name, apex));
  const apex = move?.domain ?? zone?.apex;
  if (apex === undefined) {
    return { code: name.endsWith('.example') ? NXDOMAIN : REFUSED, answers: [] };
  }
  const hasMoved = hasSwitched(parts, name);
  if (name === apex && type === 'NS') {
    const found = answer(...(hasMoved ? NAMESERVERS : (zone ?? ZONES[0]).currentNameservers));
    // The registry answers, whose servers are those of the platform as well.
    return recursive || hasMoved ? found : { ...found, answers: [], authorities: found.answers };
  }
  if (name === apex && type === 'SOA') {
    return answer({ mname: NAMESERVERS[0], rname: `hostmaster.${apex}`, serial: 1, minimum: TTL });
  }
  if (name === SIGNED_DOMAIN && type === 'DS') return hasMoved ? answer() : answer(SIGNATURE);
  const usesStaged = move !== undefined && (hasMoved || !recursive);
  return lookUp(
    usesStaged ? (move.records as readonly ZoneRecord[]) : (zone?.records ?? []),
    apex,
    name,
    type,
  );
}

/** Whether the registrar has switched a domain to the sandbox's nameservers. */
export function hasSwitched(parts: Parts, domain: string): boolean {
  const move = lastMove(parts.store.state, domain);
  return move !== undefined && parts.clock.now() - move.stagedAt >= SWITCH_MS;
}

/** Of a key that no nameserver has: the switch would break the domain, if the record stayed. */
const SIGNATURE = {
  keyTag: 2371,
  algorithm: 13,
  digestType: 2,
  digest: Buffer.alloc(32, 'sandbox'),
};

function isWithin(name: string, apex: string): boolean {
  return name === apex || name.endsWith(`.${apex}`);
}

function lastMove({ staged }: State, name: string) {
  const moves = staged.filter(({ domain }) => isWithin(name, domain));
  return moves.toSorted((one, other) => one.stagedAt - other.stagedAt).at(-1);
}

function lookUp(records: readonly ZoneRecord[], apex: string, name: string, type: string): Found {
  const nameOf = ({ subdomain }: ZoneRecord) =>
    subdomain === '' ? apex : `${subdomain.toLowerCase()}.${apex}`;
  const exists = name === apex || records.some((record) => isWithin(nameOf(record), name));
  const found = records.filter(
    (record) => nameOf(record) === name && (record.type === type || record.type === 'CNAME'),
  );
  return {
    code: exists ? 0 : NXDOMAIN,
    answers: found.map(
      (record) => ({ name, type: record.type, ttl: record.ttl, data: dataOf(record) }) as Answer,
    ),
  };
}

/** The most bytes of one string of a TXT record. */
const TXT_BYTES = 255;

/** Returns the data of a record as dns-packet takes it. */
function dataOf({ type, value, priority = 0 }: ZoneRecord): unknown {
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
