import type { Field, Fields } from './field.ts';

// What the tables of fields are written with: kinds of values, then what else is to be said of one.

type Scalar = Exclude<Field['type'], 'array' | 'object'>;

const scalar =
  <const Type extends Scalar>(type: Type) =>
  (meaning: string) =>
    ({ type, meaning }) as const;

/** Text. */
export const string = scalar('string');
/** ISO 8601 text. */
export const time = scalar('time');
/** A whole number. */
export const integer = scalar('integer');
/** Any number. */
export const number = scalar('number');
/** True or false. */
export const boolean = scalar('boolean');
/** Any JSON. */
export const any = scalar('unknown');

/** An address with its scheme. */
export function uri(meaning: string) {
  return { type: 'string', format: 'uri', meaning } as const;
}

/** One of these words. */
export function oneOf<const Words extends readonly string[]>(meaning: string, words: Words) {
  return { type: 'string', enum: words, meaning } as const;
}

/** An object with these fields. */
export function object<F extends Fields>(meaning: string, fields: F) {
  return { type: 'object', meaning, fields } as const;
}

/** An object with these fields, or null. */
export function objectOrNull<F extends Fields>(meaning: string, fields: F) {
  return orNull(object(meaning, fields));
}

/** An object that has no meaning beside those of its fields. */
export function parts<F extends Fields>(fields: F) {
  return { type: 'object', fields } as const;
}

/** An object with any fields. */
export function anyObject(meaning: string) {
  return { type: 'object', meaning } as const;
}

/** An array of objects with these fields. */
export function objects<F extends Fields>(meaning: string, fields: F) {
  return { type: 'array', items: parts(fields), meaning } as const;
}

/** An array that has no meaning beside those of the fields of its objects. */
export function rows<F extends Fields>(fields: F) {
  return { type: 'array', items: parts(fields) } as const;
}

/** An array of texts. */
export function strings(meaning: string) {
  return { type: 'array', items: { type: 'string' }, meaning } as const;
}

/** An array of any JSON. */
export function anyItems(meaning: string) {
  return { type: 'array', items: { type: 'unknown' }, meaning } as const;
}

/** An array of objects with any fields. */
export function anyObjects(meaning: string) {
  return { type: 'array', items: { type: 'object' }, meaning } as const;
}

/** It may be null. */
export function orNull<F extends Field>(field: F) {
  return { ...field, nullable: true } as const;
}

/** It may be absent. */
export function orAbsent<F extends Field>(field: F) {
  return { ...field, optional: true } as const;
}

/** A number of these units. */
export function unit<const Unit extends 's' | 'ms' | 'days', F extends Field>(of: Unit, field: F) {
  return { ...field, unit: of } as const;
}

/** It is masked for people. */
export function secret<F extends Field>(field: F) {
  return { ...field, secret: 'whole' } as const;
}

/** It is described as the field at this path is. */
export function like<F extends Field>(path: string, field: F) {
  return { ...field, sameAs: path } as const;
}

/** The API document does not show its name. */
export function unnamed<F extends Field>(field: F) {
  return { ...field, assumed: 'name' } as const;
}

/** The API document shows these fields, but not their types. */
export function untyped<F extends Fields>(fields: F) {
  return eachWith(fields, { assumed: 'type' });
}

/** The API document does not show these fields. */
export function beyond<F extends Fields>(fields: F) {
  return eachWith(fields, { assumed: 'field', optional: true });
}

function eachWith<F extends Fields, const More>(fields: F, more: More) {
  const all = Object.entries(fields).map(([name, field]) => [name, { ...field, ...more }]);
  return Object.fromEntries(all) as { readonly [Name in keyof F]: F[Name] & More };
}
