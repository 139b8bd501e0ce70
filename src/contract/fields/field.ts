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
  | BareValueOf<F>;

type BareValueOf<F extends Field> = F extends { readonly enum: readonly (infer Word)[] }
  ? Word
  : F extends { readonly items: infer Item extends Field }
    ? readonly ValueOf<Item>[]
    : F extends { readonly fields: infer Inner extends Fields }
      ? RecordOf<Inner>
      : Plain[F['type']];

type Optional<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { readonly optional: true } ? Name : never;
}[keyof F];

/** A record that svc writes or sends. */
export type RecordOf<F extends Fields> = {
  readonly [Name in Exclude<keyof F, Optional<F>>]: ValueOf<F[Name]>;
} & { readonly [Name in Optional<F>]?: ValueOf<F[Name]> | undefined };

/**
 * A record from elsewhere: any field may be absent, or of another type. A name that the table does not have
 * does not compile; such fields, and those whose name is assumed, come from `findField`.
 */
export type UncheckedOf<F extends Fields> = {
  readonly [Name in keyof F as F[Name] extends { readonly assumed: 'name' }
    ? never
    : Name]?: PartOf<F[Name]>;
};

/** A part of a record, which is opaque: `asObject` knows the names of the fields. */
type PartOf<F extends Field> = F extends { readonly fields: infer Inner extends Fields }
  ? Unread<Inner>
  : unknown;

declare const FIELDS: unique symbol;

/** Any JSON where the table has an object with these fields. */
export type Unread<F extends Fields> =
  | { readonly [FIELDS]?: F }
  | Plain[Exclude<Field['type'], 'object' | 'unknown'>]
  | null;
