import type { CliError } from '../errors.ts';
import { toJsonText } from '../json/raw-json.ts';
import type { DocumentName, DocumentOf } from '../spec/fields/documents.ts';
import type { Result } from './result.ts';

/** The version of svc's own JSON documents; it grows when a field changes its meaning or is removed. */
export const SCHEMA_VERSION = 1;

/** svc's own document, by its name in the table of fields. Any other field is a compile error. */
export function document<Name extends DocumentName>(
  _name: Name,
  content: DocumentOf<Name>,
  failure?: CliError,
): Result<DocumentOf<Name>> {
  return { value: content, json: toJsonText({ schemaVersion: SCHEMA_VERSION, ...content }), failure };
}
