// Generates the reference from the commands, the tables of docs/json.md from the table of fields,
// and the names and versions in scripts/install/server.json, by which the registry of MCP finds
// svc.
// `--check` writes nothing and fails if a file is not current.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSpec, withTables } from './generate/fields.mjs';
import { commandReference } from './generate/markdown.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const svc = (/** @type {string[]} */ ...words) =>
  execFileSync(process.execPath, [join(root, 'bin/svc.cjs'), ...words], {
    encoding: 'utf8',
    env: {},
  });
/** @type {import('./generate/model.mjs').Tree} */
const tree = JSON.parse(svc('help', '--json'));
const spec = await loadSpec(root);

const files = {
  'docs/commands.md': commandReference(tree),
  'scripts/install/server.json': serverEntry(),
  ...jsonPage(),
};

const stale = Object.entries(files).filter(([path, text]) => {
  const file = join(root, path);
  return !existsSync(file) || readFileSync(file, 'utf8') !== text;
});

if (process.argv.includes('--check')) {
  for (const [path] of stale) {
    console.error(`${path} is not current: npm run docs`);
    process.exitCode = 1;
  }
} else {
  for (const [path, text] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.error(`wrote ${path}`);
  }
}

/**
 * Updates the tables of fields in docs/json.md, if it is there; the sentences around them are
 * written by hand.
 */
function jsonPage() {
  const file = join(root, 'docs/json.md');
  if (!existsSync(file)) return {};
  return {
    'docs/json.md': withTables(readFileSync(file, 'utf8'), { ...spec.DOCUMENTS, ...spec.LINES }),
  };
}

/** Updates the names and versions in scripts/install/server.json; the rest is written by hand. */
function serverEntry() {
  const { name, version, mcpName } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const entry = JSON.parse(readFileSync(join(root, 'scripts/install/server.json'), 'utf8'));
  Object.assign(entry, { name: mcpName, version });
  Object.assign(entry.packages[0], { identifier: name, version });
  return `${JSON.stringify(entry, null, 2)}\n`;
}
