/** Whether a command line has an option, for what must be known before it is parsed. */
export function asksFor(argv: readonly string[], option: string): boolean {
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  return own.some((word) => word === option || word.startsWith(`${option}=`));
}

/** Whether errors are for scripts. */
export function asksForJson(argv: readonly string[]): boolean {
  return asksFor(argv, '--json') || asksFor(argv, '--jq');
}
