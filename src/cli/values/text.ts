import { CliError, quote, usageError } from '../../errors.ts';

/** Returns the hint with an example, which for an argument is the value alone. */
export function example(field: string, value: string): string {
  if (field.startsWith('-')) return `For example: ${field} ${value}`;
  const isVariable = /^[A-Z][A-Z0-9_]*$/.test(field);
  return isVariable ? `For example: ${field}=${value}` : `For example: ${value}`;
}

/** Longer words are slow to compare. */
const MAX_WORD_LENGTH = 64;

/**
 * Finds the nearest name, in any case; undefined if none is near.
 * @param limit the most edits that make two words similar
 */
export function closest<Name extends string>(
  word: string,
  candidates: readonly Name[],
  limit = Number.POSITIVE_INFINITY,
): Name | undefined {
  if (word.length > MAX_WORD_LENGTH) return undefined;
  const ranked = candidates
    .map((name) => ({ name, edits: countEdits(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, edits }) => {
      const most = Math.max(1, Math.floor(Math.max(word.length, name.length) / 3));
      return edits <= Math.min(most, limit) && edits < name.length;
    })
    .sort((one, other) => one.edits - other.edits);
  return ranked[0]?.name;
}

/** Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours. */
function countEdits(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= to.length; column += 1) {
      const cost = from[row - 1] === to[column - 1] ? 0 : 1;
      const isSwap =
        row > 1 &&
        column > 1 &&
        from[row - 1] === to[column - 2] &&
        from[row - 2] === to[column - 1];
      const swapped = isSwap ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY;
      const replaced = at(row - 1, column - 1) + cost;
      current.push(Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, replaced, swapped));
    }
  }
  return at(from.length, to.length);
}

/** Throws a usage error with the choices. */
export function parseChoice<const Choice extends string>(
  text: string,
  field: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((word) => word === text);
  if (choice !== undefined) return choice;
  const meant = closest(text, choices) ?? findContaining(text, choices);
  throw usageError(
    `${field} ${quote(text)} is not one of ${choices.join(', ')}.`,
    example(field, meant ?? choices[0] ?? ''),
  ).withMeantText(text, meant);
}

/** Finds the only choice that has the text as one of its words: `credit_card` for `card`. */
function findContaining<Choice extends string>(
  text: string,
  choices: readonly Choice[],
): Choice | undefined {
  const found = choices.filter((choice) => choice.split(/[._-]/).includes(text.toLowerCase()));
  return found.length === 1 ? found[0] : undefined;
}

/** Throws a usage error. */
export function notBlank(text: string, field: string): string {
  if (text.trim() === '') {
    throw usageError(`${field} is empty.`, 'Give it a value, or leave it out.');
  }
  return text;
}

/** Makes the validation of a prompt, which shows the message of a usage error. */
export function asValidation(
  check: (text: string) => unknown,
): (answer: string) => string | undefined {
  return (answer) => {
    try {
      check(answer);
      return undefined;
    } catch (error) {
      if (error instanceof CliError) return error.message;
      throw error;
    }
  };
}

/** Parses plain digits, without sign, exponent or leading zero. Throws a usage error. */
export function parseWholeNumber(
  text: string,
  field: string,
  { min, max }: { min: number; max: number },
): number {
  const value = /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  const showsMax = max < Number.MAX_SAFE_INTEGER || value > max;
  const range = showsMax ? ` from ${min} to ${max}` : `, ${min} or more`;
  throw usageError(
    `${field} ${quote(text)} is not a whole number${range}.`,
    example(field, String(min)),
  );
}

/** Parses any number that can be written exactly: the API document shows no bound. */
export function parseQuantity(text: string, field: string): number {
  return parseWholeNumber(text, field, { min: 1, max: Number.MAX_SAFE_INTEGER });
}

/** `\,` is a comma in a part, `\\` a backslash. Throws a usage error for any other backslash. */
export function splitAtCommas(text: string, field: string): string[] {
  const parts = [''];
  for (const [piece] of text.matchAll(/\\[,\\]|./gs)) {
    if (piece === '\\') {
      throw usageError(
        `${field} ${quote(text)} has a backslash that escapes nothing.`,
        'Write \\\\ for a backslash and \\, for a comma.',
      );
    }
    if (piece === ',') parts.push('');
    else parts.push(`${parts.pop()}${piece.slice(-1)}`);
  }
  return parts;
}
