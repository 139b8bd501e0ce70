/** Puts off the making of a value until it is first asked for, and makes it once. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * A pattern with Unicode properties (`\p{..}`), made at its first use. Written as a literal it would cost every start-up
 * a millisecond: V8 builds Unicode's tables where it reads the literal, even in code that never runs.
 */
export function unicodePattern(source: string, flags = 'u'): () => RegExp {
  return once(() => new RegExp(source, flags));
}
