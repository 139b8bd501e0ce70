import { CliError } from '../errors.ts';
import type { Sink } from './sink.ts';

/** The text is not one whole JSON value. */
export class JsonTextError extends CliError {
  /** Where it went wrong, in bytes from the start. */
  readonly offset: number;

  constructor(reason: string, offset: number) {
    super('unexpected', `The answer is not valid JSON: ${reason} at byte ${offset}.`);
    this.name = 'JsonTextError';
    this.offset = offset;
  }
}

/** How JSON text is passed on. */
export interface JsonTextOptions {
  /** Lays the value out over lines, two spaces deep, for a terminal. */
  readonly indent?: boolean;
}

/** The text of a JSON value, checked and made safe for a terminal; numbers stay as they were written. Throws JsonTextError. */
export function formatJson(_text: string | Uint8Array, _options: JsonTextOptions = {}): string {
  return '';
}

/** A value of svc's own as JSON text, safe for a terminal. */
export function stringifyDocument(_value: unknown, _options: JsonTextOptions = {}): string {
  return '';
}

/** Takes the bytes of one JSON value as they arrive, checks them and passes them on to a sink, with a newline at the end. */
export function jsonStream(
  _sink: Sink,
  _options: JsonTextOptions = {},
): { write(chunk: Uint8Array): Promise<void>; end(): Promise<void> } {
  return { async write() {}, async end() {} };
}
