import type { CliError } from '../errors.ts';
import { toJsonText } from '../json/raw-json.ts';
import type { DocumentName, DocumentOf } from '../spec/fields/documents.ts';
import type { Result } from './result.ts';

/** The version of svc's own JSON documents; it grows when a field changes its meaning or is removed. */
export const SCHEMA_VERSION = 1;

/**
 * A result that is svc's own document. A field that the table of fields does not have is a compile error.
 * @param _name the document in the table, for the types
 */
export function document<Name extends DocumentName>(
  _name: Name,
  content: DocumentOf<Name>,
  failure?: CliError,
): Result<DocumentOf<Name>> {
  return { value: content, json: toJsonText({ schemaVersion: SCHEMA_VERSION, ...content }), failure };
}
