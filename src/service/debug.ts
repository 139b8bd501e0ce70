import type { HttpResponse } from '../http/send.ts';
import type { TransportError } from '../http/transport-error.ts';
import type { Call } from './call.ts';
import type { Redactor } from './redact.ts';

/** See {@link createDebugLog}. */
export type DebugLog = ReturnType<typeof createDebugLog>;

const MAX_SNIPPET_LENGTH = 200;

/** Writes the lines of `--debug`: no body, no credential, and a query value only if svc made it itself. */
export function createDebugLog(sink: ((line: string) => void) | undefined, redactor: Redactor) {
  const say = (text: string) => sink?.(printable(redactor.redact(text)));
  return {
    request({ operation: { method }, showsQuery }: Call, url: URL, attempt: number, bodyBytes: number) {
      const shown = [...url.searchParams].map(([name, value]) => `${name}=${showsQuery === true ? value : '…'}`);
      const query = shown.length === 0 ? '' : `?${shown.join('&')}`;
      const body = bodyBytes === 0 ? '' : `, ${bodyBytes} bytes`;
      say(`> ${method} ${url.origin}${url.pathname}${query} (attempt ${attempt}${body})`);
    },
    answer({ status, headers }: Pick<HttpResponse, 'status' | 'headers'>, elapsedMs: number) {
      const id = headers['x-request-id'];
      const type = headers['content-type'] ?? 'no type';
      say(`< ${status} ${type}, ${Math.round(elapsedMs)} ms${id === undefined ? '' : `, request ${id}`}`);
    },
    strange(bytes: Uint8Array) {
      const text = Buffer.from(bytes).toString('utf8').trim();
      // Text that starts like JSON may be a cut answer with a secret in it.
      if (text !== '' && !/^[{["]/.test(text)) say(`< ${redactor.redact(text).slice(0, MAX_SNIPPET_LENGTH)}`);
    },
    transportError: ({ kind, message }: TransportError, elapsedMs: number) =>
      say(`! ${kind}: ${message}, ${Math.round(elapsedMs)} ms`),
    wait: (ms: number) => say(`  waiting ${(ms / 1000).toFixed(2)} s`),
  };
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e\u00a1-\u00ac\u00ae-\u024f…]+/g, ' ');
}
