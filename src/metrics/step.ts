const DAY_SECONDS = 86_400;

/** Bucket sizes that people can name, in seconds; none is much more than twice the one before. */
const ROUND_STEPS = [
  1,
  2,
  5,
  10,
  15,
  30,
  60,
  120,
  300,
  600,
  900,
  1_800,
  3_600,
  7_200,
  10_800,
  21_600,
  43_200,
  DAY_SECONDS,
  2 * DAY_SECONDS,
  4 * DAY_SECONDS,
  7 * DAY_SECONDS,
];

/** As many buckets as a chart can show well. */
const MOST_BUCKETS = 120;

/** The bucket size for a range whose user named none, in seconds: the smallest round one that makes at most 120 buckets. */
export function chooseStep(startMs: number, endMs: number): number {
  const rangeSeconds = (endMs - startMs) / 1000;
  const round = ROUND_STEPS.find((step) => rangeSeconds / step <= MOST_BUCKETS);
  if (round !== undefined) return round;
  const weeks = Math.ceil(rangeSeconds / MOST_BUCKETS / (7 * DAY_SECONDS));
  return weeks * 7 * DAY_SECONDS;
}
