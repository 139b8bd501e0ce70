import { createHash } from 'node:crypto';

const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f3f1ec; --card: #fffefb; --ink: #1d1b18; --quiet: #645f57; --line: #ddd7cc;
  --accent: #1f5f4a; --accent-ink: #ffffff; --accent-soft: #e4efe9; --danger: #9b2c1f; --danger-soft: #fbeae6;
  --caution: #a56a00; --caution-soft: #faf1dd;
  --shadow: 0 1px 2px rgb(60 50 30 / .06), 0 12px 32px -12px rgb(60 50 30 / .18);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #141513; --card: #1d1f1c; --ink: #edeae3; --quiet: #a39e94; --line: #34372f;
    --accent: #6fcfaa; --accent-ink: #0c1f18; --accent-soft: #1c2f28; --danger: #f0937f; --danger-soft: #37201b;
    --caution: #e0b05c; --caution-soft: #2f271a;
    --shadow: 0 1px 2px rgb(0 0 0 / .4), 0 16px 40px -16px rgb(0 0 0 / .7);
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; place-items: center; padding: 1.25rem;
  background: var(--ground); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
main {
  width: 100%; max-width: 27rem; padding: 1.9rem 2rem 1.6rem;
  background: var(--card); border: 1px solid var(--line); border-radius: 1rem; box-shadow: var(--shadow);
}
.brand {
  display: flex; align-items: center; gap: .55rem; margin: 0 0 1.5rem; color: var(--quiet); font-size: .875rem;
}
.brand b { color: var(--ink); font: 700 1rem/1 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
.brand span {
  margin-left: auto; padding: .12rem .55rem; border-radius: 1rem; border: 1px solid var(--line); font-size: .75rem;
}
h2 { margin: 0 0 .5rem; font-size: 1rem; }
h1 { margin: 0 0 .5rem; font-size: 1.4rem; line-height: 1.25; letter-spacing: -.012em; text-wrap: balance; }
p { margin: 0 0 1rem; }
.quiet { color: var(--quiet); font-size: .9rem; }
.code {
  margin: 1.25rem 0; padding: 1rem .5rem; border-radius: .75rem; background: var(--accent-soft); text-align: center;
}
.code small { display: block; margin-bottom: .25rem; color: var(--quiet); font-size: .8rem; }
.code strong {
  font: 650 clamp(1.5rem, 8vw, 2.1rem)/1.2 ui-monospace, "SF Mono", Menlo, Consolas, monospace; letter-spacing: .06em;
}
dl { display: grid; grid-template-columns: auto 1fr; gap: .4rem 1.1rem; margin: 0 0 1.25rem; font-size: .95rem; }
dt { color: var(--quiet); }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.note {
  margin: 0 0 1.25rem; padding: .65rem .85rem; border-left: 3px solid var(--caution); border-radius: .4rem;
  background: var(--caution-soft); font-size: .9rem;
}
.note.problem { border-color: var(--danger); background: var(--danger-soft); }
.choices { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; }
button, input { font: inherit; border-radius: .65rem; min-height: 2.9rem; }
button {
  width: 100%; padding: .6rem 1rem; font-weight: 600; cursor: pointer; border: 1px solid var(--line);
  background: transparent; color: var(--ink);
}
button:hover { border-color: currentColor; }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); }
button.primary:hover { filter: brightness(1.08); }
label { display: block; margin-bottom: .35rem; font-weight: 600; font-size: .9rem; }
input {
  width: 100%; margin-bottom: .9rem; padding: .5rem .8rem; border: 1px solid var(--line); background: var(--ground);
  color: inherit; font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: 1.15rem;
  letter-spacing: .08em; text-transform: uppercase;
}
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.mark {
  display: grid; place-items: center; width: 3rem; height: 3rem; margin-bottom: 1rem; border-radius: 50%;
  font-size: 1.4rem; font-weight: 700; background: var(--accent-soft); color: var(--accent);
}
.mark.bad { background: var(--danger-soft); color: var(--danger); }
footer {
  margin-top: 1.5rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .8rem;
}
a { color: var(--accent); }
@media (max-width: 26rem) {
  body { padding: .75rem; place-items: start stretch; }
  main { padding: 1.25rem 1.25rem 1rem; }
  .brand { margin-bottom: 1.1rem; }
  .code { margin: 1rem 0; padding: .8rem .5rem; }
}
`;

/** Text that is already HTML. */
export interface Html {
  readonly html: string;
}

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * Lets the browser apply this one style and send forms back here: no scripts, images, frames or `Referer` for other
 * sites.
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
