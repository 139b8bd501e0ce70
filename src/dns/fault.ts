/**
 * Why a server gave no answer.
 * - `silent`: nothing came in time.
 * - `unreachable`: nothing listens there, or no way leads there.
 * - `garbled`: something came that is no answer to the question.
 */
export type DnsFaultKind = 'silent' | 'unreachable' | 'garbled';

/** A question that a server did not answer. */
export class DnsFault extends Error {
  readonly kind: DnsFaultKind;

  constructor(kind: DnsFaultKind, cause?: unknown) {
    super(WORDS[kind], { cause });
    this.name = 'DnsFault';
    this.kind = kind;
  }
}

const WORDS: Readonly<Record<DnsFaultKind, string>> = {
  silent: 'no answer in time',
  unreachable: 'cannot be reached',
  garbled: 'answers with something that is no DNS',
};
