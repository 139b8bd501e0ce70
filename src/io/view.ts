import type { ColorLevel } from './terminal.ts';

/** How an output wants its text. */
export interface View {
  /** Columns to lay out in. */
  readonly columns: number;
  readonly colorLevel: ColorLevel;
  /** Whether glyphs outside ASCII are drawn. */
  readonly unicode: boolean;
  /** Static lines in words, no drawings. */
  readonly accessible: boolean;
  readonly tty: boolean;
  /** Whether links are written as OSC 8. */
  readonly links: boolean;
  /** Wall time, in milliseconds since the epoch; dates are shown relative to it. */
  readonly now: number;
  /** An IANA name; the machine's own zone where absent. */
  readonly timeZone?: string;
  /** Takes out what must not be shown, whoever says it. */
  readonly conceal?: ((text: string) => string) | undefined;
}
