import { quoted, usageError } from '../../errors.ts';
import { ASSUMPTIONS, type AssumptionName, isAssumptionName } from '../../spec/assumptions.ts';
import { hasControl } from '../../spec/plain-text.ts';
import { splitAtCommas } from './comma-list.ts';
import { closest } from './did-you-mean.ts';

/**
 * Reads `name=value,…`: other values for what svc assumes about the service. A comma in a value is written `\,`; text
 * that is blank gives nothing. Throws a usage error for an unknown name, a name given twice and a value that cannot be.
 */
export function parseAssume(text: string, field = 'SVC_ASSUME'): Map<AssumptionName, string> {
  const values = new Map<AssumptionName, string>();
  if (text.trim() === '') return values;
  for (const part of splitAtCommas(text, field)) {
    const equals = part.indexOf('=');
    if (equals < 0) throw usageError(`${field} ${quoted(part)} has no equals sign.`, `${field}=name=value,…`);
    const name = parseAssumptionName(part.slice(0, equals).trim(), field);
    if (values.has(name)) throw usageError(`${field} gives ${name} twice.`, 'give every name once');
    values.set(name, parseAssumedValue(name, part.slice(equals + 1), field));
  }
  return values;
}

/** Reads the name of an assumption. Throws a usage error that names the one probably meant. */
export function parseAssumptionName(name: string, field: string): AssumptionName {
  if (isAssumptionName(name)) return name;
  const names = ASSUMPTIONS.map((assumption) => assumption.name);
  const meant = closest(name, names);
  throw usageError(
    `${field} ${quoted(name)} is not something svc assumes: ${names.join(', ')}.`,
    meant ?? 'svc help assumptions',
  );
}

/** Reads the value of an assumption; only those that are empty by default may be empty. Throws a usage error. */
export function parseAssumedValue(name: AssumptionName, text: string, field: string): string {
  const value = text.trim();
  const assumed = ASSUMPTIONS.find((assumption) => assumption.name === name)?.value ?? '';
  if (value === '' && assumed !== '') throw usageError(`${field} gives ${name} no value.`, `${name}=${assumed}`);
  if (hasControl(value)) throw usageError(`${field} ${name} has a control character in it.`, `${name}=${assumed}`);
  if (name === 'job.path' && !value.startsWith('/')) {
    throw usageError(
      `${field} ${name} ${quoted(value)} is not a path below the address of the service.`,
      `${name}=${assumed}`,
    );
  }
  return value;
}
