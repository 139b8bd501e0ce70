import { asObject, asText, fieldOf } from '../../json/values.ts';

/** Returns `name (id)` of an object, or the one of them that it has; a text stays. */
export function nameOf(value: unknown): string | undefined {
  const { name, id } = asObject(value);
  const [first, second] = [asText(value), asText(name), asText(id)].filter((text) => text !== undefined);
  return second === undefined ? first : `${first} (${second})`;
}

/** Returns `name (id)` of a service if an answer about it has its name, and the id alone otherwise. */
export function serviceIn(answer: unknown, id: string): string {
  const name = asText(fieldOf(fieldOf(answer, 'service'), 'name')) ?? asText(fieldOf(answer, 'serviceName'));
  return nameOf({ name, id }) ?? id;
}
