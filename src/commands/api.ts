import type { Answer, Call } from '../api/call.ts';
import { judgeChange } from '../api/change.ts';
import { toVerdictError } from '../api/judged-errors.ts';
import type { Needs } from '../cli/define/context.ts';
import { defineCommand } from '../cli/define/define.ts';
import type { Result } from '../cli/define/result.ts';
import { required } from '../cli/values/parameters.ts';
import { changesSomething, OPERATIONS } from '../contract/operations.ts';
import { CliError, inDoubt, usageError } from '../errors.ts';
import { once } from '../once.ts';
import { type PlacedOrder, placeOrder } from '../orders/place.ts';
import { maskJson, maskText } from '../terminal/mask.ts';
import { formatJson } from '../terminal/safe-text.ts';
import { dim } from '../terminal/screen.ts';
import { previewOf, readOrder } from './api/order.ts';
import { API_OPTIONS, buildRequest, type Request } from './api/request.ts';
import { createBuyerLookup } from './buy/buyer.ts';
import { toOrderContext } from './buy/order-context.ts';
import { previewRequest } from './shared/dry-run.ts';
import { showHeaders } from './shared/show-preview.ts';

interface Answered {
  readonly answer: Answer;
  readonly shown: () => string;
  readonly showsHead: boolean;
}

export default defineCommand({
  path: 'api',
  summary: 'Call any API endpoint with your sign-in',
  description:
    'Send any request to the API, with the same sign-in, retries and errors; without --json, secrets are masked. ' +
    'Orders are confirmed, get an Idempotency-Key and are kept, as with svc buy',
  effect: 'changes',
  args: { path: required('path such as /v1/user; {service} and {org} stand for the linked ones') },
  options: API_OPTIONS,
  examples: [
    ['svc api /v1/user', 'an operation by its path'],
    ['svc api /v1/services/{service}/restart -X POST', 'on the linked service'],
    ['svc api /v1/services/{service}/actions --field action=cache.flush', 'with a body'],
  ],
  exitCodes: [
    [2, 'the request belongs to svc login'],
    [8, 'no clear answer: the change may have been made'],
    [9, 'the answer to a change says that it failed'],
  ],

  async run(context, options): Promise<Result<Answered>> {
    const { include, dryRun, newOrder } = options;
    const { json } = context.globals;
    if (include && json && !dryRun) {
      throw usageError(
        '--include is for people, and --json prints the answer alone.',
        'Use one of the two, or --debug.',
      );
    }
    const request = await buildRequest(context, options);
    const { call, known } = request;
    const order = known === OPERATIONS.createOrder ? readOrder(call) : undefined;
    if (newOrder !== undefined && order === undefined) {
      throw usageError('--new-order is for an order only.');
    }
    if (dryRun) {
      return previewRequest(
        await context.api.client(),
        order === undefined ? call : previewOf(order),
      );
    }
    if (order !== undefined) {
      const org = order.org ?? context.settings.org()?.value;
      const lookUpBuyer = createBuyerLookup(org, context);
      const asked = { ...order, org, newOrder, lookUpBuyer, browser: false };
      return orderResult(context, await placeOrder(asked, toOrderContext(context)), include);
    }
    return sendRequest(request, include, context);
  },

  human(screen, { answer, shown, showsHead }) {
    const text = shown();
    if (showsHead) {
      screen.heading(`HTTP ${answer.status}`);
      showHeaders(screen, answer.headers);
      if (text !== '') screen.line();
    }
    if (text !== '') {
      screen.verbatim(answer.value === undefined ? text : formatJson(text, { indent: true }));
    } else if (!showsHead) screen.line(dim(`Done; the answer is empty (${answer.status}).`));
  },
});

async function sendRequest(
  request: Request,
  include: boolean,
  context: Needs<'api' | 'assume' | 'io' | 'globals'>,
): Promise<Result<Answered>> {
  const { call, known } = request;
  const { method, path } = call.operation;
  const { json } = context.globals;
  if (known === OPERATIONS.stageDomain) {
    await context.io.confirmOrStop("This stages records for a domain's DNS. Send it?");
  }
  const showsHead = include || method === 'HEAD';
  const answer = await (await context.api.client()).call(call);
  if (json) checkIsJson(answer, call);
  const done = changesSomething(call.operation)
    ? `${method} ${path} was answered with ${answer.status}.`
    : undefined;
  const printed = answer.text === '' || !json ? undefined : answer.text;
  const failure = failureIn(answer, request, context);
  return {
    ...answeredWith(context, answer, answer.text, showsHead),
    json: printed,
    done,
    failure,
  };
}

function orderResult(
  context: Needs<'io' | 'globals'>,
  placed: Result<PlacedOrder>,
  include: boolean,
): Result<Answered> {
  const { answer } = placed.value;
  const shown = answeredWith(context, answer, answer.text, include);
  const delivered = async () => {
    await placed.delivered?.();
    await shown.delivered();
  };
  return { ...placed, ...shown, delivered };
}

function failureIn(answer: Answer, { call, known }: Request, { assume }: Needs<'assume'>) {
  if (!changesSomething(call.operation)) return undefined;
  const judgement = judgeChange(answer, known, assume);
  // Of an operation that svc does not know, what the answer leaves open is the caller's to read.
  const doubtful = judgement.thing === 'change' ? undefined : 'The answer contradicts itself';
  return toVerdictError(judgement, {
    failed: 'The API answered that this failed',
    ...(doubtful && { doubtful }),
  });
}

function answeredWith(
  { io, globals }: Needs<'io' | 'globals'>,
  answer: Answer,
  text: string,
  showsHead: boolean,
) {
  const shown = once(() => (answer.value === undefined ? maskText(text) : maskJson(text)));
  return {
    value: { answer, shown, showsHead },
    async delivered() {
      if (!globals.json && shown() !== text) {
        await io.note('Secrets are masked. Show them with --json.');
      }
    },
  };
}

/** Throws if the answer is not JSON; after a change, its outcome is then unknown. */
function checkIsJson(
  { text, value, status, requestId, headers }: Answer,
  { operation, settling }: Call,
): void {
  if (text === '' || value !== undefined) return;
  const type = headers['content-type'] ?? 'no content type';
  const message = `The API answered ${status}, with something that is not JSON (${type}).`;
  const details = { status, requestId };
  if (changesSomething(operation)) {
    throw inDoubt(new CliError('unexpected', message, details), settling);
  }
  throw new CliError('unexpected', message, {
    ...details,
    hint: 'Repeat the command without --json.',
  });
}
