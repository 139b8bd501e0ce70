// What a release promises about fields, in one line each; `npm run release -- --contract` writes it into test/spec/released.json.

/** @typedef {import('../../src/spec/fields/field.ts').Field} Field */
/** @typedef {import('../../src/spec/fields/field.ts').Fields} Fields */
/** @typedef {import('../generate/openapi.mjs').Spec} Spec */

/**
 * Returns the type of every field that svc prints or the API answers, by the name of its document and its path.
 * @param {Pick<Spec, 'DOCUMENTS' | 'EVENTS' | 'LINES' | 'OPERATION_FIELDS'>} spec
 * @returns {Record<string, string>} such as `status: usage[].at` and `time or null, optional`
 */
export function contractOf({ DOCUMENTS, EVENTS, LINES, OPERATION_FIELDS }) {
  const answers = Object.fromEntries(Object.entries(OPERATION_FIELDS).map(([name, { answer }]) => [name, answer]));
  const all = { ...answers, ...DOCUMENTS, ...EVENTS, ...LINES };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, fields]) =>
      linesOf(fields, '').map(([path, type]) => [`${name}: ${path}`, type]),
    ),
  );
}

/**
 * @param {Fields} fields @param {string} before
 * @returns {ReadonlyArray<readonly [path: string, type: string]>}
 */
function linesOf(fields, before) {
  return Object.entries(fields).flatMap(([name, field]) => {
    const value = field.type === 'array' ? field.items : field;
    const path = `${before}${name}${field.type === 'array' ? '[]' : ''}`;
    const inner = value.type === 'object' && value.fields !== undefined ? linesOf(value.fields, `${path}.`) : [];
    return [/** @type {const} */ ([path, typeOf(value.type, field)]), ...inner];
  });
}

/** @param {string} type @param {Field} field */
function typeOf(type, { nullable, optional }) {
  return `${type}${nullable ? ' or null' : ''}${optional ? ', optional' : ''}`;
}

/**
 * Says what a reader of the released fields can no longer rely on: a field that is gone, of another type, or absent or
 * null where it was not.
 * @param {Readonly<Record<string, string>>} released
 * @param {Readonly<Record<string, string>>} now
 */
export function narrowed(released, now) {
  return Object.entries(released).flatMap(([path, type]) => {
    const own = now[path];
    if (own === undefined) return [`${path} is gone`];
    const allowed = [
      type,
      type.replace(', optional', ''),
      type.replace(' or null', ''),
      type.replace(/ or null|, optional/g, ''),
    ];
    return allowed.includes(own) ? [] : [`${path} was ${type}, and is ${own}`];
  });
}
