import type { HttpResponse } from '../http/send.ts';
import type { TransportError } from '../http/transport-error.ts';
import type { Call } from './call.ts';
import type { Redactor } from './redact.ts';

/** What `--debug` says about requests: never a body or a credential, and a query value only where svc itself made it. */
export interface DebugLog {
  request(call: Call, url: URL, attempt: number, bodyBytes: number): void;
  answer(answer: Pick<HttpResponse, 'status' | 'headers'>, elapsedMs: number): void;
  /** The beginning of an answer that is not the API's. */
  strange(bytes: Uint8Array): void;
  transportError(error: TransportError, elapsedMs: number): void;
  wait(ms: number): void;
}

/** Characters of a strange answer that are shown. */
const SNIPPET = 200;

const SILENT: DebugLog = { request() {}, answer() {}, strange() {}, transportError() {}, wait() {} };

/** Writes one line for each event to the sink; silent without one. */
export function createDebugLog(sink: ((line: string) => void) | undefined, redactor: Redactor): DebugLog {
  if (sink === undefined) return SILENT;
  const say = (text: string) => sink(printable(redactor.redact(text)));
  return {
    request({ operation: { method }, showsQuery }, url, attempt, bodyBytes) {
      const shown = [...url.searchParams].map(([name, value]) => `${name}=${showsQuery === true ? value : '…'}`);
      const query = shown.length === 0 ? '' : `?${shown.join('&')}`;
      const body = bodyBytes === 0 ? '' : `, ${bodyBytes} bytes`;
      say(`> ${method} ${url.origin}${url.pathname}${query} (attempt ${attempt}${body})`);
    },
    answer({ status, headers }, elapsedMs) {
      const id = headers['x-request-id'];
      const type = headers['content-type'] ?? 'no type';
      say(`< ${status} ${type}, ${Math.round(elapsedMs)} ms${id === undefined ? '' : `, request ${id}`}`);
    },
    strange(bytes) {
      const text = Buffer.from(bytes).toString('utf8').trim();
      // What starts like JSON may be a cut answer, with a secret in it.
      if (text !== '' && !/^[{["]/.test(text)) say(`< ${redactor.redact(text).slice(0, SNIPPET)}`);
    },
    transportError: (error, elapsedMs) => say(`! ${error.kind}: ${error.message}, ${Math.round(elapsedMs)} ms`),
    wait: (ms) => say(`  waiting ${(ms / 1000).toFixed(2)} s`),
  };
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e\u00a1-\u00ac\u00ae-\u024f…]+/g, ' ');
}
