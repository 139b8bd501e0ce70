import { randomUUID } from 'node:crypto';
import type { Call } from '../../api/call.ts';
import type { Context } from '../../cli/define/context.ts';
import { IDEMPOTENCY_HEADER, ORG_HEADER } from '../../contract/operations.ts';
import { usageError } from '../../errors.ts';
import { toJsonText } from '../../json/raw-json.ts';
import { asText, isObject, parseJson } from '../../json/values.ts';
import { parseOrderKey } from '../../orders/entry.ts';
import { placeOrder } from '../../orders/place.ts';
import { createBuyerLookup } from '../shared/membership.ts';
import type { RequestOptions } from './request.ts';
import { toShownAnswer } from './send.ts';

/** An order that `svc api` sends. */
type ApiOrder = ReturnType<typeof readOrder>;

/** @throws CliError `usage` for a body that is no JSON object, and for a key that cannot be sent. */
export function readOrder({ accept: _accept, ...call }: Call) {
  const { body, headers = {} } = call;
  const text =
    body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : toJsonText(body ?? null);
  const fields = parseJson(text);
  if (!isObject(fields)) {
    throw usageError(
      'An order is a JSON object.',
      `For example: --field 'items:=[{"planId":"…"}]'`,
    );
  }
  const { [IDEMPOTENCY_HEADER.toLowerCase()]: givenKey, ...otherHeaders } = headers;
  const key = givenKey ?? asText(fields['idempotencyKey']);
  return {
    body: text,
    key: key === undefined ? undefined : parseOrderKey(key, 'The idempotency key'),
    org: headers[ORG_HEADER.toLowerCase()],
    callWith: (bytes: Uint8Array, sentKey: string): Call => ({
      ...call,
      body: bytes,
      // The order says how to settle it, with its key.
      settling: { lines: [] },
      headers: { ...otherHeaders, [IDEMPOTENCY_HEADER]: sentKey },
    }),
  };
}

/** Returns the request of an order as `--dry-run` shows it. */
export function previewOrder({ body, key = randomUUID(), callWith }: ApiOrder): Call {
  return callWith(Buffer.from(body), key);
}

/** Places an order as `svc buy` does. */
export async function placeApiOrder(
  order: ApiOrder,
  { include, newOrder }: RequestOptions,
  context: Context,
) {
  const org = order.org ?? context.settings.org()?.value;
  const lookUpBuyer = createBuyerLookup(org, context);
  const placed = await placeOrder({ ...order, org, newOrder, lookUpBuyer }, context);
  return { ...placed, value: toShownAnswer(placed.value.answer, include) };
}
