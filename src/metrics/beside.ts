import { readInstant } from '../spec/instant.ts';
import { isObject, type JsonObject, readNumber, withoutParts } from '../spec/read.ts';

/** What was asked, which an answer may repeat. */
export interface Asked {
  readonly service: string;
  readonly start: string;
  readonly end: string;
  readonly stepSeconds: number;
}

/**
 * What an answer of operation 7 says beside the parts that its points were read from, such as that it is not complete;
 * what it repeats of the question is left out.
 */
export function besidePoints(answer: unknown, parts: ReadonlySet<unknown>, asked: Asked): JsonObject {
  const beside = withoutParts(answer, parts);
  if (!isObject(beside)) return {};
  return Object.fromEntries(Object.entries(beside).filter(([, value]) => !repeats(value, asked)));
}

function repeats(value: unknown, { service, start, end, stepSeconds }: Asked): boolean {
  const instant = readInstant(value);
  return (
    value === service ||
    instant === Date.parse(start) ||
    instant === Date.parse(end) ||
    readNumber(value) === stepSeconds
  );
}
