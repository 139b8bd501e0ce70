import { CliError } from '../errors.ts';
import { isLoopback } from './address.ts';
import { notTheApi, WRONG_ADDRESS } from './api-error.ts';
import { changesSomething, type ErrorContext, type Failure } from './failure.ts';
import { requestIdOf } from './request-id.ts';
import { outcomeOfFault } from './retry.ts';
import type { Fault, WireAnswer } from './send.ts';
import type { Unreadable } from './unreadable.ts';

/** What a break on the way means: no answer, exit 8. */
export function failureOfFault(fault: Fault, context: ErrorContext): Failure {
  return {
    error: new CliError('unavailable', fault.message, { hint: hintFor(fault, context), cause: fault }),
    outcome: outcomeOfFault(fault.kind),
  };
}

/** What a 2xx means that is not the API's: a wrong address for a read, a request in doubt for a write. */
export function failureOfUnreadable(
  unreadable: Unreadable,
  answer: Pick<WireAnswer, 'status' | 'headers'>,
  context: ErrorContext,
): Failure {
  const { status, headers } = answer;
  const type = headers['content-type'] ?? '';
  const message = /\bjson\b/i.test(type)
    ? `The answer from ${context.url.host} ${unreadable.message} (${status}).`
    : notTheApi(answer, context.url);
  const inDoubt = changesSomething(context.operation);
  return {
    error: new CliError(inDoubt ? 'unavailable' : 'unexpected', message, {
      status,
      hint: inDoubt ? undefined : WRONG_ADDRESS,
      requestId: requestIdOf(headers),
      cause: unreadable,
    }),
    carriedOut: inDoubt,
  };
}

function hintFor(fault: Fault, { url, operation }: ErrorContext): string | undefined {
  if (fault.kind === 'tls' && /CERT|ISSUER|LEAF/.test(fault.code)) {
    return 'NODE_EXTRA_CA_CERTS=<file>, if your network has its own certificate authority';
  }
  if (fault.code === 'PROXY_407') return 'a valid user name and password in HTTPS_PROXY';
  if (fault.code === 'ECONNREFUSED' && isLoopback(url.hostname))
    return 'svc sandbox, to start a service on this machine';
  // Where the request may have been carried out, that comes first.
  const inDoubt = changesSomething(operation) && fault.kind !== 'not_sent' && fault.kind !== 'tls';
  return inDoubt ? undefined : 'svc doctor, to see what is in the way';
}
