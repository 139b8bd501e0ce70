import { platform } from 'node:os';

/** Quoted only if a POSIX shell needs it. */
export function posixWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** For PowerShell typographic quotes are quotes as well. */
export function powerShellWord(word: string): string {
  return `'${word.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
}

/** For a line to type: on Windows for PowerShell, if possible for cmd as well. */
export function shellWord(word: string, on: string = platform()): string {
  if (on !== 'win32') return posixWord(word);
  if (/^[\w+=:./\\-]+$/.test(word)) return word;
  // What both leave alone inside double quotes; a backslash before the last one would take its
  // meaning away.
  return /^[^"$`%!\u2018-\u201f]*[^"$`%!\u2018-\u201f\\]$/.test(word)
    ? `"${word}"`
    : powerShellWord(word);
}

/** Splits a line whose words {@link shellWord} has quoted. */
export function wordsIn(line: string): readonly string[] {
  const words = line.replaceAll("'\\''", '\0').match(/'[^']*'|"[^"]*"|[^\s'"]+/g) ?? [];
  return words.map((word) => word.replace(/^(['"])(.*)\1$/s, '$2').replaceAll('\0', "'"));
}

/** In the user's shell: PowerShell on Windows. */
export function setVariable(name: string, value: string, on: string = platform()): string {
  return on === 'win32'
    ? `$env:${name} = ${powerShellWord(value)}`
    : `export ${name}=${posixWord(value)}`;
}

/** In the user's shell: PowerShell on Windows. */
export function unsetVariable(name: string, on: string = platform()): string {
  return on === 'win32' ? `Remove-Item Env:${name}` : `unset ${name}`;
}
