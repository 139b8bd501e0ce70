// Builds the site of docs/ into site/dist. The pages are copied beside node_modules, so that the
// libraries are found from them.
import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';

const pages = fileURLToPath(new URL('pages', import.meta.url));
rmSync(pages, { recursive: true, force: true });
cpSync(fileURLToPath(new URL('../docs', import.meta.url)), pages, { recursive: true });
await build(fileURLToPath(new URL('.', import.meta.url)));
