import type { Field, Fields } from './fields/field.ts';

/** A JSON Schema of draft 2020-12, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>;

/** What a schema of this draft begins with. */
export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

const SCHEMA_VERSION_FIELD = { type: 'integer', meaning: 'version of this document, now 1' } as const;

interface SchemaOptions {
  /** Types alone: no meanings, formats and units, and no field is required. */
  readonly bare?: boolean;
  /** Allows no other fields, for tests: svc and the platform may add fields at any time. */
  readonly closed?: boolean;
  /** How many levels of objects are described; default: all. */
  readonly depth?: number;
}

/** Returns the schema of an object with these fields. It may have others. */
export function schemaOf(fields: Fields, options: SchemaOptions = {}): Schema {
  const { depth = Number.POSITIVE_INFINITY } = options;
  if (depth === 0) return { type: 'object' };
  const inner = { ...options, depth: depth - 1 };
  const required = Object.keys(fields).filter((name) => fields[name]?.optional !== true);
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOfField(field, inner)])),
    ...(required.length > 0 && options.bare !== true && { required }),
    ...(options.closed === true && { additionalProperties: false }),
  };
}

/** Returns the schema of a document of svc's own making, with its version. */
export function schemaOfDocument(fields: Fields, options: SchemaOptions = {}): Schema {
  return schemaOf({ schemaVersion: SCHEMA_VERSION_FIELD, ...fields }, options);
}

function schemaOfField(field: Field, given: SchemaOptions): Schema {
  // What another document describes needs no words here.
  const options = given.bare === true && 'sameAs' in field ? { ...given, depth: 0 } : given;
  const { meaning, unit, secret, assumed } = field;
  const value =
    field.type === 'array'
      ? { type: 'array', items: schemaOfValue(field.items, options) }
      : schemaOfValue(field, options);
  const usual = 'default' in field ? field.default : undefined;
  return {
    ...(field.nullable === true ? orNull(value) : value),
    ...(options.bare !== true && {
      ...(meaning !== undefined && { description: withoutLinks(meaning) }),
      ...(usual !== undefined && { default: usual }),
      ...(unit !== undefined && { 'x-unit': unit }),
      ...(secret !== undefined && { 'x-secret': true }),
      ...(assumed !== undefined && { 'x-assumed': true }),
    }),
  };
}

type Value = Exclude<Field, { type: 'array' }> | Extract<Field, { type: 'array' }>['items'];

function schemaOfValue(value: Value, options: SchemaOptions): Schema {
  if (value.type === 'object') return value.fields === undefined ? { type: 'object' } : schemaOf(value.fields, options);
  if (value.type === 'unknown') return {};
  const { bare = false } = options;
  if (value.type === 'time') return { type: 'string', ...(!bare && { format: 'date-time' }) };
  const format = 'format' in value ? value.format : undefined;
  return {
    type: value.type,
    ...(value.enum !== undefined && { enum: [...value.enum] }),
    ...(format !== undefined && !bare && { format }),
  };
}

function orNull(schema: Schema): Schema {
  const { type, enum: words } = schema;
  if (type === undefined) return schema;
  return { ...schema, type: [type, 'null'], ...(Array.isArray(words) && { enum: [...words, null] }) };
}

/** The meanings link to sections of docs/json.md. */
function withoutLinks(meaning: string): string {
  return meaning.replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1');
}
