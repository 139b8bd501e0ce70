import { isObject, type JsonObject } from '../spec/read.ts';
import { readInstant } from './instant.ts';
import { readNumber } from './number.ts';

/** What was asked, which an answer may repeat. */
export interface Asked {
  readonly service: string;
  readonly start: string;
  readonly end: string;
  readonly stepSeconds: number;
}

/** What an answer of operation 7 says beside its points, such as that it is not complete; what it repeats of the question is left out. */
export function besidePoints(answer: unknown, points: readonly unknown[], asked: Asked): JsonObject {
  const beside = without(answer, points);
  if (!isObject(beside)) return {};
  return Object.fromEntries(Object.entries(beside).filter(([, value]) => !repeats(value, asked)));
}

/** A value without the points; `undefined` where nothing else is in it. */
function without(value: unknown, points: readonly unknown[]): unknown {
  if (value === points) return undefined;
  if (!isObject(value)) return value;
  const kept = Object.entries(value).flatMap(([name, child]) => {
    const left = without(child, points);
    return left === undefined ? [] : [[name, left] as const];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
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
