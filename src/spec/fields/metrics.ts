import type { Fields } from './field.ts';

const figure = (meaning: string) => ({ type: 'number', nullable: true, meaning }) as const;

/** The figures of one series; `null` without any value. */
const SERIES_SUMMARY = {
  name: { type: 'string', meaning: 'name of the series' },
  unit: { type: 'string', meaning: 'unit of the values: `%`, `bytes`, `ms`, `s`, or `count` if svc knows none' },
  last: figure('the latest value'),
  lastAt: { type: 'time', nullable: true, meaning: 'when the latest value was measured' },
  min: figure('the lowest value'),
  max: figure('the highest value'),
  avg: figure('the mean of the values'),
  p95: figure('the value that 95 of 100 do not exceed; one of the values (nearest rank)'),
} as const satisfies Fields;

/** `svc metrics --summary`. */
export const METRICS_SUMMARY = {
  service: { type: 'string', meaning: 'id of the service' },
  start: { type: 'time', meaning: 'start of the range; only values in the range count' },
  end: { type: 'time', meaning: 'end of the range' },
  stepSeconds: { type: 'integer', unit: 's', meaning: 'size of a bucket, as it was asked for' },
  points: { type: 'integer', meaning: 'how many points the API answered in the range' },
  series: { type: 'array', items: { type: 'object', fields: SERIES_SUMMARY } },
} as const satisfies Fields;

const FIGURES = {
  name: { type: 'string', meaning: 'name of the series' },
  unit: { type: 'string', meaning: '`%`, `bytes`, `ms`, `s` or `count`' },
  lastAt: { type: 'time', meaning: 'time of the last value' },
  last: { type: 'number', meaning: 'the last value' },
  min: { type: 'number', meaning: 'the smallest' },
  avg: { type: 'number', meaning: 'the mean' },
  p95: { type: 'number', meaning: 'the one that 95 % do not exceed' },
  max: { type: 'number', meaning: 'the largest' },
  values: {
    type: 'array',
    optional: true,
    items: { type: 'unknown' },
    meaning: 'the mean of each of at most 60 equal parts of the range; `null` is a gap',
  },
} as const satisfies Fields;

/** What the tool `metrics` answers: figures of each series in place of its points. */
export const METRICS_FIGURES = {
  service: { type: 'string', meaning: 'id of the service' },
  start: { type: 'time', meaning: 'start of the range' },
  end: { type: 'time', meaning: 'end of the range' },
  points: { type: 'integer', meaning: 'how many points the range has' },
  firstPart: { type: 'time', optional: true, meaning: 'with values: when the first part begins' },
  partSeconds: { type: 'number', optional: true, unit: 's', meaning: 'with values: length of a part' },
  series: { type: 'array', items: { type: 'object', fields: FIGURES } },
} as const satisfies Fields;
