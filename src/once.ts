/** Makes the value on the first call. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Makes a pattern late: as a literal, `\p{..}` would cost every start a millisecond. */
export function unicodePattern(source: string, flags = 'u'): () => RegExp {
  return once(() => new RegExp(source, flags));
}
