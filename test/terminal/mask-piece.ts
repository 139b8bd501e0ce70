import { maskText } from '../../src/terminal/mask.ts';

/** Masks a text of so many characters that repeats the piece; for `stepsOf`. */
export function work([piece, length]: readonly [string, number]): void {
  maskText(`${piece.repeat(length / piece.length)}=:_`);
}
