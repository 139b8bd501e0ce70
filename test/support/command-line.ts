/** The words of a command line as a POSIX shell splits it; for lines without expansions. */
export function wordsOf(line: string): string[] {
  const words: string[] = [];
  for (const [whole] of line.matchAll(/(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/g)) {
    words.push(
      whole.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g, (_all, single, double, escaped) => {
        return single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped;
      }),
    );
  }
  return words;
}
