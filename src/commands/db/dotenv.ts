import { safeLine } from '../../terminal/safe-text.ts';
import type { Connection } from './connection.ts';

/**
 * Makes the lines of a `.env` file with the variables `DATABASE_…`, or `REDIS_…`, of a connection
 * (of several hosts the first), and the names of the variables that have no line.
 */
export function createDotenv(connection: Connection) {
  const { scheme, url, host, port, database, username, password } = connection;
  const prefix = /^(redis|valkey)/.test(scheme) ? 'REDIS' : 'DATABASE';
  const values = {
    URL: url,
    HOST: host,
    PORT: port,
    NAME: database,
    USERNAME: username,
    PASSWORD: password,
  };

  const lines: string[] = [];
  const skippedNames: string[] = [];
  for (const [key, value] of Object.entries(values).filter(([, text]) => text !== '')) {
    const name = `${prefix}_${key}`;
    const text = writeValue(value);
    if (text === undefined) skippedNames.push(name);
    else lines.push(`${name}=${text}`);
  }
  return { lines, skippedNames };
}

/** An equals sign that begins a word is special for zsh. */
const NEEDS_NO_QUOTES = /^(?!=)(?!.*:=)[\w@%+=:,./?-]+$/;

/**
 * Writes a value so that shells and every reader of `.env` files agree on it; undefined if they do
 * not. Without quotes `docker run --env-file` agrees as well, which keeps quotes as they are.
 */
function writeValue(value: string) {
  if (safeLine(value) !== value) return undefined;
  if (NEEDS_NO_QUOTES.test(value)) return value;
  if (!isAmbiguousInSingleQuotes(value)) return `'${value}'`;
  return isAmbiguousInDoubleQuotes(value) ? undefined : `"${value}"`;
}

/**
 * Nothing is special for a shell in single quotes. Some readers end them at no quote behind a
 * backslash, halve two backslashes, and fill in `${…}`.
 */
function isAmbiguousInSingleQuotes(value: string) {
  return /'|\\\\|\\$|\$\{/.test(value);
}

/** Some readers expand `$`, backquotes and backslashes in double quotes. */
function isAmbiguousInDoubleQuotes(value: string) {
  return /["$`\\]/.test(value);
}
