/** An answer that arrived whole but is not what the API gives. */
export class Unreadable extends Error {
  /** `reason` goes behind "The answer from HOST", such as "is empty". */
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'Unreadable';
  }
}
