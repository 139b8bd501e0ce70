/** The bytes of an answer as they arrive. They are given back at a word: a large answer is not held twice while it is read. */
export interface HeldBytes {
  readonly length: number;
  push(chunk: Uint8Array): void;
  /** All bytes so far; not to be used after `release`. */
  view(): Uint8Array;
  /** Forgets the bytes, and returns the memory of many to the system at once. */
  release(): void;
}

/** Bytes of room that are added at a time. */
const STEP = 256 * 1024;

/** Room for up to `limit` bytes. It is reserved at once and taken as it fills, so nothing is ever moved. */
export function holdBytes(limit: number): HeldBytes {
  const memory = new ArrayBuffer(0, { maxByteLength: limit });
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(chunk) {
      const end = length + chunk.length;
      if (end > memory.byteLength) memory.resize(Math.min(limit, Math.ceil(end / STEP) * STEP));
      new Uint8Array(memory, length, chunk.length).set(chunk);
      length = end;
    },
    view: () => new Uint8Array(memory, 0, length),
    release() {
      // It takes a tenth of a millisecond: too much for what the garbage collector does as well.
      if (length > STEP) memory.resize(0);
      length = 0;
    },
  };
}
