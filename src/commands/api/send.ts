import { randomUUID } from 'node:crypto';
import type { Answer, Call } from '../../api/call.ts';
import { judgeChange } from '../../api/change.ts';
import { type Judgement, toVerdictError } from '../../api/verdict.ts';
import type { Context, Needs } from '../../cli/define/context.ts';
import type { Result } from '../../cli/define/define.ts';
import {
  changesSomething,
  IDEMPOTENCY_HEADER,
  OPERATIONS,
  ORG_HEADER,
} from '../../contract/operations.ts';
import { CliError, inDoubt, usageError } from '../../errors.ts';
import { asText, isObject, parseJson, toJsonText } from '../../json/values.ts';
import { parseOrderKey } from '../../orders/entry.ts';
import { placeOrder } from '../../orders/place.ts';
import { maskJson, maskText } from '../../terminal/mask.ts';
import { createBuyerLookup } from '../shared/membership.ts';
import type { Request, RequestOptions } from './request.ts';

/** Sends a request that is no order. */
export async function sendRequest(
  { call, known }: Request,
  include: boolean,
  context: Needs<'api' | 'assume' | 'io' | 'globals'>,
): Promise<Result<ReturnType<typeof toShownAnswer>>> {
  const { method, path } = call.operation;
  if (known === OPERATIONS.stageDomain) {
    await context.io.confirmOrStop("This stages records for a domain's DNS. Send it?");
  }

  const client = await context.api.client();
  const answer = await client.call(call);
  if (context.globals.json) checkIsJson(answer, call);

  const isChange = changesSomething(call.operation);
  const value = toShownAnswer(answer, include || method === 'HEAD');
  return {
    value,
    json: answer.text || undefined,
    doneSentence: isChange ? `${method} ${path} was answered with ${answer.status}.` : undefined,
    failure: isChange ? findFailure(judgeChange(answer, known, context.assume)) : undefined,
    async onDelivered() {
      if (!context.globals.json && value.text !== answer.text) {
        await context.io.note('Secrets are masked. Show them with --json.');
      }
    },
  };
}

/** Makes an answer as people see it: with its secrets masked. */
function toShownAnswer(answer: Answer, showsHead: boolean) {
  const text = answer.value === undefined ? maskText(answer.text) : maskJson(answer.text);
  return { answer, text, showsHead };
}

function findFailure(judgement: Judgement) {
  const failed = 'The API answered that this failed';
  // Of an operation that svc does not know, what the answer leaves open is the caller's to read.
  if (judgement.thing === 'change') return toVerdictError(judgement, { failed });
  return toVerdictError(judgement, { failed, doubtful: 'The answer contradicts itself' });
}

/** @throws CliError if the answer is not JSON; after a change, its outcome is then unknown. */
function checkIsJson(
  { text, value, status, requestId, headers }: Answer,
  { operation, settling }: Call,
) {
  if (text === '' || value !== undefined) return;

  const type = headers['content-type'] ?? 'no content type';
  const message = `The API answered ${status}, with something that is not JSON (${type}).`;
  const hint = 'Repeat the command without --json.';
  const error = new CliError('unexpected', message, { status, requestId });
  throw changesSomething(operation) ? inDoubt(error, settling) : error.with({ hint });
}

/** @throws CliError `usage` for a body that is no JSON object, and for a key that cannot be sent. */
export function readOrder({ accept: _accept, ...call }: Call) {
  const { body, headers = {} } = call;
  const text = body instanceof Uint8Array ? Buffer.from(body).toString() : toJsonText(body);
  const fields = parseJson(text);
  if (!isObject(fields)) {
    throw usageError(
      'An order is a JSON object.',
      `For example: --field 'items:=[{"planId":"…"}]'`,
    );
  }
  const {
    [IDEMPOTENCY_HEADER.toLowerCase()]: givenKey = asText(fields['idempotencyKey']),
    ...otherHeaders
  } = headers;
  const key = givenKey === undefined ? undefined : parseOrderKey(givenKey, 'The idempotency key');
  const callWith = (bytes: Uint8Array, sentKey: string): Call => ({
    ...call,
    body: bytes,
    // The order says how to settle it, with its key.
    settling: { lines: [] },
    headers: { ...otherHeaders, [IDEMPOTENCY_HEADER]: sentKey },
  });
  return {
    body: text,
    key,
    org: headers[ORG_HEADER.toLowerCase()],
    callWith,
    /** The request as `--dry-run` shows it. */
    preview: () => callWith(Buffer.from(text), key ?? randomUUID()),
  };
}

/** Places an order as `svc buy` does. */
export async function placeApiOrder(
  order: ReturnType<typeof readOrder>,
  { include, newOrder }: RequestOptions,
  context: Context,
) {
  const org = order.org ?? context.settings.org()?.value;
  const lookUpBuyer = createBuyerLookup(org, context);
  const placed = await placeOrder({ ...order, org, newOrder, lookUpBuyer }, context);
  return { ...placed, value: toShownAnswer(placed.value.answer, include) };
}
