import type { WantedOrder } from '../../src/orders/decide.ts';
import { hashBody, type OrderEntry } from '../../src/orders/entry.ts';

const DAY_MS = 24 * 3_600_000;

type Draft = WantedOrder['draft'];

/** Makes the entry of an order of one plan under a label, as it is before it is begun. */
export function draftOf(label: string, changes: Partial<OrderEntry> = {}): Draft {
  const body = JSON.stringify({
    items: [{ planId: 'plan_a', label }],
    mobileMoneyPhone: '+237670000042',
  });
  return {
    key: `key of ${label}`,
    ownKey: false,
    state: 'sending',
    createdAt: '',
    address: 'https://api.example.com',
    account: { profile: 'work' },
    org: undefined,
    bodyHash: hashBody(changes.body ?? body),
    summary: label,
    items: label,
    ...changes,
    body: changes.body ?? body,
  };
}

/** Makes an order that somebody wants to place. */
export function wantedOf(draft: Draft, changes: Partial<WantedOrder> = {}): WantedOrder {
  return { draft, newOrder: undefined, isResumed: false, keyLifetimeMs: DAY_MS, ...changes };
}
