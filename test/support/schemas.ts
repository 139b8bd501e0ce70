import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Field, Fields } from '../../src/contract/fields/field.ts';
import type { Schema } from '../../src/contract/schema.ts';
import { isObject } from '../../src/json/values.ts';

const ajv = new Ajv2020({
  allErrors: true,
  allowUnionTypes: true,
  strict: true,
  strictTypes: false,
});
ajv.addVocabulary(['x-assumed', 'x-assumed-type', 'x-secret', 'x-unit']);
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
ajv.addFormat('uuid', /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i);
ajv.addFormat('uri', (text) => URL.canParse(text));

/** Says where a value is not what a schema describes; a schema that is none throws. */
export function faultsOf(schema: Schema, value: unknown): string[] {
  const isValid = ajv.compile(schema);
  isValid(value);
  return (isValid.errors ?? []).map(({ instancePath, message, params }) => {
    const stray = 'additionalProperty' in params ? `: ${params['additionalProperty']}` : '';
    return `${instancePath || '/'} ${message}${stray}`;
  });
}

/** The same schema, without room for other fields. */
export function closed(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_, part) =>
    isObject(part) && isObject(part['properties'])
      ? { ...part, additionalProperties: false }
      : part,
  );
}

/** The fields of an answer as svc assumes them, which is how the sandbox answers. */
export function asAssumed(fields: Fields): Fields {
  return JSON.parse(JSON.stringify(fields), (key, part) => (key === 'assumed' ? undefined : part));
}

/**
 * Returns the path of every field that the table describes, without those of a field that is like
 * another.
 */
export function pathsOf(fields: Fields, before = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]: [string, Field]) => {
    const path = `${before}${name}${field.type === 'array' ? '[]' : ''}`;
    const inner = field.sameAs === undefined ? (field.items ?? field).fields : undefined;
    return [path, ...(inner === undefined ? [] : pathsOf(inner, `${path}.`))];
  });
}

/** Returns the path of every field that a value has, in the notation of {@link pathsOf}. */
export function pathsIn(value: unknown, path = ''): string[] {
  if (Array.isArray(value))
    return [`${path}[]`, ...value.flatMap((item) => pathsIn(item, `${path}[]`))];
  if (!isObject(value)) return [path, `${path}[]`];
  const inner = Object.entries(value).flatMap(([name, own]) =>
    pathsIn(own, path === '' ? name : `${path}.${name}`),
  );
  return [path, ...inner];
}
