import type { Sink } from './sink.ts';

/** Draws over the same part of a terminal each time, from the cursor's line down. Lines that do not fit are left out. */
export function createFrame(sink: Pick<Sink, 'write' | 'rows'>) {
  let height = 0;
  return {
    async draw(text: string): Promise<void> {
      const lines = text.replace(/\n$/, '').split('\n');
      // Leave the last row to the cursor; a newline on it would scroll the terminal.
      const shown = sink.rows > 1 ? lines.slice(0, sink.rows - 1) : lines;
      const up = height === 0 ? '' : `\u001B[${height}A`;
      // Clearing each line after its new text avoids flicker.
      const body = shown.map((line) => `${line}\u001B[K\n`).join('');
      height = shown.length;
      await sink.write(`${up}${body}\u001B[J`);
    },
  };
}
