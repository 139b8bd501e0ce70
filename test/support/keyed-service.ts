import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** What befalls a checkout; `after` the order was made, or before. */
export type Fate = 'ok' | 'slow' | 'lost' | 'lost-after' | '500-after' | 'unnamed' | '410' | '422';

/** See {@link keyedService}. */
export type KeyedService = Awaited<ReturnType<typeof keyedService>>;

const SLOW_MS = 40;

/**
 * Starts a platform that keeps the keys of each account apart. Requests meet these fates, in order; it ends with the test.
 * @param accountOf returns the account of an Authorization header; by default, each token has its own
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
  const answer = (response: ServerResponse, status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

  /** Notes that a request with this key is open until its answer is sent. */
  const note = (account: string, key: string, body: string, response: ServerResponse): void => {
    const seen = keys.get(key) ?? { accounts: new Set(), bodies: new Set() };
    seen.accounts.add(account);
    seen.bodies.add(body);
    keys.set(key, seen);
    if ((open.get(key) ?? 0) > 0) together.add(body);
    open.set(key, (open.get(key) ?? 0) + 1);
    response.on('close', () => open.set(key, (open.get(key) ?? 1) - 1));
  };

  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const account = accountOf(`${request.headers.authorization}`);
    const key = `${request.headers['idempotency-key']}`;
    note(account, key, body, response);
    const fate = fates.shift() ?? 'ok';
    if (fate === 'lost') return void request.socket.destroy();
    if (fate === '410' || fate === '422') return void answer(response, Number(fate), { error: `refused: ${fate}` });
    const orderId = order(account, key, body);
    if (fate === 'lost-after') return void request.socket.destroy();
    if (fate === '500-after') return void answer(response, 500, { error: 'oops' });
    if (fate === 'unnamed') return void answer(response, 200, {});
    setTimeout(() => answer(response, 201, { orderId }), fate === 'slow' ? SLOW_MS : 0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, orders, keys, together };
}
