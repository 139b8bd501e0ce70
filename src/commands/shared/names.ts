import type { KnownNames } from '../../cli/define/result.ts';
import { asObject, asText, findField } from '../../json/values.ts';

/** Returns `name (id)` of an object, or the one of them that it has; a text stays. */
export function describeNamed(value: unknown): string | undefined {
  const { name, id } = asObject(value);
  const texts = [value, name, id].map(asText).filter((text) => text !== undefined);
  return texts.length < 2 ? texts[0] : `${texts[0]} (${texts[1]})`;
}

/** Returns `name (id)` of a service if an answer about it has its name, else the id alone. */
export function describeService(answer: unknown, id: string): string {
  return describeNamed({ name: findServiceName(answer), id }) ?? id;
}

/** Returns a service with the name that an answer about it has, to be remembered. */
export function toKnownService(answer: unknown, id: string): KnownNames {
  return { services: [{ name: id, about: findServiceName(answer) }] };
}

function findServiceName(answer: unknown): string | undefined {
  return (
    asText(findField(findField(answer, 'service'), 'name')) ??
    asText(findField(answer, 'serviceName'))
  );
}
