// Loads src/contract, and writes the tables of docs/json.md from its table of fields.
import { join } from 'node:path';
import { build } from 'esbuild';

/** @typedef {import('../../src/contract/fields/field.ts').Field} Field */
/** @typedef {import('../../src/contract/fields/field.ts').Fields} Fields */

/**
 * Loads the tables of fields and operations. Node 20 runs no TypeScript, so esbuild turns the
 * literals into a module.
 * @param {string} root the project's folder
 * @returns {Promise<import('./openapi.mjs').Spec>}
 */
export async function loadSpec(root) {
  const files = ['fields/documents', 'fields/operations', 'operations', 'schema'];
  const contents = files.map((file) => `export * from './${file}.ts';`).join('\n');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(root, 'src/contract') },
    bundle: true,
    format: 'esm',
    write: false,
  });
  const text = Buffer.from(outputFiles[0]?.text ?? '').toString('base64');
  return import(`data:text/javascript;base64,${text}`);
}

/**
 * Replaces each part between `<!-- fields: name -->` and `<!-- /fields -->` by the table of that
 * name.
 * @param {string} text
 * @param {Readonly<Record<string, Fields>>} all
 */
export function withTables(text, all) {
  return text.replaceAll(/^<!-- fields: (.+) -->\n(?:[^<].*\n)*<!-- \/fields -->$/gm, (_, name) => {
    const fields = all[name];
    if (fields === undefined) throw new Error(`docs/json.md: there are no fields called ${name}`);
    const head = '| Field | Type | Meaning |\n| --- | --- | --- |';
    return [`<!-- fields: ${name} -->`, head, ...rowsOf(fields, ''), '<!-- /fields -->'].join('\n');
  });
}

/**
 * @param {Fields} fields
 * @param {string} before the path of the object that has them
 * @returns {string[]}
 */
function rowsOf(fields, before) {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = `${before}${name}${field.type === 'array' ? '[]' : ''}`;
    const inner = (field.items ?? field).fields;
    const own =
      field.meaning === undefined
        ? []
        : [`| \`${path}\` | ${typeOf(field)} | ${meaningOf(field)} |`];
    return [
      ...own,
      ...(inner === undefined || field.sameAs !== undefined ? [] : rowsOf(inner, `${path}.`)),
    ];
  });
}

/** @param {Field} field */
function typeOf(field) {
  const { type } = field.items ?? field;
  const unit = field.unit === undefined ? '' : ` (${field.unit})`;
  const none = field.nullable ? ` or ${field.type === 'array' ? 'no list' : 'null'}` : '';
  return `${type === 'unknown' ? 'any' : type}${unit}${none}${field.optional ? ', optional' : ''}`;
}

/** @param {Field} field */
function meaningOf(field) {
  const words = field.type === 'string' ? (field.enum ?? []) : [];
  if (words.length === 0) return field.meaning;
  const quoted = words.map((word) => `\`${word}\``);
  const list = [quoted.slice(0, -1).join(', '), quoted.at(-1)].filter(Boolean).join(' or ');
  return `${field.meaning}: ${list}`;
}
