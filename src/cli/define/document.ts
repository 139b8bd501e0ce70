import type { DocumentName, DocumentOf } from '../../contract/fields/documents.ts';
import type { CliError } from '../../errors.ts';
import { toJsonText } from '../../json/values.ts';
import type { Result } from './result.ts';

/** The version grows when a field changes its meaning or is removed. */
export const SCHEMA_VERSION = 1;

/** Returns a document of the table of fields; any other field is a compile error. */
export function document<Name extends DocumentName>(
  _name: Name,
  content: DocumentOf<Name>,
  failure?: CliError,
): Result<DocumentOf<Name>> {
  return {
    value: content,
    json: toJsonText({ schemaVersion: SCHEMA_VERSION, ...content }),
    failure,
  };
}
