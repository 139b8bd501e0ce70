import type { Field, Fields } from './field.ts';

const scalar =
  <const Type extends Exclude<Field['type'], 'array' | 'object'>>(type: Type) =>
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
export const uri = (meaning: string) => ({ ...string(meaning), format: 'uri' }) as const;
/** One of these words. */
export const oneOf = <const Words extends readonly string[]>(meaning: string, words: Words) =>
  ({ ...string(meaning), enum: words }) as const;

/** An object without a meaning of its own. */
export const parts = <F extends Fields>(fields: F) => ({ type: 'object', fields }) as const;
/** An object with these fields. */
export const object = <F extends Fields>(meaning: string, fields: F) =>
  ({ ...parts(fields), meaning }) as const;
/** An object with these fields, or null. */
export const objectOrNull = <F extends Fields>(meaning: string, fields: F) =>
  orNull(object(meaning, fields));
/** An object with any fields. */
export const anyObject = (meaning: string) => ({ type: 'object', meaning }) as const;

const arrayOf = <const Item>(items: Item) => ({ type: 'array', items }) as const;

/** An array of objects, without a meaning of its own. */
export const rows = <F extends Fields>(fields: F) => arrayOf(parts(fields));
/** An array of objects with these fields. */
export const objects = <F extends Fields>(meaning: string, fields: F) =>
  ({ ...rows(fields), meaning }) as const;
/** An array of objects with any fields. */
export const anyObjects = (meaning: string) =>
  ({ ...arrayOf({ type: 'object' }), meaning }) as const;
/** An array of texts. */
export const strings = (meaning: string) => ({ ...arrayOf({ type: 'string' }), meaning }) as const;
/** An array of any JSON. */
export const anyItems = (meaning: string) =>
  ({ ...arrayOf({ type: 'unknown' }), meaning }) as const;

/** It may be null. */
export const orNull = <F extends Field>(field: F) => ({ ...field, nullable: true }) as const;
/** It may be absent. */
export const orAbsent = <F extends Field>(field: F) => ({ ...field, optional: true }) as const;
/** A number of these units. */
export const unit = <const Unit extends 's' | 'ms' | 'days', F extends Field>(of: Unit, field: F) =>
  ({ ...field, unit: of }) as const;
/** It is masked for people. */
export const secret = <F extends Field>(field: F) => ({ ...field, secret: 'whole' }) as const;
/** Described as the field at this path is. */
export const like = <F extends Field>(path: string, field: F) =>
  ({ ...field, sameAs: path }) as const;
/** The API document does not show its name. */
export const unnamed = <F extends Field>(field: F) => ({ ...field, assumed: 'name' }) as const;
/** The API document does not show their types. */
export const untyped = <F extends Fields>(fields: F) => eachWith(fields, { assumed: 'type' });
/** The API document does not show these fields. */
export const beyond = <F extends Fields>(fields: F) =>
  eachWith(fields, { assumed: 'field', optional: true });

function eachWith<F extends Fields, const More>(fields: F, more: More) {
  const all = Object.entries(fields).map(([name, field]) => [name, { ...field, ...more }]);
  return Object.fromEntries(all) as { readonly [Name in keyof F]: F[Name] & More };
}
