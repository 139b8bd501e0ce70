import { defineCommand } from '../cli/define/define.ts';
import { required } from '../cli/values/parameters.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { usageError } from '../errors.ts';
import { formatJson } from '../terminal/safe-text.ts';
import { dim } from '../terminal/screen.ts';
import { API_OPTIONS, buildRequest } from './api/request.ts';
import { placeApiOrder, readOrder, sendRequest } from './api/send.ts';
import { previewRequest } from './shared/dry-run.ts';
import { showHeaders } from './shared/show-preview.ts';

export default defineCommand({
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

  async run(context, options) {
    const { include, dryRun, newOrder } = options;
    if (include && context.globals.json && !dryRun) {
      throw usageError(
        '--include is for people, and --json prints the answer alone.',
        'Use one of the two, or --debug.',
      );
    }

    const request = await buildRequest(context, options);
    const { call, known } = request;
    const order = known === OPERATIONS.createOrder ? readOrder(call) : undefined;
    if (newOrder && !order) {
      throw usageError('--new-order is for an order only.');
    }
    if (dryRun) return previewRequest(await context.api.client(), order?.preview() ?? call);
    if (!order) return sendRequest(request, include, context);
    return placeApiOrder(order, options, context);
  },

  human(screen, { answer, text, showsHead }) {
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
