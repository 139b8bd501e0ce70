import { quote, usageError } from '../../errors.ts';

/** `\,` is a comma in a part, `\\` a backslash. Throws a usage error for any other backslash. */
export function splitAtCommas(text: string, field: string): string[] {
  const parts = [''];
  for (const [piece] of text.matchAll(/\\[,\\]|./gs)) {
    if (piece === '\\') {
      const hint = 'Write \\\\ for a backslash and \\, for a comma.';
      throw usageError(`${field} ${quote(text)} has a backslash that escapes nothing.`, hint);
    }
    if (piece === ',') parts.push('');
    else parts.push(`${parts.pop()}${piece.slice(-1)}`);
  }
  return parts;
}
