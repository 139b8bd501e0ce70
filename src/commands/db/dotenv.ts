import { safeLine } from '../../io/safe-text.ts';
import type { Connection } from './connection.ts';

/** The lines of a `.env` file, and the variables that no such file can hold. */
export interface Dotenv {
  readonly lines: readonly string[];
  readonly leftOut: readonly string[];
}

/** A connection as variables of a `.env` file: `DATABASE_…`, or `REDIS_…` for a database of that kind. */
export function dotenvOf(connection: Connection): Dotenv {
  const prefix = /^(redis|valkey)/.test(connection.scheme) ? 'REDIS' : 'DATABASE';
  const variables = [
    [`${prefix}_URL`, connection.url],
    [`${prefix}_HOST`, connection.host],
    [`${prefix}_PORT`, connection.port],
    [`${prefix}_NAME`, connection.database],
    [`${prefix}_USERNAME`, connection.username],
    [`${prefix}_PASSWORD`, connection.password],
  ] as const;
  const quoted = variables.filter(([, value]) => value !== '').map(([name, value]) => ({ name, value: quote(value) }));
  return {
    lines: quoted.flatMap(({ name, value }) => (value === undefined ? [] : [`${name}=${value}`])),
    leftOut: quoted.filter(({ value }) => value === undefined).map(({ name }) => name),
  };
}

/**
 * A value in quotes that shells and every dialect of `.env` read alike; `undefined` where there are none: between
 * single quotes nothing is special, between double quotes some readers expand `$`, backquotes and backslashes.
 */
function quote(value: string): string | undefined {
  if (safeLine(value) !== value) return undefined;
  if (!value.includes("'")) return `'${value}'`;
  return /["$`\\]/.test(value) ? undefined : `"${value}"`;
}
