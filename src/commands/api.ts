import type { Context } from '../command/context.ts';
import type { Attach, Declaration } from '../command/declaration.ts';
import { oneOf } from '../command/parse/choice.ts';
import { repeated } from '../command/parse/repeated.ts';
import type { Result } from '../command/result.ts';
import { CliError, usageError } from '../errors.ts';
import type { Answer, Call } from '../http/call.ts';
import { changesSomething } from '../http/failure.ts';
import { formatJson } from '../io/json-text.ts';
import { maskJson } from '../io/mask.ts';
import { maskText } from '../io/mask-text.ts';
import { dim, type Screen } from '../io/screen.ts';
import { once } from '../once.ts';
import { buildRequest, METHODS, type Request, type RequestOptions } from './api/build-call.ts';
import { questionFor } from './api/documented.ts';
import { orderError } from './api/order.ts';
import { readPages } from './api/pages.ts';
import { type Preview, previewed, showPreview } from './shared/dry-run.ts';

export interface ApiOptions extends RequestOptions {
  readonly include?: boolean;
  readonly dryRun?: boolean;
}

interface Answered {
  readonly answer: Answer;
  /** The body as people may see it, of all pages where there are several. */
  readonly shown: () => string;
  readonly showsHead: boolean;
}

type Value = { readonly answered: Answered } | { readonly preview: Preview };

export function define(parent: Declaration, attach: Attach): void {
  const command = parent
    .command('api')
    .summary('Send any request to the service, signed in as usual')
    .description(
      'Send any request to the service, with the same sign-in, retries and errors; without --json, secrets are masked. ' +
        'An order is confirmed and gets an Idempotency-Key as with svc buy, but it is not written down: after a lost answer, ' +
        'repeat it with the key that is shown',
    )
    .argument('<path>', 'path such as /v1/user; {service} and {org} stand for the linked ones')
    .option(
      '-X, --method <method>',
      'HTTP method (default: GET, or POST with a body)',
      oneOf('--method', METHODS, (text) => text.toUpperCase()),
    )
    .option(
      '--field <key=value>',
      'field of the body, or of the query for GET; key:=json for anything but text',
      repeated,
    )
    .option('--input <file>', 'send this file as the body; - is standard input')
    .option('-H, --header <header>', "a header, as in 'Name: value'; may be repeated", repeated)
    .option('--include', 'show the status and the headers of the answer first')
    .option(
      '--paginate',
      'follow the pages (Link header, next, nextCursor): the first page, its list extended by the others',
    )
    .option('--dry-run', 'show the request without sending it');
  attach(command, {
    run,
    human,
    examples: [
      ['svc api /v1/user', 'an operation by its path'],
      ['svc api /v1/services/{service}/restart -X POST', 'on the linked service'],
      ['svc api /v1/services/{service}/actions --field action=cache.flush', 'with a body'],
    ],
    exitCodes: [
      [2, 'the pages of --paginate cannot be joined, or the request belongs to svc login'],
      [8, 'with outcome "unknown": no answer said whether the change was made'],
    ],
  });
}

export async function run(context: Context, options: ApiOptions): Promise<Result<Value>> {
  if (options.include === true && context.settings.globals.json && options.dryRun !== true) {
    throw usageError('--include is for people, and --json prints the answer alone.', 'one of the two, or --debug');
  }
  const request = await buildRequest(context, options);
  const { call, known, orderKey } = request;
  if (options.dryRun === true) {
    const result = previewed(await context.api.client(), call);
    return { ...result, value: { preview: result.value } };
  }
  const { method, path } = call.operation;
  const question = questionFor(known);
  if (question !== undefined) await context.io.confirmOrStop(question);
  const showsHead = options.include === true || method === 'HEAD';
  if (options.paginate === true) {
    const { text, last } = await readPages(await context.api.patientClient(), call, context.settings.apiUrl().value);
    return { ...answeredWith(context, last, text, showsHead), json: text };
  }
  if (orderKey?.isGiven === false) await context.io.note(`The order has the Idempotency-Key ${orderKey.key}.`);
  const answer = await send(context, request);
  const done = changesSomething(call.operation) ? `${method} ${path} was answered with ${answer.status}.` : undefined;
  const json = answer.streamed || answer.text === '' || !context.settings.globals.json ? undefined : answer.text;
  return { ...answeredWith(context, answer, answer.text, showsHead), json, done };
}

async function send(context: Context, { call, orderKey }: Request): Promise<Answer> {
  const client = await context.api.client();
  try {
    const answer = await client.call({ ...call, stream: context.io.stream });
    if (context.settings.globals.json) checkIsJson(answer, call);
    return answer;
  } catch (error) {
    throw orderKey === undefined ? error : orderError(error, orderKey);
  }
}

/** An answer for people; where something in it is masked, a notice says how to see it. */
function answeredWith({ io, settings: { globals } }: Context, answer: Answer, text: string, showsHead: boolean) {
  const shown = once(() => (answer.value === undefined ? maskText(text) : maskJson(text)));
  return {
    value: { answered: { answer, shown, showsHead } },
    async delivered() {
      if (!globals.json && shown() !== text) await io.note('Secrets are masked. Show them with --json.');
    },
  };
}

export function human(screen: Screen, value: Value): void {
  if ('preview' in value) return void showPreview(screen, value.preview);
  const { answer, shown, showsHead } = value.answered;
  const text = shown();
  if (showsHead) {
    screen.heading(`HTTP ${answer.status}`);
    screen.rest(answer.headers);
    if (text !== '') screen.line();
  }
  if (text !== '') screen.verbatim(answer.value === undefined ? text : formatJson(text, { indent: true }));
  else if (!showsHead) screen.line(dim(`Done; the answer is empty (${answer.status}).`));
}

/** With `--json`, an answer that is not JSON is an error. After a change, it does not say what became of it. */
function checkIsJson({ streamed, text, value, status, requestId, headers }: Answer, { operation }: Call): void {
  if (streamed || text === '' || value !== undefined) return;
  const type = headers['content-type'] ?? 'no content type';
  const message = `The service answered ${status}, with something that is not JSON (${type}).`;
  const details = { status, requestId };
  throw changesSomething(operation)
    ? new CliError('unavailable', message, { ...details, outcome: 'unknown' })
    : new CliError('unexpected', message, { ...details, hint: 'the same command without --json' });
}
