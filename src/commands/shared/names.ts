import type { Needs } from '../../cli/define/context.ts';
import { getCachedNames } from '../../cli/define/name-cache.ts';
import type { KnownNames } from '../../cli/define/name-notes.ts';
import type { NameKind } from '../../cli/values/parameters.ts';
import { asObject, asText, findField } from '../../json/values.ts';

/** Returns `name (id)` of an object, or the one of them that it has; a text stays. */
export function describeNamed(value: unknown): string | undefined {
  const { name, id } = asObject(value);
  const texts = [value, name, id].map(asText).filter((text) => text !== undefined);
  return texts.length < 2 ? texts[0] : `${texts[0]} (${texts[1]})`;
}

/** Returns `name (id)` of an id if this machine has seen its name, else the id alone. */
export function describeKnown<Id extends string | undefined>(
  context: Needs<'settings' | 'store'>,
  kind: NameKind,
  id: Id,
): string | Id {
  const name = getCachedNames(context, kind).find((one) => one.name === id)?.about;
  return describeNamed({ name, id }) ?? id;
}

/** Returns `name (id)` of a service if an answer about it or this machine knows its name. */
export function describeService(
  context: Needs<'settings' | 'store'>,
  answer: unknown,
  id: string,
): string {
  const name = findServiceName(answer);
  return name === undefined ? describeKnown(context, 'services', id) : `${name} (${id})`;
}

/** Returns a service with the name that an answer about it has, to be remembered. */
export function toKnownService(answer: unknown, id: string): KnownNames {
  return { services: [{ name: id, about: findServiceName(answer) }] };
}

function findServiceName(answer: unknown) {
  return (
    asText(findField(findField(answer, 'service'), 'name')) ??
    asText(findField(answer, 'serviceName'))
  );
}
