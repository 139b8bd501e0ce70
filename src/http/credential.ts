import { CliError, usageError } from '../errors.ts';
import { type Operation, SANDBOX_TOKEN_PREFIX, SESSION_COOKIE } from '../spec/operations.ts';
import { isLoopback } from './address.ts';

/** The sign-in that requests carry. */
export interface ClientCredential {
  readonly kind: 'bearer' | 'session';
  readonly token: string;
  /** What gave it, as a person would name it, such as `SVC_TOKEN`. */
  readonly source: string;
}

const LONGEST_TOKEN = 4096;

/**
 * The one header that carries the sign-in to an operation; none where the operation takes none.
 * @throws CliError before anything is sent: `unauthenticated` where there is no sign-in that the operation takes,
 * `usage` where it would travel unprotected.
 */
export function credentialHeaders(
  operation: Operation,
  credential: ClientCredential | undefined,
  url: URL,
  allowHttp: boolean,
  explainMissing = (): CliError =>
    new CliError('unauthenticated', `Not signed in to ${url.host}.`, { hint: 'svc login, or set SVC_TOKEN' }),
): Record<string, string> {
  if (operation.credentials === 'none') return {};
  if (credential === undefined) throw explainMissing();
  const { kind, token, source } = credential;
  if (kind === 'session' && operation.credentials === 'token') {
    throw new CliError('unauthenticated', `This needs an API token; ${source} holds a dashboard session.`, {
      hint: 'svc login, or set SVC_TOKEN',
    });
  }
  checkToken(credential);
  checkDestination(credential, url, allowHttp);
  return kind === 'bearer' ? { authorization: `Bearer ${token}` } : { cookie: `${SESSION_COOKIE}=${token}` };
}

function checkToken({ kind, token, source }: ClientCredential): void {
  const usable = kind === 'bearer' ? /^[\x21-\x7e]+$/ : /^[\x21-\x3a\x3c-\x7e]+$/;
  if (usable.test(token) && token.length <= LONGEST_TOKEN) return;
  throw new CliError('unauthenticated', `The token from ${source} is damaged: it cannot be sent.`, {
    hint: 'svc login',
  });
}

function checkDestination({ token, source }: ClientCredential, url: URL, allowHttp: boolean): void {
  if (isLoopback(url.hostname)) return;
  if (token.startsWith(SANDBOX_TOKEN_PREFIX)) {
    throw new CliError('unauthenticated', `The token from ${source} is one of the sandbox; it stays on this machine.`, {
      hint: `svc login --api-url ${url.origin}`,
    });
  }
  if (url.protocol !== 'https:' && !allowHttp) {
    throw usageError(
      `${url.origin} is plain http: the token from ${source} would travel unprotected.`,
      'an https address, or SVC_ALLOW_HTTP=1',
    );
  }
}
