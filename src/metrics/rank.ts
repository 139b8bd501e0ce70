/** Rounds after which the rest is sorted: a series made to be slow is then no slower than sorting it. */
const MOST_ROUNDS = 64;

/**
 * The value that would stand at an index if the numbers were sorted; reorders them. Takes a fraction of the time that
 * sorting takes. No number may be NaN.
 */
export function valueOfRank(numbers: Float64Array, index: number): number {
  let from = 0;
  let to = numbers.length - 1;
  for (let round = 0; from < to; round += 1) {
    if (round === MOST_ROUNDS) {
      numbers.subarray(from, to + 1).sort();
      break;
    }
    const [below, above] = partition(numbers, from, to, at(numbers, (from + to) >> 1));
    if (index <= below) to = below;
    else if (index >= above) from = above;
    else break;
  }
  return at(numbers, index);
}

/** Moves what is smaller than the pivot to the front and what is larger to the end; returns where both parts end. */
function partition(numbers: Float64Array, from: number, to: number, pivot: number): [below: number, above: number] {
  let left = from;
  let right = to;
  while (left <= right) {
    while (at(numbers, left) < pivot) left += 1;
    while (at(numbers, right) > pivot) right -= 1;
    if (left > right) break;
    const moved = at(numbers, left);
    numbers[left] = at(numbers, right);
    numbers[right] = moved;
    left += 1;
    right -= 1;
  }
  return [right, left];
}

function at(numbers: Float64Array, index: number): number {
  return numbers[index] ?? Number.NaN;
}
