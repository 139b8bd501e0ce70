import type { Context } from '../command/context.ts';
import type { Attach, Declaration } from '../command/declaration.ts';
import { oneOf } from '../command/parse/choice.ts';
import { repeated } from '../command/parse/repeated.ts';
import type { Result } from '../command/result.ts';
import { CliError, usageError } from '../errors.ts';
import type { Answer } from '../http/call.ts';
import { changesSomething } from '../http/failure.ts';
import { formatJson } from '../io/json-text.ts';
import { maskJson } from '../io/mask.ts';
import { maskText } from '../io/mask-text.ts';
import { dim, type Screen } from '../io/screen.ts';
import { once } from '../once.ts';
import { buildCall, METHODS, type RequestOptions } from './api/build-call.ts';
import { questionFor } from './api/documented.ts';
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
      'Send any request to the service, with the same sign-in, retries and errors; without --json, secrets are masked',
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
    .option('--paginate', 'follow the pages (Link header, next, nextCursor) and join their lists into one')
    .option('--dry-run', 'show the request without sending it');
  attach(command, {
    run,
    human,
    examples: [
      ['svc api /v1/user', 'an operation by its path'],
      ['svc api /v1/services/{service}/restart -X POST', 'on the linked service'],
      ['svc api /v1/services/{service}/actions --field action=cache.flush', 'with a body'],
    ],
  });
}

export async function run(context: Context, options: ApiOptions): Promise<Result<Value>> {
  if (options.include === true && context.globals.json && options.dryRun !== true) {
    throw usageError('--include is for people, and --json prints the answer alone.', 'one of the two, or --debug');
  }
  const call = await buildCall(context, options);
  if (options.dryRun === true) {
    const result = previewed(await context.client(), call);
    return { ...result, value: { preview: result.value } };
  }
  const { method, path } = call.operation;
  const question = questionFor(method, path);
  if (question !== undefined) await context.confirm(question);
  const showsHead = options.include === true || method === 'HEAD';
  if (options.paginate === true) {
    const { text, last } = await readPages(await context.patientClient(), call, context.settings.apiUrl().value);
    return { ...answeredWith(context, last, text, showsHead), json: text };
  }
  const answer = await (await context.client()).call({ ...call, stream: context.stream });
  const done = changesSomething(call.operation) ? `${method} ${path} was answered with ${answer.status}.` : undefined;
  return { ...answeredWith(context, answer, answer.text, showsHead), json: jsonOf(answer, context), done };
}

/** An answer for people; where something in it is masked, a notice says how to see it. */
function answeredWith({ io, globals }: Context, answer: Answer, text: string, showsHead: boolean) {
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

/** What `--json` prints: nothing for an empty answer, and an error for one that is no JSON. */
function jsonOf(answer: Answer, { globals }: Context): string | undefined {
  if (answer.streamed || answer.text === '' || !globals.json) return undefined;
  if (answer.value !== undefined) return answer.text;
  const type = answer.headers['content-type'] ?? 'no content type';
  throw new CliError(
    'unexpected',
    `The service answered ${answer.status}, with something that is not JSON (${type}).`,
    {
      status: answer.status,
      requestId: answer.requestId,
      hint: 'the same command without --json',
    },
  );
}
