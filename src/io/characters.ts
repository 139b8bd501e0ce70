/** What Unicode calls ignorable, but for the two selectors that only choose between text and emoji. */
export const IGNORABLE = '(?![\\ufe0e\\ufe0f])\\p{Default_Ignorable_Code_Point}';

/**
 * Characters that a terminal obeys, that change the direction of text, or that nobody can see: controls (the newline
 * among them), format and separator characters, lone surrogates, and what is ignorable. The source of a `u` pattern.
 */
export const HARMFUL = `[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]|${IGNORABLE}`;
