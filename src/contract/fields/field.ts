/** Types, schemas and the tables of docs/json.md follow from them. */
export type Fields = Readonly<Record<string, Field>>;

/** A field of the table. */
export interface Field {
  /** `time` is ISO 8601 text; `unknown` is any JSON. */
  readonly type: keyof Plain;
  /** A text of one line. That of an array is the meaning of an item. */
  readonly meaning?: string;
  /** The only values of a string. */
  readonly enum?: readonly string[];
  /** The format of a string, as JSON Schema calls it. */
  readonly format?: 'uri' | 'uuid';
  /** The value that stands for an absent field. */
  readonly default?: string;
  /** The items of an array. */
  readonly items?: Pick<Field, 'type' | 'fields'>;
  /** The fields of an object; without them, it may have any. */
  readonly fields?: Fields;
  /** Whether it may be absent: the API document requires few fields. */
  readonly optional?: true;
  readonly nullable?: true;
  readonly unit?: 's' | 'ms' | 'days';
  /** Masked for people; of a phone number all but the last digits. */
  readonly secret?: 'whole' | 'phone';
  /** The part that the API document does not show: the field, its name, or its type. */
  readonly assumed?: 'field' | 'name' | 'type';
  /** The path of a field like this one, which is not described again. */
  readonly sameAs?: string;
}

interface Plain {
  string: string;
  time: string;
  integer: number;
  number: number;
  boolean: boolean;
  object: object;
  array: readonly unknown[];
  unknown: unknown;
}

type ValueOf<F extends Field> =
  | (F extends { readonly nullable: true } ? null : never)
  | (F extends { readonly enum: readonly (infer Word)[] }
      ? Word
      : F extends { readonly items: infer Item extends Field }
        ? readonly ValueOf<Item>[]
        : F extends { readonly fields: infer Inner extends Fields }
          ? RecordOf<Inner>
          : Plain[F['type']]);

type Optional<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { readonly optional: true } ? Name : never;
}[keyof F];

/** A record that svc writes or sends. */
export type RecordOf<F extends Fields> = {
  readonly [Name in Exclude<keyof F, Optional<F>>]: ValueOf<F[Name]>;
} & { readonly [Name in Optional<F>]?: ValueOf<F[Name]> | undefined };

/**
 * A record from elsewhere: any field may be absent, or of another type. A name that the table does not have
 * does not compile; such fields, and those whose name is assumed, come from `findField`. A part with
 * fields of its own is opaque: `asObject` knows their names.
 */
export type UncheckedOf<F extends Fields> = {
  readonly [Name in keyof F as F[Name] extends { readonly assumed: 'name' }
    ? never
    : Name]?: F[Name] extends { readonly fields: infer Inner extends Fields }
    ? Unread<Inner>
    : unknown;
};

declare const FIELDS: unique symbol;

/** Any JSON where the table has an object with these fields. */
export type Unread<F extends Fields> =
  | { readonly [FIELDS]?: F }
  | Plain[Exclude<Field['type'], 'object' | 'unknown'>]
  | null;

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

const mark =
  <const Mark>(mark: Mark) =>
  <F extends Field>(field: F): F & Mark => ({ ...field, ...mark });

/** A field that may be null. */
export const orNull = mark({ nullable: true });
/** A field that may be absent. */
export const orAbsent = mark({ optional: true });
/** Text, or null. */
export const stringOrNull = (meaning: string) => orNull(string(meaning));
/** Text that may be absent. */
export const stringOrAbsent = (meaning: string) => orAbsent(string(meaning));
/** ISO 8601 text, or null. */
export const timeOrNull = (meaning: string) => orNull(time(meaning));
/** A number of these units. */
export const unit = <const Unit extends 's' | 'ms' | 'days', F extends Field>(of: Unit, field: F) =>
  ({ ...field, unit: of }) as const;
/** A field that is masked for people. */
export const secret = mark({ secret: 'whole' });
/** A field that is described as the one at this path. */
export const sameAs = <F extends Field>(path: string, field: F) =>
  ({ ...field, sameAs: path }) as const;
/** A field whose name the API document does not show. */
export const withoutName = mark({ assumed: 'name' });
/** Fields whose types the API document does not show. */
export const withoutType = <F extends Fields>(fields: F) => markAll(fields, { assumed: 'type' });
/** Fields that the API document does not show. */
export const undocumented = <F extends Fields>(fields: F) =>
  markAll(fields, { assumed: 'field', optional: true });

function markAll<F extends Fields, const Mark>(fields: F, mark: Mark) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, { ...field, ...mark }]),
  ) as { readonly [Name in keyof F]: F[Name] & Mark };
}
