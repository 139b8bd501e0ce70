// What a release promises about fields, in one line each; `npm run release -- --contract` writes it
// into test/contract/released.json.

/**
 * Returns the type of every field in the tables of docs/json.md, by the name of its document and
 * its path.
 * @param {string} page
 * @returns {Record<string, string>} such as `status: usage[].at` and `time or null, optional`
 */
export function contractOf(page) {
  const tables = page.matchAll(/^<!-- fields: (.+) -->\n([\s\S]*?)^<!-- \/fields -->$/gm);
  return Object.fromEntries(
    Array.from(tables, ([, name, table = '']) =>
      Array.from(table.matchAll(/^\| `(.+?)` \| (.+?) \|/gm), ([, path, type = '']) => [
        `${name}: ${path}`,
        type,
      ]),
    ).flat(),
  );
}

/**
 * Says what a reader of the released fields can no longer rely on: a field that is gone, of another
 * type, or absent or null where it was not.
 * @param {Readonly<Record<string, string>>} released
 * @param {Readonly<Record<string, string>>} now
 */
export function narrowed(released, now) {
  return Object.entries(released).flatMap(([path, type]) => {
    const own = now[path];
    if (own === undefined) return [`${path} is gone`];
    const certain = type.replace(', optional', '');
    const allowed = [
      type,
      certain,
      ...[type, certain].map((one) => one.replace(/ or (?:null|no list)/, '')),
    ];
    return allowed.includes(own) ? [] : [`${path} was ${type}, and is ${own}`];
  });
}
