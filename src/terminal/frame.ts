import type { Sink } from './sink.ts';

/** A part of a terminal that is drawn again and again in its place. */
export interface Frame {
  /** Draws the text over what was drawn before; lines that the terminal has no room for are left out. */
  draw(text: string): Promise<void>;
}

/** A frame on a terminal, from the line that the cursor is on. */
export function createFrame(sink: Pick<Sink, 'write' | 'rows'>): Frame {
  let height = 0;
  return {
    async draw(text) {
      const lines = text.replace(/\n$/, '').split('\n');
      // The line below the last one must be there as well, or every drawing would scroll the terminal.
      const shown = sink.rows > 1 ? lines.slice(0, sink.rows - 1) : lines;
      const up = height === 0 ? '' : `\u001B[${height}A`;
      // Each line is cleared behind its new text and not before it, so that nothing flickers.
      const body = shown.map((line) => `${line}\u001B[K\n`).join('');
      height = shown.length;
      await sink.write(`${up}${body}\u001B[J`);
    },
  };
}
