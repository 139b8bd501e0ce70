import type { IoOptions } from './streams.ts';

const SAVE_TITLE = '\u001b[22;0t';
const RESTORE_TITLE = '\u001b[23;0t';

/** The window of a terminal, which shows long work in its title and its taskbar. */
export class WindowStatus {
  readonly #stderr: IoOptions['stderr'];
  readonly #hasTitle: boolean;
  readonly #hasTaskbar: boolean;
  #shown = '';

  constructor({ stderr, env }: IoOptions) {
    const { TERM, TERM_PROGRAM = '', WT_SESSION, ConEmuANSI } = env;
    this.#stderr = stderr;
    this.#hasTitle = TERM !== 'linux';
    // Other terminals take OSC 9 for a notification.
    const isKnown = /^(?:ghostty|WezTerm)$/.test(TERM_PROGRAM);
    this.#hasTaskbar = isKnown || Boolean(WT_SESSION) || ConEmuANSI === 'ON';
  }

  /** Shows a line, and the share of the work if it says one: `59 %`. */
  show(line: string): void {
    if (!this.#hasTitle || line === this.#shown) return;
    if (this.#shown === '') this.#stderr.write(SAVE_TITLE);
    this.#shown = line;
    this.#stderr.write(`\u001b]0;svc: ${line}\u0007`);
    const percent = /(\d{1,3}) ?%/.exec(line)?.[1];
    this.#writeTaskbar(percent === undefined ? '3' : `1;${percent}`);
  }

  /** Gives the window back as it was before the first line. */
  restore(): void {
    if (this.#shown === '') return;
    this.#shown = '';
    this.#stderr.write(RESTORE_TITLE);
    this.#writeTaskbar('0');
  }

  #writeTaskbar(state: string): void {
    if (this.#hasTaskbar) this.#stderr.write(`\u001b]9;4;${state}\u0007`);
  }
}
