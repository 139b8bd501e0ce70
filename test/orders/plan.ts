import type { Asking, OrderPlan } from '../../src/orders/journal.ts';
import { contentsOf, fingerprint } from '../../src/orders/order.ts';

/** An order of one plan under a label. */
export function planOf(label: string, changes: Partial<OrderPlan> = {}): OrderPlan {
  const usual = JSON.stringify({
    items: [{ planId: 'plan_a', label }],
    mobileMoneyPhone: '+237670000042',
  });
  const { body = usual } = changes;
  return {
    address: 'https://api.example.com',
    account: { profile: 'work' },
    org: undefined,
    body,
    contents: contentsOf(body),
    fingerprint: fingerprint(body),
    summary: label,
    items: label,
    key: undefined,
    isNew: false,
    isResumed: false,
    ...changes,
  };
}

/** The way of somebody who agrees to everything, and has a journal. */
export const AGREES: Asking = {
  patienceMs: 120_000,
  agree: async () => {},
  async doWithout(error) {
    throw error;
  },
};
