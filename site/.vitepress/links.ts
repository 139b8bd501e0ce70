import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

/** Makes plain text of links that lead out of the pages, such as to a file of the repository. */
export function withoutOutsideLinks(markdown: MarkdownRenderer, pages: string): void {
  const { link_open: open, link_close: close } = markdown.renderer.rules;
  let isText = false;
  markdown.renderer.rules['link_open'] = (tokens, at, options, env, self) => {
    isText = isOutside(tokens[at]?.attrGet('href') ?? '', resolve(pages, env.relativePath ?? ''));
    if (isText) return '';
    const href = tokens[at]?.attrGet('href') ?? '';
    tokens[at]?.attrSet('href', href.replace(/\b(?:README|start)\.md\b/, 'index.md'));
    return open ? open(tokens, at, options, env, self) : self.renderToken(tokens, at, options);
  };
  markdown.renderer.rules['link_close'] = (tokens, at, options, env, self) => {
    if (isText) return '';
    return close ? close(tokens, at, options, env, self) : self.renderToken(tokens, at, options);
  };

  function isOutside(href: string, page: string): boolean {
    if (/^[a-z]+:|^[#/]/.test(href)) return false;
    const file = resolve(dirname(page), href.replace(/#.*/, ''));
    return !file.startsWith(`${pages}/`) || !existsSync(file);
  }
}

/** Names the parts of a page as GitHub does, so that links work in both. */
export function nameOfPart(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
