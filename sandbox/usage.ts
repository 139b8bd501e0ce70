import type { Service } from './data/services.ts';

const MIB = 1024 * 1024;
const DAY_SECONDS = 24 * 60 * 60;
const HISTORY_SECONDS = 30 * DAY_SECONDS;
/** How many instants of a bucket are averaged. */
const SAMPLES = 6;
const REQUEST_BYTES = 900;
const ANSWER_BYTES = 34_000;

/**
 * How much a kind of service uses; `requestsPerSecond` at the busiest, and 0 for a service without
 * requests.
 */
const LOADS = {
  wordpress: {
    idleCpu: 3,
    busyCpu: 58,
    memoryMib: 410,
    diskMib: 2_300,
    requestsPerSecond: 4.5,
    responseTimeMs: 210,
  },
  app: {
    idleCpu: 1.5,
    busyCpu: 41,
    memoryMib: 265,
    diskMib: 640,
    requestsPerSecond: 11,
    responseTimeMs: 64,
  },
  vps: {
    idleCpu: 6,
    busyCpu: 35,
    memoryMib: 1_240,
    diskMib: 17_800,
    requestsPerSecond: 0,
    responseTimeMs: 0,
  },
} as const satisfies Record<Service['kind'], object>;

/** A range in seconds since the epoch, in buckets of `step` seconds. */
export interface UsageRange {
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

/**
 * Creates the usage of a service in buckets that begin at multiples of `step`. It depends on the
 * service and the time only, so the same question has the same answer. It covers the last 30 days,
 * and nothing of the future.
 */
export function createUsageHistory(
  service: Service,
  { start, end, step }: UsageRange,
  now: number,
) {
  const first = Math.ceil(Math.max(start, now - HISTORY_SECONDS) / step) * step;
  const points: ReturnType<typeof createUsagePoint>[] = [];
  for (let bucket = first; bucket < end && bucket <= now; bucket += step) {
    points.push(createUsagePoint(service, bucket, step));
  }
  return points;
}

/** The names of the series of a service. */
export function listSeries(service: Service): string[] {
  const { timestamp: _, ...values } = createUsagePoint(service, 0, 1);
  return Object.keys(values);
}

/** The usage in one time bucket, as operation 7 answers it; `timestamp` is its start. */
function createUsagePoint(service: Service, bucket: number, step: number) {
  const load = LOADS[service.kind];
  const samples = Array.from(
    { length: SAMPLES },
    (_, index) => bucket + ((index + 0.5) * step) / SAMPLES,
  );
  const traffic = service.live ? mean(samples.map((at) => trafficAt(service.id, at))) : 0;
  const backup = service.live ? mean(samples.map((at) => backupAt(service.id, at))) : 0;
  const requests = Math.round(load.requestsPerSecond * traffic * step);
  const cpu = service.live
    ? load.idleCpu + (load.busyCpu - load.idleCpu) * traffic + 22 * backup
    : 0;
  // Disks fill up during a month and are cleaned at its end.
  const disk = load.diskMib * MIB * (1 + 0.004 * ((bucket / DAY_SECONDS) % 30));
  const memory = service.live
    ? load.memoryMib * MIB * (0.72 + 0.28 * traffic + 0.05 * wave(service.id, bucket, 9_000))
    : 0;
  const other = 2_400 * step * (0.3 + traffic);
  return {
    timestamp: new Date(bucket * 1_000).toISOString(),
    cpuPercent: Math.round(Math.min(cpu, 99) * 10) / 10,
    memoryBytes: Math.round(memory / 4_096) * 4_096,
    diskBytes: Math.round(disk / 4_096) * 4_096,
    networkInBytes: service.live ? Math.round(requests * REQUEST_BYTES + other) : 0,
    networkOutBytes: service.live ? Math.round(requests * ANSWER_BYTES + other * 1.4) : 0,
    ...(load.requestsPerSecond > 0 && {
      requests,
      errors: Math.round(requests * 0.004 * wave(`${service.id} errors`, bucket, 3_600) ** 3),
      responseTimeMs:
        requests === 0
          ? 0
          : Math.round(load.responseTimeMs * (0.8 + 0.9 * traffic ** 2 + 0.4 * backup)),
    }),
  };
}

/** Traffic from 0.04 (at night) to 1 (on a busy evening) in UTC+1. */
function trafficAt(serviceId: string, at: number): number {
  const hour = at / 3_600 + 1;
  const daily = 0.45 + 0.36 * turn(hour - 16.5, 24) + 0.1 * turn(hour - 20.5, 12);
  const weekday = (Math.floor(at / DAY_SECONDS) + 4) % 7;
  const weekly = weekday === 0 || weekday === 6 ? 0.78 : 1;
  const restless =
    0.82 + 0.22 * wave(serviceId, at, 1_800) + 0.14 * wave(`${serviceId} quick`, at, 240);
  return Math.min(1, Math.max(0.04, daily) * weekly * restless);
}

function turn(hours: number, period: number): number {
  return Math.cos((2 * Math.PI * hours) / period);
}

/** 1 during the nightly backup (twenty minutes, between 02:00 and 02:50 UTC by service), else 0. */
function backupAt(serviceId: string, at: number): number {
  const start = 2 * 3_600 + hash(serviceId) * 1_800;
  const sinceStart = (at % DAY_SECONDS) - start;
  return sinceStart >= 0 && sinceStart < 1_200 ? 1 : 0;
}

/** Smooth noise from 0 to 1 that takes a new value every `period` seconds. */
function wave(name: string, at: number, period: number): number {
  const index = Math.floor(at / period);
  const share = at / period - index;
  const smooth = share * share * (3 - 2 * share);
  return hash(`${name} ${index}`) * (1 - smooth) + hash(`${name} ${index + 1}`) * smooth;
}

/** Maps a text to a number from 0 to 1 (FNV-1a, mixed). */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return ((value ^ (value >>> 13)) >>> 0) / 0xffffffff;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
