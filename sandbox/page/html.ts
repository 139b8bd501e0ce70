import { createHash } from 'node:crypto';

const STYLE = `
:root { color-scheme: light dark; --accent: #1f5f4a; --danger: #9b2c1f; --soft: rgb(128 128 128 / .12); }
@media (prefers-color-scheme: dark) { :root { --accent: #6fcfaa; --danger: #f0937f; } }
* { box-sizing: border-box; }
body { display: grid; place-items: center; min-height: 100vh; margin: 0; padding: 1rem; font: 1rem/1.55 system-ui, sans-serif; }
main { width: 100%; max-width: 27rem; }
h1 { margin: 0 0 .5rem; font-size: 1.4rem; line-height: 1.25; }
h2 { font-size: 1rem; }
.brand span, .quiet, dt, footer { opacity: .75; }
.code { padding: 1rem .5rem; border-radius: .75rem; background: var(--soft); text-align: center; }
.code small { display: block; }
.code strong { font: 650 clamp(1.5rem, 8vw, 2.1rem)/1.2 ui-monospace, monospace; letter-spacing: .06em; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .4rem 1.1rem; margin: 1.25rem 0; font-size: .95rem; }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.note { padding: .65rem .85rem; border-left: 3px solid; background: var(--soft); font-size: .9rem; }
.problem { color: var(--danger); }
.choices { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; }
button, input {
  width: 100%; min-height: 2.9rem; padding: .5rem .8rem; border: 1px solid; border-radius: .65rem;
  background: transparent; color: inherit; font: inherit;
}
button { font-weight: 600; cursor: pointer; }
.primary { border-color: var(--accent); background: var(--accent); color: Canvas; }
input { margin: .35rem 0 .9rem; font-family: ui-monospace, monospace; letter-spacing: .08em; text-transform: uppercase; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.mark { color: var(--accent); font-size: 2rem; }
.bad { color: var(--danger); }
footer { margin-top: 1.5rem; padding-top: 1rem; border-top: 1px solid; font-size: .8rem; }
a { color: var(--accent); }
`;

/** Text that is already HTML. */
export interface Html {
  readonly html: string;
}

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * Lets the browser apply this one style and send forms back here: no scripts, images, frames or
 * `Referer` for other sites.
 */
export const PAGE_HEADERS = {
  'Content-Security-Policy':
    `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; ` +
    `base-uri 'none'; frame-ancestors 'none'`,
  'Content-Type': 'text/html; charset=utf-8',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
} as const;

/** Builds HTML and escapes every value that is not HTML. */
export function html(parts: TemplateStringsArray, ...values: ReadonlyArray<string | Html>): Html {
  const texts = values.map((value) => (typeof value === 'string' ? escaped(value) : value.html));
  return { html: parts.map((part, index) => part + (texts[index] ?? '')).join('') };
}

/** Shows characters that hide or reorder other text by their code point. */
function escaped(text: string): string {
  return text
    .replace(
      /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
      (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16)}}`,
    )
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
