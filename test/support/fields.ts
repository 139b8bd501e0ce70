import { isObject } from '../../src/json/values.ts';
import type { Field, Fields } from '../../src/spec/fields/field.ts';

type Item = Extract<Field, { type: 'array' }>['items'];

/** Says what a value has that the table of fields does not, what it lacks, and what is of another type. */
export function faultsIn(fields: Fields, value: object, before = ''): string[] {
  const strays = Object.keys(value).filter((name) => !Object.hasOwn(fields, name));
  return [
    ...strays.map((name) => `${before}${name} is not in the table`),
    ...Object.entries(fields).flatMap(([name, field]) => {
      const path = before + name;
      const own = (value as Record<string, unknown>)[name];
      if (own === undefined) return field.optional ? [] : [`${path} is missing`];
      if (own === null) return field.nullable || field.type === 'unknown' ? [] : [`${path} is null`];
      if (field.type !== 'array') return faultsOfValue(field, own, path);
      return Array.isArray(own)
        ? own.flatMap((item, index) => faultsOfValue(field.items, item, `${path}[${index}]`))
        : [`${path} is not an array`];
    }),
  ];
}

function faultsOfValue(field: Exclude<Field, { type: 'array' }> | Item, value: unknown, path: string): string[] {
  if (field.type === 'object') {
    if (!isObject(value)) return [`${path} is not an object`];
    return field.fields === undefined ? [] : faultsIn(field.fields, value, `${path}.`);
  }
  if (!TYPES[field.type](value)) return [`${path} is not of type ${field.type}: ${JSON.stringify(value)}`];
  const words = field.enum;
  return words === undefined || words.some((word) => word === value) ? [] : [`${path} is ${value}, an unknown word`];
}

const isText = (value: unknown) => typeof value === 'string';

const TYPES: Readonly<Record<Exclude<Field['type'], 'array' | 'object'>, (value: unknown) => boolean>> = {
  string: isText,
  time: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value),
  integer: Number.isSafeInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  unknown: () => true,
};

/** Returns the path of every field that the table describes, without those of a field that is like another. */
export function pathsOf(fields: Fields, before = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = `${before}${name}${field.type === 'array' ? '[]' : ''}`;
    const value = field.type === 'array' ? field.items : field;
    const inner = value.type === 'object' && field.sameAs === undefined ? value.fields : undefined;
    return [path, ...(inner === undefined ? [] : pathsOf(inner, `${path}.`))];
  });
}

/** Returns the path of every field that a value has, in the notation of {@link pathsOf}. */
export function pathsIn(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return [`${path}[]`, ...value.flatMap((item) => pathsIn(item, `${path}[]`))];
  if (!isObject(value)) return [path, `${path}[]`];
  const inner = Object.entries(value).flatMap(([name, own]) => pathsIn(own, path === '' ? name : `${path}.${name}`));
  return [path, ...inner];
}
