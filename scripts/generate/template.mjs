import { readFileSync } from 'node:fs';

/** A file of templates/ with its marks, such as `@commands@`, replaced. */
export function fill(name, parts) {
  const text = readFileSync(new URL(`templates/${name}`, import.meta.url), 'utf8');
  return text.replaceAll(/@(generated|commands|global|values|topics|functions)@/g, (mark, part) => {
    if (parts[part] === undefined) throw new Error(`${name}: nothing to put in place of ${mark}`);
    return parts[part];
  });
}
