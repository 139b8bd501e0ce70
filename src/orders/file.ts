import { dirname } from 'node:path';
import { type CliError, usageError } from '../errors.ts';
import {
  changeDocument,
  type DocumentKind,
  type DocumentPlace,
  readDocument,
} from '../store/document.ts';
import { cannotSave } from '../store/problem.ts';
import { hasAnswerLeft, type OrderEntries, type OrderEntry, toOrder } from './order.ts';

/** The journal's file in the configuration folder. */
export const JOURNAL_FILE = 'orders.json';

const YEAR_MS = 366 * 24 * 3_600_000;
const MAX_CLOSED = 1_000;

const ORDERS: DocumentKind<OrderEntries> = {
  format: 1,
  empty: [],
  parse({ orders }) {
    const entries = Array.isArray(orders) ? orders.map(toOrder) : [undefined];
    return entries.every((entry) => entry !== undefined) ? entries : undefined;
  },
  // A guess could buy something twice.
  damaged: (path) =>
    usageError(
      `The list of orders is damaged: ${path}.`,
      'Check which of your last orders exist, then move the file away.',
    ),
};

/** The orders of a year. Throws CliError `usage` if the file cannot be read or parsed. */
export async function readOrders({ path, machine, clock }: DocumentPlace): Promise<OrderEntries> {
  try {
    return remembered(readDocument(path, ORDERS, machine).content, clock.now());
  } catch (error) {
    throw explained(path, error);
  }
}

/**
 * Changes the file under its lock. `edit` returns the orders to write; undefined leaves the file as
 * it is.
 * @throws CliError `usage` if it cannot be read, parsed or written
 */
export async function changeOrders<T>(
  place: DocumentPlace,
  edit: (entries: OrderEntries) => readonly [OrderEntries | undefined, T],
): Promise<T> {
  try {
    return await changeDocument(place, ORDERS, ({ content, write }) => {
      const [entries, result] = edit(content);
      if (entries !== undefined) write({ orders: remembered(entries, place.clock.now()) });
      return result;
    });
  } catch (error) {
    throw explained(place.path, error);
  }
}

function explained(path: string, error: unknown): CliError {
  return cannotSave(
    'the list of orders',
    dirname(path),
    error,
    'Set SVC_CONFIG_DIR to another folder.',
  );
}

/**
 * What is not settled, whatever the clock says, and the latest of what was closed within a year;
 * without old answers.
 */
function remembered(entries: OrderEntries, now: number): OrderEntries {
  const isRecent = ({ state, createdAt }: OrderEntry) =>
    state === 'closed' && Date.parse(createdAt) > now - YEAR_MS;
  const kept = new Set(entries.filter(isRecent).slice(-MAX_CLOSED));
  return entries
    .filter((entry) => entry.state !== 'closed' || kept.has(entry))
    .map((entry) => (hasAnswerLeft(entry, now) ? entry : { ...entry, answer: undefined }));
}
