import { createHash } from 'node:crypto';
import { STYLE } from './style.ts';

/** Text that is already HTML. */
export interface Html {
  readonly html: string;
}

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * What the browser may do with a page: apply this one style and send its forms back here. No script, no image, no
 * frame around it, and no address of it in a `Referer` to anyone else.
 */
export const PAGE_HEADERS = {
  'Content-Security-Policy':
    `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; ` +
    `base-uri 'none'; frame-ancestors 'none'`,
  'Content-Type': 'text/html; charset=utf-8',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
} as const;

/** Builds HTML; every value that is not HTML already is escaped. */
export function html(parts: TemplateStringsArray, ...values: ReadonlyArray<string | Html>): Html {
  const texts = values.map((value) => (typeof value === 'string' ? escaped(value) : value.html));
  return { html: parts.map((part, index) => part + (texts[index] ?? '')).join('') };
}

/** Makes a text harmless in HTML. Characters that hide or turn other text are shown by their number. */
function escaped(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16)}}`)
    .replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

/** A whole page around its content. */
export function page(title: string, content: Html): string {
  const { html: text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} - svc sandbox</title>
<style>${{ html: STYLE }}</style>
</head>
<body>
<main>
<p class="brand"><b>svc</b> <span>sandbox</span></p>
${content}
<footer>This page is served by the sandbox on your own machine. Nothing here is real, and nothing leaves it.</footer>
</main>
</body>
</html>
`;
  return text;
}
