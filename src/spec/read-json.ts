import { usageError } from '../errors.ts';
import { findJsonFault } from './json-scan.ts';

/** How strictly JSON text is read. */
export interface ReadJsonOptions {
  /** Refuses numbers that JavaScript cannot hold exactly, for values that will be sent. */
  readonly exactNumbers?: boolean;
  /** The way out; names the place in the text unless given. */
  readonly hint?: string;
}

/** Reads JSON that a user gave; `name` says in messages what it is. Throws a usage error with line and column. */
export function readJson(text: string, name: string, options: ReadJsonOptions = {}): unknown {
  const fault = findJsonFault(text, options.exactNumbers);
  if (fault === undefined) return JSON.parse(text) as unknown;
  const before = text.slice(0, fault.at);
  const line = before.split('\n').length;
  const column = fault.at - before.lastIndexOf('\n');
  throw usageError(
    `${name} cannot be read as JSON: ${fault.reason} (line ${line}, column ${column}).`,
    options.hint ?? `fix line ${line}`,
  );
}
