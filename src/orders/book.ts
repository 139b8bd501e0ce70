import { join } from 'node:path';
import { parseJson } from '../json/values.ts';
import { openHistory } from '../store/history.ts';
import type { Machine } from '../store/machine.ts';
import { type OrderEntries, type OrderEntry, sealed, unsealed } from './order.ts';

/** How long an order is remembered. */
export const BOOK_DAYS = 366;
/** The most orders that are read. */
export const MAX_BOOKED = 10_000;

/**
 * Opens the orders that have left the journal of a configuration folder, because the user has had their answer for a day.
 * Touches the disk only when it is used.
 */
export function openBook(folder: string, machine: Machine) {
  const history = openHistory(join(folder, 'orders'), BOOK_DAYS, machine);
  return {
    /** Adds orders; they are on the disk once this returns. Throws the system's error. */
    add: (records: OrderEntries, now: number) => history.add(records.map(sealed), now, { onDisk: true }),
    /** Reads the latest {@link MAX_BOOKED} orders of a year, the oldest first; counts the lines that are damaged. */
    read(now: number) {
      const found: OrderEntry[][] = [];
      let [count, damaged] = [0, 0];
      for (const lines of history.read(now)) {
        const records = lines.flatMap((line) => unsealed(parseJson(line)) ?? []);
        damaged += lines.length - records.length;
        found.push(records);
        count += records.length;
        if (count >= MAX_BOOKED) break;
      }
      return { records: found.reverse().flat().slice(-MAX_BOOKED), damaged };
    },
  };
}
