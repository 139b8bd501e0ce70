/** Makes the value on the first call, and returns it ever after. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** `otherwise` if reading fails: for what svc does without, or reports when it is needed. */
export function tryRead<T, Other>(read: () => T, otherwise: Other): T | Other {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** At its first use: as a literal, `\p{..}` would cost every start-up a millisecond for V8's Unicode tables. */
export function unicodePattern(source: string, flags = 'u'): () => RegExp {
  return once(() => new RegExp(source, flags));
}
