import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { nameOfPart, withoutOutsideLinks } from './links.ts';

const docs = fileURLToPath(new URL('../pages', import.meta.url));

/**
 * The default theme names the language of a block too pale, and the key of the search without its
 * label.
 */
const CONTRAST =
  'html:root { --vp-code-lang-color: var(--vp-c-text-2) } .DocSearch-Button-Keys { display: none !important }';

export default defineConfig({
  // Where a host serves it below a path, as GitHub's pages of a repository are.
  base: process.env['SITE_BASE'] ?? '/',
  srcDir: docs,
  outDir: join(docs, '../dist'),
  cacheDir: join(docs, '../node_modules/.cache/vitepress'),
  title: 'svc',
  description: 'The command line of a hosting platform',
  lang: 'en',
  cleanUrls: false,
  rewrites: { 'start.md': 'index.md', 'cookbook/README.md': 'cookbook/index.md' },
  head: [['style', {}, CONTRAST]],
  markdown: {
    anchor: { slugify: nameOfPart },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (markdown) => withoutOutsideLinks(markdown, docs),
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Cookbook', link: '/cookbook/' },
      { text: 'Commands', link: '/commands' },
      { text: 'Troubleshooting', link: '/troubleshooting' },
    ],
    sidebar: [
      {
        text: 'Get things done',
        items: [
          { text: 'Install and sign in', link: '/' },
          { text: 'Cookbook', link: '/cookbook/' },
          { text: 'Many sites', link: '/fleet' },
          { text: 'Usage of services', link: '/metrics' },
          { text: 'The sandbox', link: '/sandbox' },
          { text: 'In scripts and pipelines', link: '/scripts' },
          { text: 'For agents', link: '/agents' },
          { text: 'Coming from another program', link: '/coming-from' },
        ],
      },
      {
        text: 'Look something up',
        items: [
          { text: 'Commands', link: '/commands' },
          { text: 'JSON documents', link: '/json' },
          { text: 'Troubleshooting', link: '/troubleshooting' },
          { text: 'Upgrading', link: '/upgrading' },
        ],
      },
      {
        text: 'Understand it',
        items: [
          { text: 'How it works', link: '/how-it-works' },
          { text: 'Reliability', link: '/reliability' },
          { text: 'Performance', link: '/performance' },
          { text: 'How svc talks', link: '/design' },
        ],
      },
    ],
  },
});
