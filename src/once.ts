/** Returns a function that makes a value on its first call, and returns the same value ever after. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Returns `otherwise` if reading fails: for what svc does without, or reports when it is needed. */
export function tryRead<T, Other>(read: () => T, otherwise: Other): T | Other {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/**
 * Compiles a pattern with Unicode properties (`\p{..}`) at its first use. As a literal it would cost every start-up a
 * millisecond: V8 builds the Unicode tables when it parses the literal, even in code that never runs.
 */
export function unicodePattern(source: string, flags = 'u'): () => RegExp {
  return once(() => new RegExp(source, flags));
}
