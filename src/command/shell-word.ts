/** A word as it is typed in a POSIX shell: in single quotes where the shell would read more than itself in it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
