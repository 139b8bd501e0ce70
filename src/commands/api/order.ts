import { randomUUID } from 'node:crypto';
import type { Call } from '../../api/call.ts';
import { IDEMPOTENCY_HEADER, ORG_HEADER } from '../../contract/operations.ts';
import { usageError } from '../../errors.ts';
import { toJsonText } from '../../json/raw-json.ts';
import { asText, isObject, parseJson } from '../../json/values.ts';
import { parseOrderKey } from '../../orders/entry.ts';

/** An order that `svc api` sends. */
export type ApiOrder = ReturnType<typeof readOrder>;

/** Throws a usage error for a body that is no JSON object, and for a key that cannot be sent. */
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
  const named = (header: string) =>
    Object.keys(headers).find((name) => name.toLowerCase() === header.toLowerCase());
  const keyName = named(IDEMPOTENCY_HEADER) ?? '';
  const { [keyName]: keyGiven, ...others } = headers;
  const key = keyGiven ?? asText(fields['idempotencyKey']);
  return {
    body: text,
    key: key === undefined ? undefined : parseOrderKey(key, 'The idempotency key'),
    org: headers[named(ORG_HEADER) ?? ''],
    // The order says how to settle it, with its key.
    callWith: (bytes: Uint8Array, its: string): Call => ({
      ...call,
      body: bytes,
      settling: { lines: [] },
      headers: { ...others, [IDEMPOTENCY_HEADER]: its },
    }),
  };
}

/** The request of an order as `--dry-run` shows it. */
export function previewOf({ body, key = randomUUID(), callWith }: ApiOrder): Call {
  return callWith(Buffer.from(body), key);
}
