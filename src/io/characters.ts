/**
 * Characters that a terminal obeys, that change the direction of text, or that nobody can see: controls (the newline
 * among them), format and separator characters, lone surrogates, and what Unicode calls ignorable. The two variation
 * selectors that only choose between text and emoji are left out.
 */
const HARMFUL = '[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]|(?![\\ufe0e\\ufe0f])\\p{Default_Ignorable_Code_Point}';

/** A pattern of its own for each use, because a global pattern remembers where it was. */
export function harmfulCharacters(flags: 'u' | 'gu'): RegExp {
  return new RegExp(HARMFUL, flags);
}
