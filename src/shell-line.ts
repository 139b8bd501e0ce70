import { platform } from 'node:os';

/** Quotes a word if a POSIX shell needs it. */
export function posixWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Quotes a word for PowerShell, to which typographic quotes are quotes as well. */
export function powerShellWord(word: string): string {
  return `'${word.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
}

/** Quotes a word of a line to type: on Windows for PowerShell, if possible for cmd as well. */
export function shellWord(word: string, on: string = platform()): string {
  if (on !== 'win32') return posixWord(word);
  if (/^[\w+=:./\\-]+$/.test(word)) return word;
  // What both leave alone inside double quotes; a backslash before the last one would take its
  // meaning away.
  return /^[^"$`%!\u2018-\u201f]*[^"$`%!\u2018-\u201f\\]$/.test(word)
    ? `"${word}"`
    : powerShellWord(word);
}

/** Values by the names of their options: a switch is true, a list is typed again and again. */
export type LineOptions = Readonly<
  Record<string, string | readonly string[] | boolean | undefined>
>;

/** The options that chose address, account and organization. */
export interface Target {
  readonly profile?: string | undefined;
  readonly apiUrl?: string | undefined;
  readonly org?: string | undefined;
}

/**
 * Writes a line that can be pasted: the words of a command and its arguments, and the options that
 * have a value.
 */
export function commandLine(
  words: readonly string[],
  options: LineOptions = {},
  target: Target = {},
): string {
  const behindDashes = words.filter((word) => word.startsWith('-'));
  return joinWords([
    'svc',
    ...words.filter((word) => !word.startsWith('-')),
    ...toOptionWords(options),
    ...toTargetWords(target),
    ...(behindDashes.length === 0 ? [] : ['--', ...behindDashes]),
  ]);
}

/** Writes the options that lead to the same address, account and organization. */
export function toTargetWords({ profile, apiUrl, org }: Target): readonly string[] {
  return toOptionWords({ profile, 'api-url': apiUrl, org });
}

/** Writes options as words: a text that is empty or absent has none. */
export function toOptionWords(options: LineOptions): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === true) return [`--${name}`];
    const texts = [value || []].flat();
    // A separate word that starts with a hyphen would be another option.
    return texts.flatMap((text) =>
      text.startsWith('-') ? [`--${name}=${text}`] : [`--${name}`, text],
    );
  });
}

/** Writes a typed line again, with more words in front of its `--`. */
export function repeatLine(argv: readonly string[], ...words: readonly string[]): string {
  const [typed, rest] = splitAtDoubleDash(argv);
  return joinWords(['svc', ...typed, ...words, ...rest]);
}

/** Splits a line in front of its `--`. */
export function splitAtDoubleDash(
  argv: readonly string[],
): readonly [words: readonly string[], rest: readonly string[]] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return [argv.slice(0, end), argv.slice(end)];
}

/** Writes words as a shell reads them. */
export function joinWords(words: readonly string[]): string {
  return words.map((word) => shellWord(word)).join(' ');
}

/** Splits a line whose words {@link shellWord} has quoted. */
export function splitLine(line: string): readonly string[] {
  const words = line.replaceAll("'\\''", '\0').match(/'[^']*'|"[^"]*"|[^\s'"]+/g) ?? [];
  return words.map((word) => word.replace(/^(['"])(.*)\1$/s, '$2').replaceAll('\0', "'"));
}

/** Writes the line that sets a variable in the user's shell: PowerShell on Windows. */
export function setVariable(name: string, value: string, on: string = platform()): string {
  return on === 'win32'
    ? `$env:${name} = ${powerShellWord(value)}`
    : `export ${name}=${posixWord(value)}`;
}

/** Writes the line that unsets a variable in the user's shell. */
export function unsetVariable(name: string, on: string = platform()): string {
  return on === 'win32' ? `Remove-Item Env:${name}` : `unset ${name}`;
}
