import {
  anyItems,
  integer,
  number,
  orAbsent,
  orNull,
  rows,
  string,
  time,
  timeOrNull,
  unit,
} from './field.ts';

const figure = (meaning: string) => orNull(number(meaning));

/** The figures of one series; `null` without any value. */
const SERIES = {
  name: string('name of the series'),
  unit: string('unit of the values: `%`, `bytes`, `ms`, `s`, or `count` if svc knows none'),
  last: figure('the latest value'),
  lastAt: timeOrNull('when the latest value was measured'),
  min: figure('the lowest value'),
  avg: figure('the mean of the values'),
  p95: figure('95 of 100 values do not exceed it (nearest rank)'),
  max: figure('the highest value'),
};

/** `svc metrics --summary`. */
export const METRICS_SUMMARY = {
  service: string('id of the service'),
  start: time('start of the range; only values in the range count'),
  end: time('end of the range'),
  stepSeconds: unit('s', integer('size of a bucket, as it was asked for')),
  points: integer('how many points the API answered in the range'),
  series: rows(SERIES),
};

/** The answer of the tool `metrics`: the same, with a few values in place of all points. */
export const METRICS_FIGURES = {
  ...METRICS_SUMMARY,
  firstPart: orAbsent(time('with values: when the first part begins')),
  partSeconds: orAbsent(unit('s', number('with values: length of a part'))),
  series: rows({
    ...SERIES,
    values: orAbsent(
      anyItems('the mean of each of at most 60 equal parts of the range; `null` is a gap'),
    ),
  }),
};
