import type { KnownNames } from '../../cli/define/result.ts';
import { asObject, asText, fieldOf } from '../../json/values.ts';

/** `name (id)` of an object, or the one of them that it has; a text stays. */
export function nameOf(value: unknown): string | undefined {
  const { name, id } = asObject(value);
  const [first, second] = [asText(value), asText(name), asText(id)].filter(
    (text) => text !== undefined,
  );
  return second === undefined ? first : `${first} (${second})`;
}

/** `name (id)` of a service if an answer about it has its name, and the id alone otherwise. */
export function serviceIn(answer: unknown, id: string): string {
  return nameOf({ name: serviceNameIn(answer), id }) ?? id;
}

/** A service with the name that an answer about it has, to be remembered. */
export function serviceSeen(answer: unknown, id: string): KnownNames {
  return { services: [{ name: id, about: serviceNameIn(answer) }] };
}

function serviceNameIn(answer: unknown): string | undefined {
  return (
    asText(fieldOf(fieldOf(answer, 'service'), 'name')) ?? asText(fieldOf(answer, 'serviceName'))
  );
}
