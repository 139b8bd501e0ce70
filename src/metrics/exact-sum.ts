/**
 * Adds numbers and rounds once, at the end (Shewchuk, "Adaptive Precision Floating-Point Arithmetic", 1997): ten times 0.1
 * are 1, whatever their order. An alarm at a limit must not depend on how errors add up. Returns no finite number if a
 * sum on the way is too large for one.
 */
export function exactSum(numbers: Float64Array): number {
  const parts: number[] = [];
  for (const number of numbers) addTo(parts, number);
  let sum = parts.pop() ?? 0;
  for (let rest = 0; rest === 0 && parts.length > 0; ) {
    [sum, rest] = added(sum, parts.pop() ?? 0);
    if (rest !== 0) return roundedByRest(sum, rest, parts.at(-1) ?? 0);
  }
  return sum;
}

/** Adds a number to parts whose exact sum is kept; they do not overlap, and the largest is the last. */
function addTo(parts: number[], number: number): void {
  let carried = number;
  let kept = 0;
  for (const part of parts) {
    const [sum, rest] = added(carried, part);
    if (rest !== 0) {
      parts[kept] = rest;
      kept += 1;
    }
    carried = sum;
  }
  parts.length = kept;
  parts.push(carried);
}

/** Returns the rounded sum of two numbers, and what the rounding left out. */
function added(one: number, other: number): [sum: number, rest: number] {
  const [large, small] = Math.abs(one) < Math.abs(other) ? [other, one] : [one, other];
  const sum = large + small;
  return [sum, small - (sum - large)];
}

/** What was left out may be half of the last digit: then the next part decides to which side it is rounded. */
function roundedByRest(sum: number, rest: number, next: number): number {
  const isHalf = (rest < 0 && next < 0) || (rest > 0 && next > 0);
  const other = sum + 2 * rest;
  return isHalf && other - sum === 2 * rest ? other : sum;
}
