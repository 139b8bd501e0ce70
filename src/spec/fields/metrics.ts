import { anyItems, integer, number, orAbsent, orNull, rows, string, time, unit } from './make.ts';

const figure = (meaning: string) => orNull(number(meaning));

/** The figures of one series; `null` without any value. */
const SERIES_SUMMARY = {
  name: string('name of the series'),
  unit: string('unit of the values: `%`, `bytes`, `ms`, `s`, or `count` if svc knows none'),
  last: figure('the latest value'),
  lastAt: orNull(time('when the latest value was measured')),
  min: figure('the lowest value'),
  max: figure('the highest value'),
  avg: figure('the mean of the values'),
  p95: figure('the value that 95 of 100 do not exceed; one of the values (nearest rank)'),
};

/** `svc metrics --summary`. */
export const METRICS_SUMMARY = {
  service: string('id of the service'),
  start: time('start of the range; only values in the range count'),
  end: time('end of the range'),
  stepSeconds: unit('s', integer('size of a bucket, as it was asked for')),
  points: integer('how many points the API answered in the range'),
  series: rows(SERIES_SUMMARY),
};

const FIGURES = {
  name: string('name of the series'),
  unit: string('`%`, `bytes`, `ms`, `s` or `count`'),
  lastAt: time('time of the last value'),
  last: number('the last value'),
  min: number('the smallest'),
  avg: number('the mean'),
  p95: number('the one that 95 % do not exceed'),
  max: number('the largest'),
  values: orAbsent(anyItems('the mean of each of at most 60 equal parts of the range; `null` is a gap')),
};

/** What the tool `metrics` answers: figures of each series in place of its points. */
export const METRICS_FIGURES = {
  service: string('id of the service'),
  start: time('start of the range'),
  end: time('end of the range'),
  points: integer('how many points the range has'),
  firstPart: orAbsent(time('with values: when the first part begins')),
  partSeconds: orAbsent(unit('s', number('with values: length of a part'))),
  series: rows(FIGURES),
};
