import { checkRecords } from '../../src/zone/records.ts';

/** Checks so many records of one name; for `stepsOf`. */
export function work(count: number): void {
  const raw = Array.from({ length: count }, (_, index) => ({
    subdomain: 'www',
    type: 'A',
    value: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
    ttl: 1,
  }));
  const { records } = checkRecords(raw, 'example.com');
  if (records.length !== count) throw new Error(`${records.length} of ${count} records can be staged`);
}
