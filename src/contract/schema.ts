import type { Field, Fields } from './fields/field.ts';

/** A JSON Schema of draft 2020-12, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>;

/** The address with which a schema of this draft begins. */
export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

const SCHEMA_VERSION_FIELD = {
  type: 'integer',
  meaning: 'version of this document, now 1',
} as const;

/**
 * Creates the schema of an object. Other fields are welcome. Of an answer, no field or type is
 * demanded that the API document does not show.
 */
export function toSchema(fields: Fields): Schema {
  const required = Object.entries(fields).filter(
    ([, field]) => field.optional !== true && isShown(field),
  );
  return {
    type: 'object',
    properties: toProperties(fields),
    ...(required.length > 0 && { required: required.map(([name]) => name) }),
  };
}

/** Creates the schema of a document, which has a version. */
export function toDocumentSchema(fields: Fields): Schema {
  return toSchema({ schemaVersion: SCHEMA_VERSION_FIELD, ...fields });
}

/** Whether the API document shows the field and its type, or the field is svc's own. */
function isShown({ assumed }: Field): boolean {
  return assumed === undefined || assumed === 'name';
}

function toProperties(fields: Fields): Schema {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, toFieldSchema(field)]),
  );
}

function toFieldSchema(field: Field): Schema {
  const { meaning, unit, secret, assumed, default: usual } = field;
  return {
    ...(isShown(field) ? toTypedSchema(field) : toUntypedSchema(field)),
    ...withoutAbsent({
      description: meaning?.replace(LINK, '$1'),
      default: usual,
      'x-unit': unit,
      'x-secret': secret && true,
      'x-assumed': assumed && true,
    }),
  };
}

function toTypedSchema(field: Field): Schema {
  const { items, nullable } = field;
  const schema = items ? { type: 'array', items: toValueSchema(items) } : toValueSchema(field);
  const { type, enum: words }: Schema = schema;
  if (!nullable || type === undefined) return schema;
  return {
    ...schema,
    type: [type, 'null'],
    ...(Array.isArray(words) && { enum: [...words, null] }),
  };
}

function toUntypedSchema(field: Field): Schema {
  const { type, fields } = field.items ?? field;
  const inside = fields && { properties: toProperties(fields) };
  return {
    'x-assumed-type': field.items ? `${type}[]` : type,
    ...(field.items && inside ? { items: inside } : inside),
  };
}

function toValueSchema({ type, fields, enum: words, format }: Field): Schema {
  if (fields !== undefined) return toSchema(fields);
  if (type === 'unknown') return {};
  if (type === 'time') return { type: 'string', format: 'date-time' };
  return withoutAbsent({ type, enum: words, format });
}

function withoutAbsent(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}

/** A link of Markdown, whose text stays. */
const LINK = /\[([^[\]]*)\]\([^()]*\)/g;
