// Compiled by `npm run check` and run by nobody: each line below an @ts-expect-error has a mistake
// that must not compile.

import { type Client, getUser, orderCall } from '../../src/api/call.ts';
import { document } from '../../src/cli/define/define.ts';
import type {
  DatabaseLookup,
  DnsRecord,
  Order,
  OrderBody,
  OrderItem,
} from '../../src/contract/operations.ts';
import { asObject, findField } from '../../src/json/values.ts';

/** A field of an answer, read with a dot, destructured, and nested. */
export async function answers(
  order: Order,
  database: DatabaseLookup,
  client: Client,
): Promise<unknown[]> {
  // @ts-expect-error
  const dotted = order.orderID;
  // @ts-expect-error
  const { orderId, paymentMethodd } = order;
  // @ts-expect-error
  const { nam } = asObject(database.database);
  // @ts-expect-error: a documented field has no type before it is checked
  const text: string = order.orderId;
  const { value } = await getUser(client);
  // @ts-expect-error
  const { organisation } = value;
  return [dotted, orderId, paymentMethodd, nam, text, organisation, findField(order, 'x')];
}

/** A field of a request body. */
export function bodies(): unknown[] {
  // @ts-expect-error
  const item: OrderItem = { planID: 'plan_1' };
  // @ts-expect-error: SPF is no type of record
  const type: DnsRecord['type'] = 'SPF';
  // @ts-expect-error
  const order = orderCall({ items: [], mobileMoneyFone: '+237670000042' }, 'key');
  // @ts-expect-error: the name of this field is an assumption, which svc has to ask for
  const method = (body: OrderBody) => body.paymentMethod;
  return [item, type, order, method];
}

/** A field of svc's own documents: too many, missing, and of another type. */
export function documents(): unknown[] {
  const profile = { profile: 'work', baseUrl: 'https://api.example.com' };
  return [
    document('profiles use', { ...profile, overriddenBy: null }),
    // @ts-expect-error
    document('profiles use', { ...profile, overridenBy: null }),
    // @ts-expect-error
    document('profiles use', { profile: 'work', overriddenBy: null }),
    // @ts-expect-error
    document('open', { url: 'https://dashboard.example.com', opened: 'yes' }),
  ];
}
