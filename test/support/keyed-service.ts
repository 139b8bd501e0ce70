import type { ServerResponse } from 'node:http';
import { testService } from '../trust/service.ts';
import { send } from './wire-plan.ts';

/** What befalls a checkout; `after` the order was made, or before. */
export type Fate = 'ok' | 'slow' | 'lost' | 'lost-after' | '500-after' | 'unnamed' | '410' | '422';

const SLOW_MS = 40;

/**
 * Starts a service whose requests meet these fates, in order, and then none. Each token has an
 * account of its own.
 */
export async function keyedService(fates: Fate[], accountOf = (header: string) => header) {
  /** The bodies that were ordered, by account and then by the id of the order. */
  const orders = new Map<string, Map<string, string>>();
  const idOf = new Map<string, string>();
  /** Every key that came, with the accounts and the bodies that came with it. */
  const keys = new Map<string, { accounts: Set<string>; bodies: Set<string> }>();
  /** Bodies of which two requests with the same key were open at once. */
  const together = new Set<string>();
  const open = new Map<string, number>();

  const order = (account: string, key: string, body: string): string => {
    const id = idOf.get(`${account} ${key}`) ?? `ord_${idOf.size + 1}`;
    idOf.set(`${account} ${key}`, id);
    orders.set(account, (orders.get(account) ?? new Map()).set(id, body));
    return id;
  };
  const note = (account: string, key: string, body: string, response: ServerResponse): void => {
    const seen = keys.get(key) ?? { accounts: new Set(), bodies: new Set() };
    seen.accounts.add(account);
    seen.bodies.add(body);
    keys.set(key, seen);
    if ((open.get(key) ?? 0) > 0) together.add(body);
    open.set(key, (open.get(key) ?? 0) + 1);
    response.on('close', () => open.set(key, (open.get(key) ?? 1) - 1));
  };

  const service = await testService();
  service.expect(({ request: { headers, body, path }, response, socket }) => {
    // It does not say whose a token is.
    if (path === '/v1/user') return send(response, 200, {});
    const account = accountOf(`${headers['authorization']}`);
    const key = `${headers['idempotency-key']}`;
    note(account, key, body, response);
    const fate = fates.shift() ?? 'ok';
    if (fate === 'lost') return void socket.destroy();
    if (/^4\d\d$/.test(fate)) return send(response, Number(fate), { error: `refused: ${fate}` });
    const orderId = order(account, key, body);
    if (fate === 'lost-after') return void socket.destroy();
    if (fate === '500-after') return send(response, 500, { error: 'oops' });
    if (fate === 'unnamed') return send(response, 200, {});
    setTimeout(() => send(response, 201, { orderId }), fate === 'slow' ? SLOW_MS : 0);
  });
  return { url: service.url, orders, keys, together };
}
