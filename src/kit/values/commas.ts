import { quoted, usageError } from '../../errors.ts';

/**
 * Splits text at its commas, without trimming. `\,` is a comma in a part, `\\` a backslash. Throws a usage error for any
 * other backslash.
 */
export function splitAtCommas(text: string, field: string): string[] {
  const parts = [''];
  const take = (more: string) => parts.push((parts.pop() ?? '') + more);
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === ',') parts.push('');
    else if (char !== '\\') take(char);
    else {
      at += 1;
      const escaped = text.charAt(at);
      if (escaped !== ',' && escaped !== '\\') {
        throw usageError(
          `${field} ${quoted(text)} has a backslash that escapes nothing.`,
          'Write \\\\ for a backslash and \\, for a comma.',
        );
      }
      take(escaped);
    }
  }
  return parts;
}
